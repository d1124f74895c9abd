"""Generated programs at each level under LLDB: at plain breakpoints its own pane and `jit locals` show Python's values,
or labels."""

from __future__ import annotations

import pytest

from tests.interpreters import newest_python
from tests.lldb.session import LLDBS
from tests.oracle.hooked.expected import expect_truth
from tests.oracle.hooked.run import Options, generated, run_all
from tests.oracle.hooked.tally import Tally

SEED = 2024
PROGRAMS = 3


def observed(lldb: str, level: str, opt: str = "3") -> Tally:
    options = Options(newest_python(), "", level, opt, bits=False, lldb=lldb)
    tally = run_all(generated(PROGRAMS, SEED), options)
    assert not tally.broken and not tally.others, (tally.broken, tally.others)
    assert tally.stops >= 10 * PROGRAMS
    return tally


@LLDBS
def test_steps(lldb: str) -> None:
    tally = observed(lldb, "steps")
    assert tally.share("json", "all") >= 98
    assert tally.share("gdb", "all") >= 95  # LLDB's own pane
    assert tally.counts == tally.lines, tally.misses
    expect_truth(tally, stepped=True)


@LLDBS
@pytest.mark.parametrize("level", ["exact", "stock"])
def test_optimised_code(lldb: str, level: str) -> None:
    tally = observed(lldb, level)
    assert tally.share("gdb", "argument") >= (90 if level == "exact" else 20)
    expect_truth(tally)
