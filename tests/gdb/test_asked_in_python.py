"""Stops that interpreted Python requests: the functions that pass the request on are in no stack, and no step ends in
them. A step begins in the function that has asked."""

from __future__ import annotations

import functools
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "asks_python.py"
STACKS = [
    [("main", "main"), ("<module>", "module")],
    [("Walker.go", "numba"), ("main", "walk"), ("<module>", "module")],
    [("Walker.inner", "inner"), ("Walker.go", "call"), ("main", "walk"), ("<module>", "module")],
]


@functools.cache
def done() -> harness.Transcript:
    asked = ["jit bt", "until", "jit bt -all", "jit threads"]
    return harness.run(["run", *asked, "continue", *asked, "continue", *asked, "kill"], program=PROGRAM)


@pytest.mark.parametrize("stop", range(3))
def test_stack_begins_at_the_line_that_asked(stop: int) -> None:
    stack = done().of("jit bt", stop)
    shown = re.findall(r"^#\d+ +(\S+) \(.*\) at \S+:(\d+) \[py\]$", stack, re.M)
    assert len(shown) == len(stack.splitlines()) < len(done().of("jit bt -all", stop).splitlines()), done().text
    name, mark = STACKS[stop][0]
    threads = done().of("jit threads", stop)
    assert re.match(rf"\* 1 +Python thread: {name} \(\) at {PROGRAM}:{line_of(PROGRAM, mark)}", threads), threads
    own = [frame for frame in shown if not frame[0].endswith("<listcomp>")]  # it is part of `go` from Python 3.12 on
    assert own == [(name, str(line_of(PROGRAM, mark))) for name, mark in STACKS[stop]], done().text


@pytest.mark.parametrize("stop", range(3))
def test_until_is_refused_in_a_line(stop: int) -> None:
    name = STACKS[stop][0][0]
    refused = f"{name} is interpreted Python, which only `next`, `step` and `finish` step through"
    assert done().of("until", stop) == refused, done().text


def test_a_step_leaves_the_line_that_asked() -> None:
    commands = ["run", "next", "continue", "next", "continue", "step", "next", "kill"]
    stepped = harness.run(commands, program=PROGRAM)
    at = [
        re.match(r"#0  (\S+) \(.*\) at \S+:(\d+) \[py\]\n", text)
        for command, text in stepped.sections
        if command in ("next", "step")
    ]
    places = [match.groups() if match else None for match in at]
    inner = line_of(PROGRAM, "inner")
    expected = [("main", "walk"), ("Walker.go", "call"), ("Walker.inner", inner + 1), ("Walker.inner", inner + 2)]
    assert places == [(name, str(line_of(PROGRAM, at) if isinstance(at, str) else at)) for name, at in expected], (
        stepped.text
    )
