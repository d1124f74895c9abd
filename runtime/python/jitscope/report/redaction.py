"""Leaves values out of a report by the names of their variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

REDACTED = "<redacted>"


def redacted(report: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the report without the values of the variables whose names contain one of these texts, in any case.

    The values of other variables may contain the same objects, such as `self` with an attribute `password`: an
    attribute or a key of that name is left out, too, and the text of a value that has one. So is the command line, and
    the sentence of the cause, if it has such a name, and in the page such lines of the source (`redacted`)."""
    lower = [name.lower() for name in names if name]
    if not lower:
        return report
    for holder, key in ((report, "cause"), (report["stacks"], "command")):  # they may have values, too
        if _says(holder[key] or "", lower):
            holder[key] = REDACTED
    report["redacted"] = list(names)
    report["arrays"] = list(_arrays(report["arrays"], lower))
    for thread in report["stacks"]["threads"]:
        for frame in thread["frames"]:
            for each in [*frame.get("arguments", ()), *frame.get("locals", ())]:
                if _is_named(each["name"], lower) or _has(each.get("value"), lower) or _says(each["text"], lower):
                    each["value"], each["text"], each["state"] = None, REDACTED, "unknown"
    return report


def _arrays(entries: list[dict[str, Any]], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the arrays without those of such a name, and without others in the same memory."""
    secret = [_extent(each["array"]) for each in entries if _is_named(each["name"], names)]
    for each in entries:
        low, high = _extent(each["array"])
        is_apart = all(high <= first or low >= last for first, last in secret)
        if is_apart and not any(_is_named(name, names) for name in [each["name"], *each["array"]["overlaps"]]):
            yield each


def _extent(array: dict[str, Any]) -> tuple[int, int]:
    """Return the range of addresses that the elements lie in."""
    reach = [(length - 1) * stride for length, stride in zip(array["shape"], array["strides"])]
    low, high = sum(each for each in reach if each < 0), sum(each for each in reach if each > 0)
    return array["data"] + low, array["data"] + high + array["itemsize"]


def line_of(line: str, names: Sequence[str]) -> str:
    """Return a line of the source, or nothing of one that has such a name: it may have the value as a literal."""
    return REDACTED if _says(line, [name.lower() for name in names]) else line


def _is_named(name: object, names: Sequence[str]) -> bool:
    return isinstance(name, str) and any(each in name.lower() for each in names)


def _says(text: str, names: Sequence[str]) -> bool:
    return any(each in text.lower() for each in names)


def _has(value: object, names: Sequence[str]) -> bool:
    """True if a part of the value has such a name."""
    if isinstance(value, dict):
        return any(_is_named(key, names) or _has(each, names) for key, each in value.items())
    return isinstance(value, list) and any(_has(each, names) for each in value)
