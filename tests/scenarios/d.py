"""D: a crash in a parallel loop, joined to the function that started it."""

from __future__ import annotations

from tests.gdb.harness import line_of

from .model import PYTHON, Check, Scenario


def build(same: int, layer: str = "omp") -> Scenario:
    program = ("par.py", "par2.py")[same]
    crash, call, header = (line_of(program, mark) for mark in ("crash", "call", "prange"))
    if same == 0:
        function, index, bad, caller = "foo", "i ?= ?8", "0xbadadd", "<module>"
    else:
        function, index, bad, caller = "scale", "k ?= ?21", "0xbadf00d", "run"
    body = rf"[^\n]*{program}:(?:{'|'.join(str(line) for line in range(header, crash + 3))})"
    # glibc faults on the bad pointer. But Debian's Python is linked to low addresses, its heap lies above it at about
    # 0xaca000, and 0xbadadd is in it: there glibc sees that it is no block of its own and aborts.
    freed = rf"^(?:#0\s.*free.*{bad}|#\d+\s.*abort \((?:.*\n)*?#\d+\s.*free \(mem=<optimized out>\)).*\n"
    below = rf"prange.*\n(?:.*\n)*?#\d+\s+{function} ?\(.*at [^\n]*{program}:\d+$"
    checks = (
        Check("GDB's own bt: the loop's frame is the user's function in the user's file", "bt",
              rf"{freed}#\d+\s.*\b{function}\b.*at {body}$", r"numba_parfor_gufunc|<string>"),
        Check("free of the bad pointer", "jit bt", freed),
        Check(f"the prange body, {index}", "jit bt", rf"{freed}#\d+\s+{function}\b.*prange.*{index}\b.*{body}$"),
        Check("the function that started the region", "jit bt", below),
        Check("and its Python caller", "jit bt", rf"^#\d+\s+{caller} ?\(.*\) at [^\n]*{program}:{call}{PYTHON}$"),
        Check("no pool, wrapper or template frames", "jit bt", "free", r"parfor_gufunc|<string>|gomp|parallel_"),
    )  # fmt: skip
    return Scenario(
        "d",
        f"a crash in a parallel loop ({layer})",
        program,
        ("run", "bt", "jit bt", "info threads"),
        checks,
        env=(("NUMBA_NUM_THREADS", "4"), ("NUMBA_THREADING_LAYER", layer)),
        libc=True,
        same=same,
    )
