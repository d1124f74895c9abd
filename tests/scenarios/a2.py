"""A2: a variable that changes type or is reassigned is one variable with its current value."""

from __future__ import annotations

import re

from tests.gdb.harness import line_of

from .model import Check, Scenario, value

# Versions, and bool58, which Numba <= 0.61 makes for bool().
VERSION = r"^(?:\w+[.$]\d+|bool\d+) = "


def build(same: int) -> Scenario:
    """Return the scenario, stepped at NUMBA_OPT=0, where each line can be stopped at."""
    program = ("retype.py", "retype2.py")[same]
    marks = ("int", "float", "sum", "tuple") if same == 0 else ("int", "sum", "tuple")
    expected: list[dict[str, str | None]]  # None: no value yet
    if same == 0:
        name = "x"
        versions = [("int64", 8), ("float64", 9), ("Tuple(int64, float64)", line_of(program, "tuple") - 1)]
        expected = [
            {"x": "1", "total": None, "y": None},
            {"x": "2.5", "total": None, "y": None},
            {"x": "2.5", "total": "9", "last": "8", "y": None},  # i is deleted in the loop
            {"x": "(5, 11.5)", "y": "11.5", "total": "9"},
        ]
    else:
        name = "out"
        versions = [("int64", 8), ("int64", 9), ("float64", line_of(program, "sum"))]
        expected = [
            {"out": "2", "spilled": None},
            {"out": "6", "spilled": "0.75"},
            {"out": "0.25", "spilled": "0.75"},
        ]
    commands: list[str] = [f"break {program}:{line_of(program, mark)}" for mark in marks]
    checks = []
    for number, (mark, state) in enumerate(zip(marks, expected)):
        commands += ["run" if number == 0 else "continue", "info locals"]
        line = line_of(program, mark)
        checks.append(Check(f"no versions at line {line}", "info locals", None, VERSION, number))
        for key, text in state.items():
            title = f"line {line}: {key} is {text or 'labelled'}"
            checks.append(Check(title, "info locals", value(key, text), occurrence=number))
    commands += ["jit locals -versions"]
    for kind, line in versions:
        shown = r"(?:int64|Literal\[int\]\(\d+\))" if kind == "int64" else re.escape(kind)
        wanted = rf"^{name} = .*{shown}.*\bline {line}\b"
        title = f"jit locals -versions: the {kind} {name} of line {line}"
        checks.append(Check(title, "jit locals -versions", wanted))
    return Scenario(
        "a2",
        "a variable that changes type or is reassigned",
        program,
        tuple(commands),
        tuple(checks),
        env=(("NUMBA_OPT", "0"),),
        same=same,
    )
