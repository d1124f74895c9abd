"""The cost of the guard (JITSCOPE_GUARD): a loop over a guarded array, and arrays that are made and freed, against the
same program without a guard."""

from __future__ import annotations

import functools
import math

from .hook import Asked
from .measure import Figure, compare, in_turn

PROGRAM = "guarded.py"
NONE, ALL, OTHER = "no guard", "all arrays", "another function"
WAYS = {NONE: "", ALL: "1", OTHER: "other"}
MADE = 1000  # arrays in a sample: MADE of programs/guarded.py
CALLS = 20  # loops in a sample
# By figure: what the program does, the way, its title, its unit, and units in a second and work.
FIGURES = {
    "guard.read": ("read", ALL, "a loop over a guarded array", "ms", 1e3 / CALLS),
    "guard.made": ("made", ALL, "a guarded array in compiled code, made and freed", "µs", 1e6 / MADE),
    "guard.numpy": ("made by NumPy", ALL, "a guarded array of NumPy, made and freed", "µs", 1e6 / MADE),
    "guard.other.made": ("made", OTHER, "an array in compiled code, another function guarded", "µs", 1e6 / MADE),
    "guard.other.numpy": ("made by NumPy", OTHER, "an array of NumPy, another function guarded", "µs", 1e6 / MADE),
}
LIMITS = {"guard.read": 1.1}


def measure(rounds: int) -> list[Figure]:
    programs = {way: Asked(PROGRAM, [], {"JITSCOPE_GUARD": guard}) for way, guard in WAYS.items()}
    try:
        return [one(programs, name, rounds) for name in FIGURES]
    finally:
        for program in programs.values():
            program.end()


def one(programs: dict[str, Asked], name: str, rounds: int) -> Figure:
    work, way, title, unit, scale = FIGURES[name]
    ways = {each: functools.partial(programs[each].ask, work) for each in (way, NONE)}
    samples = in_turn(ways, rounds)
    limit = LIMITS.get(name)
    most = math.inf if limit is None else limit
    figure = compare(name, title, unit, samples[way], samples[NONE], NONE, scale=scale, at_most=most)
    if limit is None:
        figure.goal, figure.met = "", None
    return figure
