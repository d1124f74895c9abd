"""Pictures of arrays: the plot of `jit array` (docs/schema/array.json) as SVG: a heat map, or a line plot."""

from __future__ import annotations

from typing import Any

_CELL = 7  # units of a cell of a heat map
_HEIGHT = 120  # units of a line plot
_COLOURS = 24  # that a heat map has
_LOW, _MIDDLE, _HIGH = (68, 1, 84), (33, 145, 140), (253, 231, 37)
_ODD = "#d1242f"  # cells with elements that are not finite


def svg(plot: dict[str, Any]) -> str:
    """Return the picture, an element of HTML; "" if there is nothing to draw."""
    if not plot["columns"] or not plot["rows"]:
        return ""
    return _heat(plot) if plot["kind"] == "heat" else _line(plot)


def legend(plot: dict[str, Any]) -> str:
    """Return what the picture shows, in words."""
    values = _values(plot)
    odd = sum(plot["not_finite"])
    marked = f"; red: {odd:,} NaN or infinite" if odd else ""
    if not values:
        return f"no finite elements{marked}"
    means = ", means of cells" if plot["kind"] == "heat" else ""
    return f"{min(values):.6g} to {max(values):.6g}{means}{marked}"


def _values(plot: dict[str, Any]) -> list[float]:
    keys = ("mean",) if plot["kind"] == "heat" else ("low", "high")
    return [each for key in keys for each in plot[key] if each is not None]


def _scaled(value: float, low: float, high: float) -> float:
    """Return the place of the value, 0 to 1, without a difference that overflows."""
    span = high / 2 - low / 2
    return (value / 2 - low / 2) / span if span > 0 else 0.5


def _colour(share: float) -> str:
    share = round(share * (_COLOURS - 1)) / (_COLOURS - 1)
    first, last = (_LOW, _MIDDLE) if share < 0.5 else (_MIDDLE, _HIGH)
    part = share * 2 % 1 if share < 1 else 1.0
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(first, last))


def _open(width: int, height: int) -> str:
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'


def _heat(plot: dict[str, Any]) -> str:
    columns, rows = plot["columns"], plot["rows"]
    values = _values(plot)
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    parts = [_open(columns * _CELL, rows * _CELL)]
    for row in range(rows):
        colours = [None if mean is None else _colour(_scaled(mean, low, high))
                   for mean in plot["mean"][row * columns : (row + 1) * columns]]  # fmt: skip
        start = 0
        for at in range(1, columns + 1):
            if at == columns or colours[at] != colours[start]:
                if colours[start]:
                    parts.append(_box(start * _CELL, row * _CELL, (at - start) * _CELL, _CELL, colours[start] or ""))
                start = at
        for at, odd in enumerate(plot["not_finite"][row * columns : (row + 1) * columns]):
            if odd:
                edge = 2 if colours[at] else 0  # a smaller box: there are finite elements, too
                side = _CELL - 2 * edge
                parts.append(_box(at * _CELL + edge, row * _CELL + edge, side, side, _ODD))
    return "".join([*parts, "</svg>"])


def _line(plot: dict[str, Any]) -> str:
    columns = plot["columns"]
    values = _values(plot)
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    parts = [_open(columns * _CELL, _HEIGHT + _CELL)]
    for at in range(columns):
        if plot["not_finite"][at]:
            parts.append(_box(at * _CELL, _HEIGHT, _CELL, _CELL, _ODD))
        if plot["low"][at] is None:
            continue
        top, bottom = (_HEIGHT - 2 - (_HEIGHT - 4) * _scaled(plot[key][at], low, high) for key in ("high", "low"))
        parts.append(_box(at * _CELL, round(top - 1, 1), _CELL, round(bottom - top + 2, 1), "#2a6f97"))
    return "".join([*parts, "</svg>"])


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'
