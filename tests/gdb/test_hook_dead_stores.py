"""Assignments that Numba's passes remove: the value before them is not shown behind them."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "dead_stores.py"


@pytest.mark.parametrize("level", ["steps", "exact"])
def test_the_value_before_is_not_shown(level: str) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'end')}", "run", "print x", "print y", "print z"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": level})
    assert done.of("print x") == "$1 = <optimized out>"
    assert (done.of("print y"), done.of("print z")) == ("$2 = 15", "$3 = 15")
