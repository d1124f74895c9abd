"""C: a segfault in compiled code, explained."""

from __future__ import annotations

from tests.gdb.harness import line_of

from .model import LABEL, PYTHON, Check, Scenario

INSPECT = ("info args", "info locals", "bt", "jit bt", "jit locals")


def facts(same: int) -> tuple[str, str, list[Check]]:
    """Return the program, the command that reaches the stop (the checks call it "@stop"), and the checks, which a core
    must pass, too."""
    program = ("crash.py", "crash2.py")[same]
    crash, call = line_of(program, "crash"), line_of(program, "call")
    if same == 0:
        function, index, array, size = "foo", ("index", 1000000000), "c", 10
        whole = r"^c = array\([\s\S]*?(?:shape=\(10,\)|\[0\., 2\.34,)"
        caller, where = "<module>", "info locals"
    else:
        function, index, array, size = "pick", ("row", 400000000), "grid", 3
        whole = r"^grid = array\([\s\S]*?(?:shape=\(3, 4\)|\[\[1\., 1\.,)"
        caller, where = "start", "info args"
    name, number = index
    frame = rf"{function} \(.*{name}={number}\) at [^\n]*{program}:{crash}"
    checks = [
        Check("the stop line is the source", "@stop", rf"{frame}$", r"\[abi:"),
        Check("one line says why", "@stop", rf"^.*{number}.* outside axis 0 of .?{array}\b.*{size} elements.*$"),
        Check(f"{name} is {number}", "info args", rf"^{name} = {number}$"),
        Check(f"{array} as an array", where, whole, r"\{meminfo ="),
        Check("bt calls the frame by its name", "bt", rf"^#0\s.*{frame}$", r"\[abi:"),
        Check("the Python caller stands under it", "jit bt",
              rf"^#0\s+{function} \(.*\n#1\s+{caller} ?\(.*\) at [^\n]*{program}:{call}{PYTHON}$", "cpython::|_PyEval"),
    ]  # fmt: skip
    if same == 0:
        checks.append(Check("d has no value", "info locals", rf"^d = {LABEL}$"))
    else:
        checks.append(Check("k is the loop's index, or labelled", "info locals", rf"^k = (?:0|{LABEL})$"))
    return program, "run", checks


def build(same: int) -> Scenario:
    program, stop, checks = facts(same)
    return Scenario(
        "c",
        "a segfault in compiled code, explained",
        program,
        (stop, *INSPECT),
        tuple(Check(k.title, stop if k.command == "@stop" else k.command, k.want, k.never) for k in checks),
        env=(("NUMBA_BOUNDSCHECK", "0"),),
        same=same,
    )
