"""Samples, the figures made from them, and the alternating measurement of two ways."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence

from tests.interpreters import newest_python


class NotMeasured(Exception):
    """Something that a figure needs is not on this machine; the text says what."""


@dataclasses.dataclass(frozen=True)
class Spread:
    """The median, the least and the greatest of some samples."""

    median: float
    min: float
    max: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        return cls(statistics.median(samples), min(samples), max(samples))

    def times(self, factor: float) -> Spread:
        return Spread(self.median * factor, self.min * factor, self.max * factor)


@dataclasses.dataclass
class Figure:
    """One line of the table.

    `ratio` is computed for each round, and its spread is over the rounds, so that anything that slows a whole round
    down does not change it."""

    name: str
    title: str
    unit: str
    ours: Spread
    theirs: Spread | None = None
    against: str = ""
    ratio: Spread | None = None
    ratio_is: str = ""  # "theirs / ours" or "ours / theirs"
    goal: str = ""
    met: bool | None = None
    rounds: int = 0
    notes: list[str] = dataclasses.field(default_factory=list)


def compare(
    name: str,
    title: str,
    unit: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    against: str,
    *,
    scale: float = 1.0,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Figure:
    """Return the figure for two ways' samples, round by round. `at_least`: the goal for their time over ours;
    `at_most`: the goal for ours over theirs."""
    slower = at_most is None
    ratios = [t / o if slower else o / t for o, t in zip(ours, theirs)]
    ratio = Spread.of(ratios)
    goal, met = "", None
    if at_least is not None:
        goal, met = f"≥ {at_least:g}×", ratio.median >= at_least
    elif at_most is not None:
        goal, met = f"≤ {at_most:g}×", ratio.median <= at_most
    return Figure(
        name,
        title,
        unit,
        Spread.of(ours).times(scale),
        Spread.of(theirs).times(scale),
        against,
        ratio,
        "theirs / ours" if slower else "ours / theirs",
        goal,
        met,
        len(ratios),
    )


def in_turn(ways: Mapping[str, Callable[[], float]], rounds: int, warm_up: int = 1) -> dict[str, list[float]]:
    """Return samples of each way. The ways alternate, in opposite order every other round; warm-up rounds do not
    count."""
    samples: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(warm_up + rounds):
        order = list(ways) if number % 2 == 0 else list(reversed(ways))
        for name in order:
            sample = ways[name]()
            if number >= warm_up:
                samples[name].append(sample)
    return samples


def printed(program: pathlib.Path, environment: Mapping[str, str]) -> dict[str, float]:
    """Return what a Python program has measured in itself, and prints as JSON."""
    done = subprocess.run([newest_python(), str(program)], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found
