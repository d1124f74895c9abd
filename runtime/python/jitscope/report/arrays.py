"""The arrays of the function that has crashed, as `jit array` shows them: layout, statistics, and points of a plot."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from math import prod
from typing import Any

from jitscope.paths import shared_module
from jitscope.stacks.taking import Stacks

_MOST = 8  # arrays of a report
_LIMIT = 1 << 22  # elements of an array that is read as a whole
_PAGES = 1 << 13  # pages of memory of such an array
_SAMPLE = 1 << 12  # elements that are read of a larger one
_PAGE = 4096
_COLUMNS, _ROWS = 96, 40  # cells of a picture
_KNOWN = ("exact", "older")  # states of a variable whose value is known; elements may be older
_ARRAY = re.compile(r"(unaligned |readonly )*array\(")  # the names of Numba's types of arrays


def of(stacks: Stacks, frames: list[dict[str, Any]], cause: str | None, seconds: float) -> list[dict[str, Any]]:
    """Return the arrays of the compiled frames of the first thread, innermost first, as docs/schema/report.json has
    them: those that the sentence names come first. After `seconds` only layouts are read."""
    until = time.monotonic() + seconds
    known = list(_variables(frames))
    known.sort(key=lambda each: f"`{each[2]['name']}`" not in (cause or ""))
    found: list[dict[str, Any]] = []
    for number, frame, variable in known:
        entry = _array(stacks, number, variable, until) if len(found) < _MOST else None
        if entry is None or any(_is_same(entry["array"], each["array"]) for each in found):
            continue
        found.append({"function": frame["name"], "file": frame["file"], "line": frame["line"], **entry})
    return found


def _variables(frames: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Yield the number of each compiled frame, the frame, and each of its arrays. Frames of other threads, and those
    of functions that called Python again, are left out."""
    number = -1
    for frame in frames:
        if frame["kind"] == "region" or (frame["kind"] == "python" and number >= 0):
            return
        if frame["kind"] != "jit":
            continue
        number += 1
        for variable in [*frame.get("arguments", ()), *frame.get("locals", ())]:
            # An array whose elements cannot be read is described all the same.
            is_described = variable["state"] in _KNOWN or variable["text"].startswith("array(")
            if is_described and _ARRAY.match(variable["type"]) and variable["name"].isidentifier():
                yield number, frame, variable


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("data", "shape", "strides", "dtype"))


def _array(stacks: Stacks, number: int, variable: dict[str, Any], until: float) -> dict[str, Any] | None:
    """Return the array; None: it cannot be read, or is none."""
    name = variable["name"]
    layout = _ask(stacks, number, name)
    if layout is None or not variable["type"].endswith(layout["type"]) or layout["data"] is None:
        return None
    value = variable.get("value")
    if isinstance(value, dict) and value.get("shape", layout["shape"]) != layout["shape"]:
        return None  # it is not the same variable
    entry = {"name": name, "array": layout, "step": None, "why": None}
    step = _steps(layout)
    part = ", ".join(f"::{each}" for each in step) if any(each > 1 for each in step) else None
    if time.monotonic() < until:
        for size in ((_COLUMNS, _ROWS), (0, 0)):  # elements that cannot be plotted have statistics, perhaps
            whole = _ask(stacks, number, name, size, part, until)
            if whole is not None:
                entry["array"] = {
                    **layout,
                    **{key: whole[key] for key in ("statistics", "plot", "older") if key in whole},
                }
                entry["step"] = step if part else None
                return entry
    entry["why"] = (
        "the elements were not read, to end in time" if time.monotonic() >= until else "some elements cannot be read"
    )
    return entry


def _steps(layout: dict[str, Any]) -> list[int]:
    """Return the step of each axis with which the elements are read; all are 1 if that takes little time."""
    shape, strides = layout["shape"], layout["strides"]
    extent = sum((length - 1) * abs(stride) for length, stride in zip(shape, strides)) + layout["itemsize"]
    steps = [1] * len(shape)
    if layout["size"] <= _LIMIT and min(layout["size"], extent // _PAGE + 1) <= _PAGES:
        return steps
    counts = list(shape)
    while prod(counts) > _SAMPLE:
        longest = max(range(len(counts)), key=counts.__getitem__)
        steps[longest] *= 2
        counts[longest] = -(-shape[longest] // steps[longest])
    return steps


def _ask(
    stacks: Stacks,
    number: int,
    name: str,
    size: tuple[int, int] | None = None,
    part: str | None = None,
    until: float | None = None,
) -> dict[str, Any] | None:
    """Return the array, or a part of it, with a plot of this size; without one its layout alone."""
    columns, rows = size or (0, 0)
    most = 0 if size else 1  # elements that have statistics
    request = shared_module("jitscope_shared.base.contract").ArrayRequest(
        part.encode() if part else None, None, None, None, columns, rows, 0, 0, most
    )
    found = stacks.array(number, name, request, lambda: until is not None and time.monotonic() >= until)
    return None if found is None or found["error"] else found


def lines(report: dict[str, Any]) -> list[str]:
    """Return the text of the arrays; histograms are in JSON and in the page alone."""
    found = []
    for each in report["arrays"]:
        found += ["", heading(each), *(f"  {line}" for line in _lines(each, False))]
    return found


def text(entry: dict[str, Any]) -> str:
    """Return all that is known of an array."""
    return "\n".join(_lines(entry, True))


def _lines(entry: dict[str, Any], has_histogram: bool) -> list[str]:
    array = entry["array"]
    if not has_histogram and array["statistics"]:
        array = {**array, "statistics": {**array["statistics"], "histogram": None}}
    shown: list[str] = shared_module("jitscope_shared.base.array_text").lines(array)
    if entry["why"]:
        shown = [line for line in shown if not line.startswith("no statistics")] + [f"({entry['why']})"]
    if entry["step"]:
        shown.append(f"(of the elements [{', '.join(f'::{step}' for step in entry['step'])}])")
    return shown


def heading(entry: dict[str, Any]) -> str:
    """Return which array it is."""
    place = f" at {entry['file']}:{entry['line']}" if entry["file"] and entry["line"] else ""
    return f"array {entry['name']} of {entry['function']}{place}:"
