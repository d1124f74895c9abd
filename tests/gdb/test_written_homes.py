"""At NUMBA_OPT=0 a write to a variable changes what the program computes, as in the interpreter, or is refused."""

from __future__ import annotations

import ctypes
import pathlib
import re
import sys
from typing import Any

import pytest

from tests.gdb import harness

BODIES = {
    "while": """
    tot = 0.0
    k = 0
    c = 1
    while k < n:
        d = a[k] * 2 + c
        k += 1
        if d > 5:
            tot += d
        c = c + 1
    r = tot * 1.5
    return r + c
""",
    "for": """
    tot = 0.0
    c = 3
    for k in range(n):
        d = a[k] + c
        if d > 6:
            c = k
        elif d > 4:
            tot = tot + d
            continue
        tot += c
    r = tot
    tot = r * 2.0
    return tot + c
""",
}
PROGRAM = """import numpy as np
from numba import njit

@njit(debug=True)
def between():
    return 1

@njit(debug=True)
def work(a, n):{body}

for _ in range({calls}):
    between()
    print("result", work(np.arange(6.0), 6))
"""
FIRST, HEAD = 10, 9  # the body's first line, and the line of the `def`
VALUES = {"tot": 7, "k": 2, "c": 4, "d": 3, "r": 5}


def interpreted(source: str, line: int, name: str) -> float | None:
    """Return the result if the variable is assigned when the line is first reached; None: it is not reached, or that
    fails."""
    is_done = False

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal is_done
        if frame.f_code.co_name == "work" and event == "line" and frame.f_lineno == line and not is_done:
            is_done = name in frame.f_locals
            frame.f_locals.update({name: VALUES[name]} if is_done else {})
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        return trace

    names: dict[str, Any] = {}
    exec(compile(source.replace("@njit(debug=True)", "").partition("\nfor _")[0], "work", "exec"), names)
    sys.settrace(trace)
    try:
        result = names["work"](names["np"].arange(6.0), 6)
    except IndexError:
        return None
    finally:
        sys.settrace(None)
    return float(result) if is_done else None


@pytest.mark.parametrize("body", BODIES)
def test_a_write_counts_or_is_refused(body: str, tmp_path: pathlib.Path) -> None:
    lines = range(FIRST, HEAD + BODIES[body].count("\n"))
    program = tmp_path / "work.py"
    names = [name for name in VALUES if re.search(rf"\b{name}\b", BODIES[body])]
    tries = [(line, name) for line in lines for name in names]
    source = PROGRAM.format(body=BODIES[body], calls=len(tries) + 1)
    tries = [each for each in tries if interpreted(source, *each) is not None]
    program.write_text(source)
    commands = ["break work.py:6", "run"]
    for line, name in tries:
        commands += [f"tbreak work.py:{line}", "continue", f"set var {name} = {VALUES[name]}", "continue"]
    done = harness.run(commands, program=program, env={"NUMBA_OPT": "0"}, timeout=120)
    at = commands.index("continue")
    counted = 0
    for line, name in tries:
        at = next(i for i in range(at, len(done.sections)) if done.sections[i][0].startswith("set var"))
        answer, behind = done.sections[at][1], done.sections[at + 1][1]
        at += 1
        if answer.strip() == "Left operand of assignment is not an lvalue.":
            continue
        result = re.search(r"^result (\S+)$", behind, re.M)
        assert answer.strip() == "" and result, done.text
        assert float(result[1]) == interpreted(source, line, name), (line, name, result[1])
        counted += 1
    assert counted >= 8, counted


def test_a_home_that_is_shown_as_a_value_is_read_in_formulas(tmp_path: pathlib.Path) -> None:
    """The variable `arg` is not read after the loop, and `index` is computed from it."""
    program = tmp_path / "formula.py"
    program.write_text("""import numpy as np
from numba import njit

@njit(debug=True)
def work(arg, out):
    out[0, 0] = -4.5 / 2.0
    turn = 0
    while turn < 2:
        turn += 1
        index = -0.25 if arg % 3 == 1 else 4.75
        index += index if arg < turn else index
    s2 = 0
    for i in range(4):
        s2 += i
    return -4.5 / -8.0

work(-1, np.ones((2, 3)))
""")
    commands = ["break formula.py:12", "run", "info locals", "jit locals", "print arg", "set var arg = 3"]
    done = harness.run(commands, program=program, env={"NUMBA_OPT": "0"})
    assert re.search(r"^index = 9\.5$", done.of("info locals"), re.M), done.text
    assert re.search(r"^index = 9\.5$", done.of("jit locals"), re.M), done.text
    assert done.of("print arg").strip() == "$1 = -1"
    assert "not an lvalue" in done.of("set var arg = 3")
