"""Steps out of a compiled function that Python has called: its line and what was returned, and nothing of a wrapper."""

from __future__ import annotations

import functools
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

pytestmark = pytest.mark.xdist_group("step_out")
PROGRAM = "step_out.py"
REFUSED = "{} is interpreted Python, which GDB does not step through: `continue` runs on to the next breakpoint"


def at(mark: str) -> str:
    return f"tbreak {PROGRAM}:{line_of(PROGRAM, mark)}"


@functools.cache
def stepped(level: str) -> harness.Transcript:
    commands = [at("return"), "run", "next", "jit locals", "next", "step", "until", "jit bt"]
    commands += [at("return"), "continue", "finish", at("return"), "continue", "delete", at("last"), "continue", "step"]
    commands += [at("raise"), "continue", "next", at("half"), "continue", "next 3", "next", "next", at("return")]
    commands += ["continue", "next 5", at("compare"), "continue", "next", "kill"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": level, "NUMBA_DEBUGINFO": "1"})
    assert not done.timed_out, done.text
    return done


def frame(name: str, mark: str, number: int = 0) -> str:
    place = rf"{re.escape(str(harness.PROGRAMS / PROGRAM))}:{line_of(PROGRAM, mark)}"
    return rf"#{number}  {re.escape(name)} \(.*\) at {place} \[py\]\n{line_of(PROGRAM, mark)}\s.*\n"


@pytest.fixture(params=["steps", "stock"])
def level(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_nothing_of_a_wrapper_is_shown(level: str) -> None:
    done = stepped(level)
    for command, text in done.sections:
        assert "wrapper" not in text and "_dispatcher.cpp" not in text, (command, text, done.text)


def test_a_step_ends_in_the_caller(level: str) -> None:
    done = stepped(level)
    assert re.fullmatch(frame("main", "call") + "twice returned 1", done.of("next")), done.text
    assert "i = 0" in done.of("jit locals"), done.text
    for number, command in ((1, "next"), (0, "step"), (0, "until")):
        assert done.of(command, number) == REFUSED.format("main"), done.text
    assert done.of("jit bt").startswith("#0  main ("), done.text
    assert re.fullmatch(frame("middle", "middle") + "twice returned 7", done.of("next 5")), done.text


def test_finish_ends_in_the_caller(level: str) -> None:
    assert re.search(frame("main", "call") + "twice returned 3$", stepped(level).of("finish")), stepped(level).text


def test_what_was_returned_and_raised(level: str) -> None:
    done = stepped(level)
    assert re.fullmatch(frame("main", "outer") + "outer returned 14", done.of("step", 1)), done.text
    assert re.fullmatch(frame("main", "fails") + r"fails raised ValueError\('too big'\)", done.of("next", 2)), done.text


def test_a_ufunc_goes_on_with_the_next_element(level: str) -> None:
    done = stepped(level)
    first, last = (line_of(PROGRAM, "half") - 1, line_of(PROGRAM, "half"))
    assert re.match(rf"({first}|{last})\t", done.of("next 3").splitlines()[-1]), done.text
    ended = frame("main", "ufunc", 3) + r"half returned 0\.5"
    assert any(re.fullmatch(ended, done.of("next", number)) for number in (3, 4)), done.text


def test_finish_leaves_one_call_of_a_recursion() -> None:
    """Each of a function's own calls, and the one that was inlined into its caller."""
    place = f"recursive.py:{line_of('recursive.py', 'test')}"
    commands = [f"tbreak {place} if n == 1", "run", *(["finish", "print n"] * 4), "finish", "jit bt"]
    done = harness.run(commands, program="recursive.py", env={"JITSCOPE_LEVEL": ""})
    left = [(done.of("finish", i).splitlines()[-1], done.of("print n", i).split()[-1]) for i in range(4)]
    assert left == [(f"factorial returned {r}", str(n)) for r, n in ((1, 2), (2, 3), (6, 4), (24, 5))], done.text
    assert f"recursive.py:{line_of('recursive.py', 'next')}" in done.of("finish", 4), done.text
    assert [line.split()[1] for line in done.of("jit bt").splitlines()] == ["top", "<module>"], done.text
