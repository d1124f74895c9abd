"""Plots as lines of characters."""

from __future__ import annotations

from typing import Any

_SHADES = " .:-=+*#%@"


def in_characters(plot: dict[str, Any], height: int) -> list[str]:
    """Return a line plot of each column's lowest to highest element, or a heatmap of means, with the ends of the
    axes."""
    values = [v for v in plot["mean" if plot["kind"] == "heat" else "low"] if v is not None]
    values += [v for v in plot.get("high", []) if v is not None]
    if not values:
        return ["no finite elements to plot"]
    low, high = min(values), max(values)
    if plot["kind"] == "heat":
        columns = plot["columns"]
        rows = [plot["mean"][i : i + columns] for i in range(0, len(plot["mean"]), columns)]
        return ["".join(_shade(v, low, high) for v in row) for row in rows] + [f"{low:.6g} ' ' to '@' {high:.6g}"]
    lines = []
    for row in range(height):
        line = ""
        for bottom, top in zip(plot["low"], plot["high"]):
            if bottom is None:
                line += " "
                continue
            first, last = (_place(v, low, high, height) for v in (bottom, top))
            line += "*" if first <= height - 1 - row <= last else " "
        lines.append(line.rstrip())
    labels = [f"{high:.6g}", *[""] * (height - 2), f"{low:.6g}"] if height > 1 else [f"{high:.6g}"]
    width = max(map(len, labels))
    return [f"{label:>{width}} |{line}" for label, line in zip(labels, lines)]


def _place(value: float, low: float, high: float, count: int) -> int:
    """Return which of `count` steps from `low` to `high` the value is in."""
    span = high / 2 - low / 2
    return min(count - 1, int((value / 2 - low / 2) / span * count)) if span > 0 else count // 2


def _shade(value: float | None, low: float, high: float) -> str:
    return "?" if value is None else _SHADES[_place(value, low, high, len(_SHADES))]
