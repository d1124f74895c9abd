"""A breakpoint as GDB reports it: its kind and its places."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import gdb

from ..base import console, events

# a line of `info breakpoints`, for a GDB before 13, whose breakpoints do not list their places
_ROW = re.compile(r"^\d+(?:\.(?P<index>\d+))? .*?(?P<enabled>[yn])\S* +(?P<address>0x[0-9a-f]+)(?: |$)", re.M)
_PLACE = re.compile(
    r"^\d+(?:\.(?P<index>\d+))? .*?(?P<enabled>[yn])\S* +(?P<address>0x[0-9a-f]+) in (?P<function>.+)"
    r" at (?P<file>.*):(?P<line>\d+)(?: inf \d+)?$",
    re.M,
)

BREAKS = {gdb.BP_BREAKPOINT, getattr(gdb, "BP_HARDWARE_BREAKPOINT", gdb.BP_BREAKPOINT)}
WATCHES = {
    getattr(gdb, name)
    for name in ("BP_WATCHPOINT", "BP_HARDWARE_WATCHPOINT", "BP_READ_WATCHPOINT", "BP_ACCESS_WATCHPOINT")
    if hasattr(gdb, name)
}


# By the breakpoint's number: GDB's location objects since the last stop. GDB reports new locations while its list still
# has the earlier ones (breakpoint.c, update_breakpoint_locations), and from GDB 14 on that list must be whole then. If
# a place or a breakpoint is enabled or disabled meanwhile, GDB frees all locations except those held here.
_held: dict[int, list[Any]] = {}
_is_enabling = False


@events.on("breakpoint_created", order=5)
@events.on("breakpoint_modified", order=5)
def hold(breakpoint: Any) -> None:
    """Keep the location objects that GDB has for the breakpoint."""
    if not _is_enabling and hasattr(breakpoint, "locations"):
        _held.setdefault(breakpoint.number, []).append(breakpoint.locations)


@events.on("stop", order=25)
@events.on("new_objfile", order=5)
@events.on("free_objfile", order=5)
def hold_all(_event: Any) -> None:
    """Keep GDB's present locations, and drop the earlier ones. GDB makes all locations anew for each file, and reports
    only those that differ."""
    _held.clear()
    for breakpoint in gdb.breakpoints() or ():
        hold(breakpoint)


class Row(NamedTuple):
    index: int  # among the breakpoint's places, from 1
    enabled: bool
    address: int


class Place(NamedTuple):
    index: int  # among the breakpoint's places, from 1
    enabled: bool
    address: int
    function: str
    file: str
    line: int


def rows(breakpoint: Any) -> list[Row]:
    """Return the places that GDB has given the breakpoint."""
    if hasattr(breakpoint, "locations"):
        return [Row(index, one.enabled, one.address) for index, one in enumerate(breakpoint.locations or (), 1)]
    listed = console.text_of(f"info breakpoints {breakpoint.number}")
    return [Row(int(m["index"] or 1), m["enabled"] == "y", int(m["address"], 16)) for m in _ROW.finditer(listed)]


def places(breakpoint: Any) -> list[Place]:
    """Return the breakpoint's places in code that has lines."""
    number = breakpoint.number
    if hasattr(breakpoint, "locations"):
        return [
            Place(
                index,
                one.enabled,
                one.address,
                one.function or "",
                one.fullname or one.source[0],
                one.source[1],
            )
            for index, one in enumerate(breakpoint.locations, 1)
            if one.source is not None
        ]
    text = console.text_of(f"info breakpoints {number}")
    return [
        Place(
            int(m["index"] or 1),
            m["enabled"] == "y",
            int(m["address"], 16),
            m["function"],
            m["file"],
            int(m["line"]),
        )
        for m in _PLACE.finditer(text)
    ]


def has_places(breakpoint: Any) -> bool:
    """True if a place of the breakpoint is enabled."""
    return any(row.enabled for row in rows(breakpoint))


def addresses(breakpoint: Any) -> list[int]:
    return [row.address for row in rows(breakpoint)]


def enable(breakpoint: Any, index: int, on: bool) -> None:
    """Enable or disable the place with this number among the breakpoint's places."""
    global _is_enabling
    _is_enabling = True
    try:
        if hasattr(breakpoint, "locations"):
            breakpoint.locations[index - 1].enabled = on
        else:
            gdb.execute(f"{'enable' if on else 'disable'} {breakpoint.number}.{index}", False, True)
    finally:
        _is_enabling = False


def state(breakpoint: Any) -> str:
    """Return the breakpoint's state for a list, such as ", disabled, hit 2 times"."""
    kind = ("" if breakpoint.enabled else ", disabled") + (", once" if breakpoint.temporary else "")
    return f"{kind}, hit {breakpoint.hit_count} time{'s' * (breakpoint.hit_count != 1)}"
