"""`next` and `step` at default settings: the lines that the interpreter tells its tracing of, and their values."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness, python_lines
from tests.gdb.harness import line_of

CALLS = "stepped/calls.py"
CASES = [(CALLS, "outer", "next"), (CALLS, "outer", "step"), (CALLS, "several", "next"), (CALLS, "several", "step")]


@pytest.mark.parametrize(("program", "function", "command"), CASES)
def test_each_line_in_its_turn(program: str, function: str, command: str) -> None:
    expected, values = python_lines.in_python(program, function, command)
    found, shown, text = python_lines.in_gdb(program, function, command, len(expected))
    assert found == expected, text
    assert python_lines.false_values(values, shown) == [], text


def test_finish_of_a_recursion_stops_at_the_call() -> None:
    """Where the last call of it was inlined, and the next line has code that LLVM has scheduled ahead."""
    commands = [
        "tbreak fact",
        "run",
        "tbreak fact if n == 2",
        "continue",
        *["finish"] * 3,
        "jit locals",
        "next",
        "jit why f",
    ]
    done = harness.run(commands, program=CALLS, env={"JITSCOPE_LEVEL": ""})
    assert re.search(rf"^{line_of(CALLS, 'call')}\t", done.of("finish", 2), re.M), done.text
    assert re.search(rf"^{line_of(CALLS, 'list')}\t", done.of("next"), re.M), done.text
    assert done.of("jit why f").startswith("f is exact"), done.text
