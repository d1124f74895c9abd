"""A call that LLVM has made of the calls of two statements, which pass different places for the result."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness

pytestmark = pytest.mark.xdist_group("merged_calls")
FOUND = harness.PROGRAMS.parent / "oracle" / "hooked" / "found" / "stock" / "merged_calls.py"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    program = tmp_path_factory.mktemp("merged") / FOUND.name
    text = FOUND.read_text()
    program.write_text(text + "for call in CALLS:\n    call()\n")
    line = text.splitlines().index("    zero = -9") + 1
    commands = [f"break {program.name}:{line}", "run", *["bt 2", "finish", "continue"] * 4]
    done = harness.run(commands, program=program, env={"JITSCOPE": "0"})
    assert not done.timed_out, done.text
    return done


def test_a_result_is_read_only_where_both_would_pass_its_place(finished: harness.Transcript) -> None:
    returned = re.findall(r"small returned (.*)", finished.text)
    assert "-9" in returned, finished.text
    assert {text for text in returned if not text.startswith("<unknown: the caller's code")} == {"-9"}, returned


def test_the_caller_has_no_line_there(finished: harness.Transcript) -> None:
    callers = re.findall(r"^#1 .*? in armed \(.*\)(.*)$", finished.text, re.MULTILINE)
    assert any(text for text in callers), finished.text
    assert "" in callers, callers
