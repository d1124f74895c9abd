"""D: a stop in a parallel loop with all its workers; a crash in one, joined to the function that started the loop;
races."""

from __future__ import annotations

import shlex

from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import newest_python

from .model import PYTHON, Check, Scenario


def build(same: int, layer: str = "omp", libc: bool = False) -> Scenario:
    program = ("par.py", "par2.py")[same]
    crash, call, header = (line_of(program, mark) for mark in ("crash", "call", "prange"))
    if same == 0:
        function, index, bad, caller = "foo", "i ?= ?8", "0xbadadd", "<module>"
    else:
        function, index, bad, caller = "scale", "k ?= ?21", "0xbadf00d", "run"
    body = rf"[^\n]*{program}:(?:{'|'.join(str(line) for line in range(header, crash + 3))})"
    # glibc faults on the bad pointer. But Debian's Python is linked to low addresses, its heap begins at about
    # 0xaca000, and 0xbadadd is in it: there glibc finds that it is no block of its own and aborts, or looks for its
    # arena, and faults. If GDB has no debug symbols of the C library, it knows free by its name alone.
    freed = rf"^#0 +free \(mem={bad}\).*\n"
    frame = r"(?:, iterations [^\n]*?)?(?: \[frame \d+\])?$"
    below = rf"prange.*\n(?:.*\n)*?#\d+\s+{function} ?\(.*at [^\n]*{program}:\d+{frame}"
    checks = (
        Check("GDB's own bt: the loop's frame is the user's function in the user's file", "bt",
              rf"^#\d+\s.*free \(.*\n#\d+\s.*\b{function}\b.*at {body}$", r"numba_parfor_gufunc|<string>"),
        Check("free of the bad pointer, in one frame", "jit bt", freed),
        Check(f"the prange body, {index}", "jit bt", rf"{freed}#1\s+{function}\b.*prange.*{index}\b.*{body}{frame}"),
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
        libc=libc,
        same=same,
    )


def workers(same: int, layer: str = "workqueue") -> Scenario:
    """Return a scenario with a breakpoint in the body; if the program has the compiler hook, each worker's index is
    known there."""
    program, function, index = (("par.py", "foo", "i"), ("par2.py", "scale", "k"))[same]
    header, last = line_of(program, "prange"), line_of(program, "crash") + 1
    line = header + 1
    turn = rf"{index} = (?:\d+|<[^>]*>) of \d+\.\.\d+"
    own = (rf"^counter = \d+\n{index} = \d", rf"^{index} = \d+")[same]
    # a variable that is passed to the body is an argument, which `info locals` does not list
    rest = (("info locals", r"^--- of the function .*\nn = 9$"), ("jit locals", r"^factor = 0\.5$"))[same]
    checks = (
        Check("the breakpoint stops in the loop's body", "run",
              rf"hit Breakpoint \d+.*{function}.*{program}:{line}\n{line}\t"),
        Check("the worker's index, and its part of the result", "info locals", own),
        Check("what the function has beside", *rest),
        Check("each worker, its loop and its iteration", "jit threads",
              rf"^. +\d+ +worker \d of {layer}: {function}, prange at {program}:{header}, {turn}, line \d+"),
        Check("who waits for them", "jit threads",
              rf"^. +1 +caller: {function} \(\) waits for its workers at {program}:"),
        Check("the loop by itself: its lines, its layer, its iterations", "jit region",
              rf"^{function}, prange at {program}:{header}-{last}, on {layer}; \d workers? runs? \d+ iterations? \("),
        Check("a command in each", "jit apply all info locals",
              rf"^thread \d+, worker \d of {layer}: .*, line \d+.*\n(?:\w+ = .*\n?)+"),
        Check("threads have their worker's name", "info threads", rf'"worker \d of {layer}: {function}:{header}, '),
        Check("one stop when every worker is there, and their variables", f"jit gather {program}:{line}",
              rf"^4 workers are here:\n(?:worker \d, thread \d+: {index} = \d+ of \d+\.\.\d+, line {line}\n"
              r"(?:    \w+ = .*\n?)+){4}"),
    )  # fmt: skip
    return Scenario(
        "d-workers",
        f"a stop in a parallel loop ({layer})",
        program,
        (
            f"break {program}:{line}", "run", "info locals", "jit locals",
            "jit threads", "jit region", "jit apply all info locals", "info threads", f"jit gather {program}:{line}",
        ),
        checks,
        env=(("NUMBA_NUM_THREADS", "4"), ("NUMBA_THREADING_LAYER", layer), ("JITSCOPE_LEVEL", "steps")),
        same=same,
    )  # fmt: skip


def races(same: int, layer: str = "omp") -> Scenario:
    """Return a scenario that shows the elements of each worker, in GDB and without a debugger."""
    program = "recorded.py"
    check = f"shell {shlex.join([newest_python(), str(PROGRAMS / 'race.py')])}"
    if same == 0:
        function, behind, argument = "in_place", "shared_scratch", r"a=array\(float64, shape=\(12,\)\)"
        line = line_of(program, "in_place")
        overlap = (
            rf"^  a\[3\] \(workers 0 and 1\), a\[4\] \(workers 1 and 0\).*: written at {program}:{line} "
            rf"by the first of the two, read at {program}:{line} by the other$"
        )
        wrote = rf"^worker 1 wrote a\[4\.\.6\] at line {line}\n +read a\[3\.\.7\] at line {line}$"
    else:
        function, behind, argument = "shared_scratch", "correct", r"a=array\(float64, shape=\(12,\)\), out="
        first, line = (line_of(program, mark) for mark in ("filled", "used"))
        overlap = rf"^  scratch\[0\]: written at {program}:{first} by worker 0, read at {program}:{line} by worker 1$"
        wrote = rf"^worker 1 wrote .*scratch\[0\] at line {first}.*"
    race = line_of("race.py", "race")
    checks = (
        Check("the function, with its array", "run", rf"hit Breakpoint \d+.*{function} \(.*{argument}"),
        Check("what each worker has written and read, by line", "jit region -writes", wrote),
        Check("what two of them have in common, with both lines", "jit region -writes", overlap),
        Check("the same found without a debugger (race_check)", check,
              rf"^ +a\[250\] \(workers \d and \d\), .*: written at race\.py:{race} by the first of the two, read at "
              rf"race\.py:{race} by the other$"),
        Check("another order, another result (schedule)", check, r"^serial: (.*)\nreverse: (?!\1$).*"),
    )  # fmt: skip
    return Scenario(
        "d-races",
        f"races made visible ({layer})",
        program,
        (f"break {function}", "run", "jit region -record", f"tbreak {behind}", "continue", "jit region -writes", check),
        checks,
        env=(("NUMBA_NUM_THREADS", "4"), ("NUMBA_THREADING_LAYER", layer), ("JITSCOPE_LEVEL", "steps")),
        same=same,
    )  # fmt: skip
