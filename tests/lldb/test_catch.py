"""`jit catch` in LLDB: the exceptions that GDB's `jit catch` stops at, and nothing else."""

from __future__ import annotations

import functools
import re

import pytest

from tests.gdb import harness
from tests.gdb.dap import Client
from tests.gdb.harness import line_of
from tests.interpreters import lldb_adapter
from tests.lldb.adapter import locals_of, started
from tests.lldb.session import LLDBS, SETTINGS, Said, run

PROGRAM = "raises.py"
LEVELS = pytest.mark.parametrize("level", ["steps", "exact"])
STOPS = 14
LINE = re.compile(r"^Exception .*$", re.M)


@functools.cache
def of_gdb(level: str) -> list[str]:
    env = SETTINGS.get(level, {"JITSCOPE_LEVEL": level})
    done = harness.run(["jit catch", "run", *["continue"] * (STOPS + 1)], program=PROGRAM, env=env)
    return LINE.findall(done.text)


@functools.cache
def said(lldb: str, level: str) -> Said:
    looks = ("jit locals", "continue")
    return run(lldb, PROGRAM, level, ("jit catch", "run", *looks * STOPS))


@LLDBS
@LEVELS
def test_all_that_raises_and_nothing_else(lldb: str, level: str) -> None:
    """GDB's line goes on with the index or the divisor, where it knows which is why."""
    found, wanted = LINE.findall(said(lldb, level).text), of_gdb(level)
    assert len(found) == len(wanted) == STOPS
    assert all(theirs.startswith(ours) for ours, theirs in zip(found, wanted)), (found, wanted)
    assert "exited with status = 0" in said(lldb, level).text


@LLDBS
def test_variables_are_there(lldb: str) -> None:
    shown = dict(re.findall(r"^(\w+) = (.*)$", said(lldb, "steps").of("jit locals")[1], re.M))
    assert shown == {"a": "array([0., 1., 2.])", "n": "5", "total": "3.0", "i": "3"}


@LLDBS
def test_classes_and_a_condition(lldb: str) -> None:
    """A class catches those derived from it. The condition is Python."""
    chosen = "settings append target.run-args index divide own asserts"
    asked = ("jit catch LookupError if n == 5 and i == 3", "jit catch AssertionError, ArithmeticError")
    stops = run(lldb, PROGRAM, "steps", (chosen, *asked, "run", *["continue"] * 3))
    assert stops.of(asked[0]) == ["Breakpoint 3: where compiled code raises LookupError, if n == 5 and i == 3"]
    assert [text.split("(")[0] for text in LINE.findall(stops.text)] == [
        f"Exception {name}" for name in ("IndexError", "ZeroDivisionError", "AssertionError")
    ]


@LLDBS
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("jit catch 3x", "'3x' is no name of an exception's class"),
        ("jit catch ValueError thread 2", "Usage: jit catch [TYPE …] [if CONDITION]"),
        ("jit catch ValueError if", "Usage: jit catch [TYPE …] [if CONDITION]"),
        ("jit catch if (", "SyntaxError: "),
    ],
)
def test_mistakes(lldb: str, command: str, answer: str) -> None:
    assert f"error: {answer}" in run(lldb, PROGRAM, "steps", (command,)).text


@LLDBS
def test_debug_adapter(lldb: str) -> None:
    """An editor's user types the command in the debug console at a first stop."""
    with Client([lldb_adapter(lldb)]) as client:
        frame = started(client, PROGRAM, {"JITSCOPE_LEVEL": "steps"}, [line_of(PROGRAM, "divide")], "index", "divide")
        assert frame is not None
        client.evaluate_repl("`jit catch ZeroDivisionError", frame)
        frame = client.go_on()
        assert frame is not None and (frame["name"], frame["line"]) == ("divide", line_of(PROGRAM, "divide"))
        assert (
            "Exception ZeroDivisionError('integer division by zero') raised in divide at raises.py" in client.output()
        )
        assert locals_of(client, frame)["b"]["value"] == "0"
