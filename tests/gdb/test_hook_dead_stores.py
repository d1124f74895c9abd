"""Assignments that Numba's passes remove: at `exact` the value before them is not shown after them, at `steps` they
stay."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "dead_stores.py"


@pytest.mark.parametrize(("level", "shown"), [("steps", "2"), ("exact", "<optimized out>")])
def test_what_nothing_reads(level: str, shown: str) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'end')}", "run", "print x", "print y", "print z"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": level})
    assert done.of("print x") == f"$1 = {shown}"
    assert (done.of("print y"), done.of("print z")) == ("$2 = 15", "$3 = 15")
