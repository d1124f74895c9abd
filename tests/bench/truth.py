"""The number of false displays, and of the assigned variables that are shown, at each level and on stock code: the
oracle of tests/oracle/hooked on generated programs."""

from __future__ import annotations

from tests.interpreters import first_gdb, newest_python
from tests.oracle.hooked.run import LEVELS, Options, generated, run_all

from .measure import Figure, Spread

SEED = 2025
programs = 24  # for each level; scripts/bench --programs


def measure(rounds: int) -> list[Figure]:
    return [figure for level in LEVELS for figure in of_level(level)]


def of_level(level: str) -> list[Figure]:
    tally = run_all(generated(programs, SEED), Options(newest_python(), first_gdb(), level))
    if tally.broken:
        raise RuntimeError("; ".join(tally.broken))
    false = tally.false()
    kinds = [f"{count} {kind}" for kind, count in false.items() if count]
    shown = tally.shown("json")
    said = f"of {shown} shown at {tally.stops} stops in {tally.programs} programs"
    one, share = sum(false.values()), tally.share("json", "all")
    return [
        Figure(
            f"truth.{level}.false",
            f"{level}: false displays",
            "",
            Spread(one, one, one),
            goal="0",
            met=not one,
            rounds=1,
            notes=[", ".join([*kinds, said]), f"{tally.older()} arrays are labelled: elements may be older"],
        ),
        Figure(
            f"truth.{level}.available",
            f"{level}: assigned variables that are shown",
            "%",
            Spread(share, share, share),
            rounds=1,
        ),
    ]
