"""Generated programs at each level: what GDB shows at plain breakpoints is what Python has, or a label."""

from __future__ import annotations

from tests.interpreters import first_gdb, newest_python
from tests.oracle.hooked.run import Options, run_all
from tests.oracle.hooked.tally import Tally

SEED = 2024
STOPS = 200  # at least, so that a run that stops nowhere is no success


def observed(level: str, opt: str, programs: int, plain: bool = False) -> Tally:
    tally, _ = run_all(programs, SEED, Options(newest_python(), first_gdb(), level, opt, plain))
    assert not tally.broken, tally.broken
    assert not tally.others, tally.others
    return tally


def test_gdb_alone_shows_false_values() -> None:
    """The check can fail: on GDB alone, without the hook, it finds false values."""
    tally = observed("stock", "3", 12, plain=True)
    assert tally.lied("gdb") > 0.2 * tally.shown("gdb") > 0


def test_stock() -> None:
    tally = observed("stock", "3", 24)
    assert tally.stops >= 50
    assert tally.lied("json") == tally.lied("gdb") == 0, tally.listing()
