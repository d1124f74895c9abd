"""Plots as lines of characters, and as PNG files."""

from __future__ import annotations

import struct
import zlib
from typing import Any

_SHADES = " .:-=+*#%@"


def in_characters(plot: dict[str, Any], height: int) -> list[str]:
    """A line plot of each column's lowest to highest element, or a heatmap of means; ends are written beside it."""
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


def png(plot: dict[str, Any], height: int) -> bytes:
    """The same as an image of 8-bit grey, a pixel a column (and a row, of a heatmap)."""
    rows = _heat_rows(plot) if plot["kind"] == "heat" else _line_rows(plot, height)
    width = len(rows[0]) if rows else 0
    head = struct.pack(">IIBBBBB", width, len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _heat_rows(plot: dict[str, Any]) -> list[bytes]:
    known = [v for v in plot["mean"] if v is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    grey = bytes(0 if v is None else _place(v, low, high, 256) for v in plot["mean"])
    return [grey[i : i + plot["columns"]] for i in range(0, len(grey), plot["columns"])]


def _line_rows(plot: dict[str, Any], height: int) -> list[bytes]:
    known = [v for v in plot["low"] + plot["high"] if v is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    image = [bytearray(b"\xff" * len(plot["low"])) for _ in range(height)]
    for column, (bottom, top) in enumerate(zip(plot["low"], plot["high"])):
        if bottom is None:
            continue
        for place in range(_place(bottom, low, high, height), _place(top, low, high, height) + 1):
            image[height - 1 - place][column] = 0
    return [bytes(row) for row in image]


def _place(value: float, low: float, high: float, count: int) -> int:
    """Which of `count` steps from low to high."""
    span = high / 2 - low / 2
    return min(count - 1, int((value / 2 - low / 2) / span * count)) if span > 0 else count // 2


def _shade(value: float | None, low: float, high: float) -> str:
    return "?" if value is None else _SHADES[_place(value, low, high, len(_SHADES))]
