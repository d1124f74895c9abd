"""E1: gdb -p PID on a process that was started without any debugger."""

from __future__ import annotations

from tests.gdb.harness import line_of

from .model import PYTHON, Check, Scenario, value, written


def build(same: int) -> Scenario:
    program = ("serve.py", "serve2.py")[same]
    call, main = line_of(program, "call"), line_of(program, "main")
    if same == 0:
        function, scalar, text = "tally", "k", "123"
        array = r"^a = array\([\s\S]*?(?:shape=\(1000,\)|\[0\., 1\.,)"
        caller, unassigned = "main", "s"
    else:
        function, scalar, text = "blend", "weight", "0.5"
        array = r"^left = array\([\s\S]*?(?:shape=\(50,\)|\[\s*0,\s+1,)"
        caller, unassigned = "loop", "pair"
    frame = rf"{function} \(.*{scalar}={written(text)}\) at [^\n]*{program}:\d+"
    commands = ("info source", "jit status", f"break {function}", "continue", "info args", "info locals", "bt")
    checks = (
        Check("break FUNCTION is one place", f"break {function}", rf"^Breakpoint 1 at .*{program}", "locations"),
        Check("the stop line is the source", "continue", rf"{frame}$", r"\[abi:"),
        Check(f"{scalar} is exact", "info args", value(scalar, text)),
        Check("the array argument is an array", "info args", array, r"\{meminfo ="),
        Check(f"{unassigned} has no value at entry", "info locals", value(unassigned, None)),
        Check("bt calls the frame by its name", "bt", rf"^#0\s.*{frame}$", r"\[abi:"),
        Check("the whole stack of Python callers", "jit bt",
              rf"^#0\s+{function} \(.*\n#1\s+{caller} ?\(.*\) at [^\n]*{program}:{call}{PYTHON}\n"
              rf"#2\s+<module> ?\(.*\) at [^\n]*{program}:{main}{PYTHON}$", "cpython::|_PyEval"),
    )  # fmt: skip
    return Scenario(
        "e1",
        "attach to a process from outside",
        program,
        (*commands, "jit bt", "delete", "detach"),
        checks,
        how="attach",
        same=same,
    )
