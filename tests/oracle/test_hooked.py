"""Generated programs at each level: what GDB shows at plain breakpoints is what Python has, or a label."""

from __future__ import annotations

import pytest

from tests.interpreters import first_gdb, newest_python
from tests.oracle.hooked.run import Options, run_all
from tests.oracle.hooked.tally import Tally

SEED = 2024


def observed(level: str, opt: str, programs: int, plain: bool = False) -> Tally:
    tally, _ = run_all(programs, SEED, Options(newest_python(), first_gdb(), level, opt, plain))
    assert not tally.broken, tally.broken
    assert not tally.others, tally.others
    assert tally.stops >= 10 * programs
    return tally


def test_gdb_alone_shows_false_values() -> None:
    """The check can fail: on GDB alone, without the hook, it finds false values."""
    tally = observed("stock", "3", 8, plain=True)
    assert tally.lied("gdb") > 0.2 * tally.shown("gdb") > 0


def test_stock() -> None:
    tally = observed("stock", "3", 16)
    assert tally.lied("json") == tally.lied("gdb") == 0, tally.listing()


@pytest.mark.parametrize("plain", [False, True], ids=["extension", "gdb-alone"])
def test_steps(plain: bool) -> None:
    tally = observed("steps", "3", 16, plain)
    assert tally.lied("json") == tally.lied("gdb") == 0, tally.listing()
    assert tally.share("gdb" if plain else "json", "all") >= 97
    assert tally.stopped >= 0.95 * tally.lines
    assert tally.counts >= 0.9 * tally.lines


@pytest.mark.parametrize("plain", [False, True], ids=["extension", "gdb-alone"])
def test_exact(plain: bool) -> None:
    tally = observed("exact", "3", 16, plain)
    lies = tally.lied("json") + tally.lied("gdb")
    assert lies <= (0.005 * tally.shown("gdb") if plain else 0), tally.listing()
    assert tally.share("gdb" if plain else "json", "argument") >= 95
    assert tally.share("gdb" if plain else "json", "local") >= 45
