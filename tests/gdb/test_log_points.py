"""Log points of a DAP client: what is in braces is Python, and the condition decides what is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.gdb import dap
from tests.gdb.harness import PROGRAMS, lean, line_of, newest_python
from tests.interpreters import gdbs

PROGRAM = "logged.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
SHOWN = ("i", "part", "k / 2", "values[i:i + 2]", "len(values)", "name", "total > 5", "(i, k)")


def written(gdb: str, begins: str = "log: ", **log_point: Any) -> list[str]:
    """Return the lines that begin so, until the program ends, with a log point at the loop's line."""
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, {}) as client:
        client.request("initialize", {"adapterID": "jitscope-test"})
        client.event("initialized")
        asked = [{"line": line_of(PROGRAM, "log"), **log_point}]
        source = {"path": str(PROGRAMS / PROGRAM)}
        client.request("setBreakpoints", {"source": source, "breakpoints": asked})
        launch = {"program": newest_python(), "args": [str(PROGRAMS / PROGRAM)]}
        launched = client.send("launch", {**launch, "env": dict(lean({"JITSCOPE_LEVEL": ""}))})
        client.request("configurationDone")
        client.response(launched)
        client.event("terminated")
        events = [each["body"]["output"] for each in client.waiting if each.get("event") == "output"]
    return [line for text in events for line in text.splitlines() if line.startswith(begins)]


def expected() -> list[str]:
    """Return what Python's str() gives at each iteration of the loop."""
    values, k, name, total = np.arange(12.0), 3, "däta", 0.0
    lines = []
    for i in range(len(values)):
        part = values[i] * k
        names = {"values": values, "k": k, "name": name, "i": i, "part": part, "total": total, "len": len}
        given = [eval(text, names) for text in SHOWN]
        # jitscope writes arrays as repr() does, but for the spaces that align columns.
        texts = [repr(each).replace("[ ", "[") if isinstance(each, np.ndarray) else str(each) for each in given]
        lines.append("log: " + " | ".join(texts))
        total += part
    return lines


@GDBS
def test_expressions_are_python(gdb: str) -> None:
    message = "log: " + " | ".join(f"{{{text}}}" for text in SHOWN)
    assert written(gdb, logMessage=message) == expected()


@GDBS
def test_only_what_fulfils_the_condition_is_written(gdb: str) -> None:
    lines = written(gdb, logMessage="log: {i}", condition="i % 4 == 1 and len(values) > 3")
    assert lines == ["log: 1", "log: 5", "log: 9"]


@GDBS
def test_hits_that_are_ignored_are_not_written(gdb: str) -> None:
    assert written(gdb, logMessage="log: {i}", hitCondition="9") == ["log: 9", "log: 10", "log: 11"]


@GDBS
def test_hits_at_which_the_condition_is_false_are_not_counted(gdb: str) -> None:
    """As at a breakpoint: GDB counts the hits of a breakpoint at which its condition is true."""
    lines = written(gdb, logMessage="log: {i}", condition="i % 2 == 0", hitCondition="3")
    assert lines == ["log: 6", "log: 8", "log: 10"]


@GDBS
def test_a_condition_without_a_value_writes_nothing(gdb: str) -> None:
    lines = written(gdb, "", logMessage="log: {i}", condition="values[99] > 1")
    place = f"{PROGRAM}:{line_of(PROGRAM, 'log')}"
    wrong = f"`values[99] > 1` fails at {place}, and prints nothing: IndexError: index 99 is out of bounds"
    assert sum(line.startswith(f"jitscope: {wrong}") for line in lines) == 1, lines
    assert not any(line.startswith("log: ") for line in lines), lines


@GDBS
def test_what_has_no_value_is_named(gdb: str) -> None:
    lines = written(gdb, logMessage="log: {nowhere} {values[99]} {1 +}", condition="i == 2")
    assert lines == [
        "log: <NameError: name 'nowhere' is not defined> "
        "<IndexError: index 99 is out of bounds for axis 0 with size 12> <SyntaxError: invalid syntax>"
    ]


@GDBS
def test_a_condition_that_fails_is_named(gdb: str) -> None:
    lines = written(gdb, "jitscope: the log", logMessage="log: {i}", condition="$pc.x == 1")
    failed = "jitscope: the log point's condition `$pc.x == 1` cannot be evaluated: "
    assert lines and all(line.startswith(failed) for line in lines), lines
