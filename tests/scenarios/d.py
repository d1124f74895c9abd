"""D: a stop in a parallel loop with all its workers; a crash in one, joined to the function that started the loop."""

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
        Check("and what the others do", "jit bt", r"^--- the other workers ---\n(?:thread \d+, worker|idle: )"),
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


def workers(same: int, layer: str = "workqueue") -> Scenario:
    """A breakpoint in the body; where the program has the compiler hook each worker's index is known there."""
    program, function, index = (("par.py", "foo", "i"), ("par2.py", "scale", "k"))[same]
    header, last = line_of(program, "prange"), line_of(program, "crash") + 1
    line = header + 1
    turn = rf"{index} = (?:\d+|<[^>]*>) of \d+\.\.\d+"
    checks = (
        Check("the breakpoint stops in the loop's body", "run",
              rf"hit Breakpoint \d+.*{function}.*{program}:{line}\n{line}\t"),
        Check("each worker, its loop and its turns", "jit threads",
              rf"^. +\d+ +worker \d of {layer}: {function}, prange at {program}:{header}, {turn}, line \d+"),
        Check("who waits for them", "jit threads",
              rf"^. +1 +caller: {function} \(\) waits for its workers at {program}:"),
        Check("the loop by itself: its lines, its layer, its turns", "jit region",
              rf"^{function}, prange at {program}:{header}-{last}, on {layer}; \d workers? at work.*; \d+ turns"),
        Check("a command in each", "jit apply all info locals",
              rf"^thread \d+, worker \d of {layer}: .*, line \d+.*\n(?:\w+ = .*\n?)+"),
        Check("threads have their worker's name", "info threads", rf'"worker \d of {layer}: {function}:{header}, '),
        Check("one stop when all of them are there, and their variables", f"jit gather {program}:{line}",
              rf"^\d workers? (?:is|are) here:\n(?:worker \d, thread \d+: {index} = \d+ of \d+\.\.\d+, line {line}\n"
              r"(?:    \w+ = .*\n?)+)+"),
    )  # fmt: skip
    return Scenario(
        "d-workers",
        f"a stop in a parallel loop ({layer})",
        program,
        (
            f"break {program}:{line}", "run", "continue",
            "jit threads", "jit region", "jit apply all info locals", "info threads", f"jit gather {program}:{line}",
        ),
        checks,
        env=(("NUMBA_NUM_THREADS", "4"), ("NUMBA_THREADING_LAYER", layer), ("JITSCOPE_LEVEL", "steps")),
        same=same,
    )  # fmt: skip
