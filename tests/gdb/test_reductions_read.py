"""`jit region -writes` names a reduction that a loop's body reads, where each worker has its own part of it."""

from __future__ import annotations

import re

import pytest
from jitscope_source.statements import reductions

from tests.gdb import harness
from tests.gdb.harness import PROGRAMS, Transcript, line_of

PROGRAM = "reductions_read.py"
TEXT = (
    "Line {line} reads `{name}`, which is a reduction of this loop: a worker has only its own part of it there, not "
    "what the iterations before have made it."
)


@pytest.fixture(scope="module")
def seen() -> Transcript:
    commands = ["jit region -record"]
    commands += [f"break {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in ("selected", "ran", "total")]
    commands += ["run", "jit region -writes", "continue", "jit region -writes", "continue", "jit region -writes"]
    commands += ["continue"]
    return harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "2"})


@pytest.mark.parametrize("number, mark, name", [(0, "place", "n"), (1, "best", "best")])
def test_the_line_that_reads_it(seen: Transcript, number: int, mark: str, name: str) -> None:
    text = TEXT.format(line=line_of(PROGRAM, mark), name=name)
    assert seen.of("jit region -writes", number).splitlines()[-1] == text, seen.text


def test_a_sum_that_nothing_else_reads(seen: Transcript) -> None:
    assert "is a reduction" not in seen.of("jit region -writes", 2), seen.text


def test_the_workers_have_their_own_parts(seen: Transcript) -> None:
    """Python stores 8.0 to 1.0 one after the other, and 8.0 everywhere: each worker begins anew."""
    stored = re.findall(r"EXPECT [\d.]+ \[(.*)\]", seen.text)
    assert stored[0].split()[4:] == ["0."] * 4, seen.text
    assert stored[1].split() == ["8."] * 4 + ["4."] * 4


@pytest.mark.parametrize("mark, expected", [("select", ("n", "place")), ("running", ("best", "best"))])
def test_the_source_s_reads(mark: str, expected: tuple[str, str]) -> None:
    found = reductions.reads(str(PROGRAMS / PROGRAM), line_of(PROGRAM, mark), None)
    assert found == [(expected[0], line_of(PROGRAM, expected[1]))]
