"""`next` from line to line of a loop that LLVM has laid out in pieces: each line of each iteration, as in Python."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "turns.py"
COLLECT = ["for", *["store", "count", "for"] * 4, "collected"]
SCALE = ["enumerate", *["element", "enumerate"] * 3, "scaled"]


@pytest.mark.parametrize(
    ("first", "skipped", "expected"), [("first", 1, COLLECT), ("scale", 0, SCALE)], ids=["generator", "enumerate"]
)
def test_next_stops_at_each_line_of_each_turn(first: str, skipped: int, expected: list[str]) -> None:
    count = skipped + len(expected)
    commands = [f"tbreak {PROGRAM}:{line_of(PROGRAM, first)}", "run", *["next"] * count]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": ""})
    assert not done.timed_out, done.text
    found = [re.findall(r"# at: (\S+)$", done.of("next", n), re.M) for n in range(skipped, count)]
    assert found == [[mark] for mark in expected], done.text
