"""Generated programs at each level: what GDB shows at plain breakpoints is what Python has, or a label."""

from __future__ import annotations

import pytest

from tests.interpreters import first_gdb, newest_python
from tests.oracle.hooked.run import Options, run_all
from tests.oracle.hooked.tally import Tally

SEED = 2024
PROGRAMS = 8
SURFACES = pytest.mark.parametrize("plain", [False, True], ids=["extension", "gdb-alone"])


def observed(level: str, opt: str, plain: bool = False) -> Tally:
    tally, _ = run_all(PROGRAMS, SEED, Options(newest_python(), first_gdb(), level, opt, plain))
    assert not tally.broken, tally.broken
    assert not tally.others, tally.others
    assert tally.stops >= 10 * PROGRAMS
    return tally


def expect_truth(tally: Tally) -> None:
    assert not tally.lies, tally.listing()


def test_gdb_alone_shows_false_values() -> None:
    """The check can fail: on GDB alone, without the hook, it finds false values."""
    tally = observed("stock", "3", plain=True)
    assert tally.lied("gdb") > 0.2 * tally.shown("gdb") > 0


def test_stock() -> None:
    expect_truth(observed("stock", "3"))


@SURFACES
def test_steps(plain: bool) -> None:
    tally = observed("steps", "3", plain)
    # GDB 13 alone reads no variable that changes its type.
    assert tally.share("gdb" if plain else "json", "all") >= (95 if plain else 98)
    assert tally.counts == tally.lines, tally.misses
    expect_truth(tally)


@SURFACES
def test_exact(plain: bool) -> None:
    tally = observed("exact", "3", plain)
    assert tally.share("gdb" if plain else "json", "argument") >= 95
    assert tally.share("gdb" if plain else "json", "local") >= 50  # over many programs 60
    if plain:
        assert tally.lied("gdb") <= 0.005 * tally.shown("gdb"), tally.listing()
    else:
        expect_truth(tally)
