"""Conditions of LLDB's own breakpoints, and of clients of DAP, in compiled Python: they are Python."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from tests.gdb.dap import Client
from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import lldb_adapter
from tests.lldb.adapter import locals_of, started
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "lldb_conditions.py"
N = 8
# The conditions of the lines; those that no C is, or another C, and one of C that no Python is.
CONDITIONS = (
    "i // 3 == 2",
    "i / 2 == 1.5",
    "k % 4 == 1 and i == 4",
    "i ** 2 == 9",
    "not i",
    "a[a > 3].sum() == 22 and i in (1, 7)",
    "half < 0.11 and i == 5",
    "0 < i < 3",
    "i == 2 && x > 1",
    "-i // 2 == -3",
)
AS_C = {8: "i == 2 and x > 1"}
IGNORED = {0: 1, 7: 1}  # by line: stops that are to be ignored
ADDED = "i // 4 == 1"  # given at the first stop, to the line that has CONDITIONS[7]


def where(index: int) -> int:
    return line_of(PROGRAM, str(index))


def expected() -> list[tuple[int, int]]:
    """Return the lines and indices of the stops, as Python decides the conditions."""
    found, left = [], dict(IGNORED)
    values: dict[str, Any] = {"k": np.int8(-7), "half": np.float32(0.1), "a": np.arange(N), "x": 1.5}
    for i in range(N):
        for number, condition in enumerate(CONDITIONS):
            if not eval(AS_C.get(number, condition), {}, {**values, "i": i}):
                continue
            if left.get(number):
                left[number] -= 1
            else:
                found.append((where(number), i))
    return found


def set_of(index: int) -> str:
    ignored = f" -i {IGNORED[index]}" if index in IGNORED else ""
    return f"breakpoint set -f {PROGRAM} -l {where(index)} -c '{CONDITIONS[index]}'{ignored}"


# The thread that takes over new conditions has the lock, and waits within LLDB.
STUCK = "script from jitscope_in_lldb import python_conditions; python_conditions._taking.acquire()"


@functools.cache
def said(lldb: str, *before: str) -> Said:
    looks = ("script print(lldb.frame.GetLineEntry().GetLine())", "jit print i", "continue")
    breaks = [set_of(index) for index in range(len(CONDITIONS))]
    return run(lldb, PROGRAM, "steps", (*before, *breaks, "run", "breakpoint list 3", *looks * (len(expected()) + 1)))


@LLDBS
@pytest.mark.parametrize("before", [(), (STUCK,)], ids=["", "while the other thread waits"])
def test_stops_are_where_python_has_them(before: tuple[str, ...], lldb: str) -> None:
    lines, indices = (
        said(lldb, *before).of(each) for each in ("script print(lldb.frame.GetLineEntry().GetLine())", "jit print i")
    )
    found = [(int(line), int(index)) for line, index in zip(lines, indices) if index.isdigit()]
    assert found == expected()
    assert "exited with status = 0" in said(lldb, *before).text


@LLDBS
def test_the_list_of_breakpoints_has_the_condition(lldb: str) -> None:
    assert f"Condition: 1 // Python: {CONDITIONS[0]}\n" in said(lldb).of("breakpoint list 3")[0]


@functools.cache
def changed(lldb: str) -> list[str]:
    look = "jit print i"
    wait = "script __import__('time').sleep(0.5)"  # a user types more slowly
    commands = (
        f"breakpoint set -f {PROGRAM} -l {where(0)} -o true",
        "run",
        f"breakpoint set -f {PROGRAM} -l {where(1)} -c '{ADDED}'",
        *(wait, "continue", look),
        "breakpoint modify -c 'i // 5 == 1' 4",
        *("continue", look),
        "breakpoint modify -c '' 4",
        *(wait, "continue", look),
        "process kill",
    )
    return run(lldb, PROGRAM, "steps", commands).of(look)


@LLDBS
def test_conditions_that_are_given_and_changed_at_a_stop(lldb: str) -> None:
    assert changed(lldb) == ["4", "5", "6"]


@LLDBS
def test_a_name_that_is_not_there_stops_and_is_said(lldb: str) -> None:
    stop = f"breakpoint set -f {PROGRAM} -l {where(0)} -c 'missing // 2 == 1'"
    found = run(lldb, PROGRAM, "steps", (stop, "run", "jit print i", "process kill"))
    assert found.of("jit print i") == ["0"]
    assert "jitscope: breakpoint 3: `missing // 2 == 1`: " in found.text


@LLDBS
@pytest.mark.parametrize("moment", ["before", "at a stop"])
def test_debug_adapter(lldb: str, moment: str) -> None:
    """VS Code's hit condition counts the times that the condition holds."""
    given = [{"line": where(1), "condition": "i // 2 >= 1", "hitCondition": "3"}]
    with Client([lldb_adapter(lldb)]) as client:
        first = given if moment == "before" else [where(0)]
        frame = started(client, PROGRAM, {"JITSCOPE_LEVEL": "steps"}, first)
        if moment != "before":
            source = {"path": str(PROGRAMS / PROGRAM)}
            client.request("setBreakpoints", {"source": source, "breakpoints": given})
            frame = client.go_on()
        assert frame is not None and frame["line"] == where(1)
        assert locals_of(client, frame)["i"]["value"] == "4"
