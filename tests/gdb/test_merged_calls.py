"""A call that LLVM has made of those of two statements, which pass different places for the result."""

from __future__ import annotations

import functools
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

pytestmark = pytest.mark.xdist_group("merged_calls")
PROGRAM = "merged_calls.py"


@functools.cache
def finished() -> harness.Transcript:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'small')}", "run"]
    commands += ["bt 2", "finish", "continue"] * 4
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE": "0"})
    assert not done.timed_out, done.text
    return done


def test_a_result_is_read_only_where_both_would_pass_its_place() -> None:
    returned = re.findall(r"small returned (.*)", finished().text)
    assert "-9" in returned, finished().text
    assert {text for text in returned if not text.startswith("<unknown: the caller's code")} == {"-9"}, returned


def test_the_caller_has_no_line_there() -> None:
    callers = re.findall(r"^#1 .*? in armed \(.*\)(.*)$", finished().text, re.MULTILINE)
    assert any(text for text in callers), finished().text
    assert "" in callers, callers
