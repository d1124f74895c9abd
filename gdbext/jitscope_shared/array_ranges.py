"""The parts of an array, as a front end unfolds it: an axis at a time, in ranges of at most 1000, and its statistics.
The work is that for the parts that are unfolded, and not for the whole array."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from .base import array_text

MOST = 1000  # children of one part
SMALL = 1 << 20  # elements of an array whose statistics are computed before they are unfolded
STATISTICS = {
    "min": "min", "max": "max", "mean": "mean", "std": "std", "nan": "NaN", "positive_infinity": "inf",
    "negative_infinity": "-inf", "zero": "zero", "distinct": "distinct",
}  # fmt: skip
LATER = "computed when unfolded"  # the text of the statistics of a large array


class Rows(NamedTuple):
    """The elements or rows from `low` to `high` of the axis after those of `indices`."""

    shape: tuple[int, ...]
    indices: tuple[int, ...]
    low: int
    high: int

    @property
    def is_innermost(self) -> bool:
        return len(self.indices) == len(self.shape) - 1

    @property
    def is_whole(self) -> bool:
        """True if these are all rows of the axis."""
        return self.high - self.low == self.shape[len(self.indices)]

    @property
    def step(self) -> int:
        """Return how many elements or rows a child has: 1, or those of a range."""
        step = 1
        while step * MOST < self.high - self.low:
            step *= MOST
        return step

    def text(self) -> str:
        """Return the text of a range."""
        number, noun = self.high - self.low, "element" if self.is_innermost else "row"
        return f"{number} {noun}" + ("" if number == 1 else "s")

    def num_children(self) -> int:
        return -(-(self.high - self.low) // self.step)

    def child(self, number: int) -> tuple[str, Rows | tuple[int, ...]]:
        """Return a child's name, and its rows or the indices of the element that it is."""
        step = self.step
        first = self.low + number * step
        last = min(first + step, self.high) - 1
        if step > 1:
            return f"[{first}..{last}]", self._replace(low=first, high=last + 1)
        indices = (*self.indices, first)
        if self.is_innermost:
            return f"[{first}]", indices
        return f"[{first}]", Rows(self.shape, indices, 0, self.shape[len(indices)])


def whole(shape: tuple[int, ...]) -> Rows:
    """Return all rows of an array that has axes."""
    return Rows(shape, (), 0, shape[0])


def subscript(indices: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, indices)) or '()'}]"


def figure(found: dict[str, Any], name: str) -> str:
    """Return the text of one of the statistics of docs/schema/array.json."""
    value = found.get(name)
    return "none" if value is None else array_text.number(value)


def statistics_text(found: dict[str, Any]) -> str:
    return ", ".join(f"{shown} {figure(found, name)}" for name, shown in itertools.islice(STATISTICS.items(), 5))
