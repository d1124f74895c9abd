"""Breakpoints at lines that never stop: a line says so, and why, before the program has run through."""

from __future__ import annotations

import functools

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "uncompiled.py"
MODULE = "packaged/packaged_kernels.py"
NO_LINES = (
    "{} has no debug information, so it has no lines and this never stops; run the program with NUMBA_DEBUGINFO=1, or "
    "write debug=True in its @njit"
)
INTERPRETED = (
    "{} is interpreted Python, where GDB does not stop: no decorator has Numba compile it; this stops if the program "
    "has it compiled all the same"
)
IN_NO_FUNCTION = "{} is in no function, so Numba does not compile it and this never stops"
LAST = len((harness.PROGRAMS / PROGRAM).read_text().splitlines())


def at(mark: str, program: str = PROGRAM, shown: str = "") -> str:
    return f"{shown or program}:{line_of(program, mark)}"


BASE = MODULE.rpartition("/")[2]
# The location as it is typed, and what is said of it.
SAID = {
    at("bare", MODULE, BASE): NO_LINES.format("bare"),
    at("bare", MODULE): NO_LINES.format("bare"),
    at("bare", MODULE, str(harness.PROGRAMS / MODULE)): NO_LINES.format("bare"),
    at("decorator", MODULE, BASE): NO_LINES.format("bare"),
    at("passed", MODULE, BASE): NO_LINES.format("passed"),
    at("def", MODULE, BASE): INTERPRETED.format("helper"),
    at("helper", MODULE, BASE): INTERPRETED.format("helper"),
    at("module", MODULE, BASE): IN_NO_FUNCTION.format(at("module", MODULE, BASE)),
    at("class"): IN_NO_FUNCTION.format(at("class")),
    at("method"): INTERPRETED.format("balance"),
    at("main"): INTERPRETED.format("main"),
    at("module"): IN_NO_FUNCTION.format(at("module")),
    f"{PROGRAM}:{LAST + 9}": f"{PROGRAM}:{LAST + 9} is no statement, nor is a later line one of a function: "
    "this never stops",
}
SILENT = (at("described"), "nowhere.py:3", "nothing.c:3")


@functools.cache
def shown(condition: str) -> harness.Transcript:
    commands = [f"break {location}{condition}" for location in [*SAID, *SILENT]]
    return harness.run([*commands, "run", "continue"], program=PROGRAM, env={"JITSCOPE_LEVEL": ""})


@pytest.mark.parametrize("condition", ["", " if 1 + 1 == 2"])
@pytest.mark.parametrize("location", SAID)
def test_a_line_that_never_stops(location: str, condition: str) -> None:
    number = [*SAID].index(location) + 1
    said = shown(condition).text
    assert said.count(f"jitscope: breakpoint {number}: ") == 1, said
    assert f"jitscope: breakpoint {number}: {SAID[location]}\n" in said, said


@pytest.mark.parametrize("condition", ["", " if 1 + 1 == 2"])
def test_others_have_no_line(condition: str) -> None:
    """One that stops, and files that are not of the program."""
    said = shown(condition).text
    for number in range(len(SAID) + 1, len(SAID) + len(SILENT) + 1):
        assert f"jitscope: breakpoint {number}: " not in said, said
    assert f"hit Breakpoint {len(SAID) + 1}, described (n=1)" in said, said
