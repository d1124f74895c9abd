"""Variables of several types in code that was compiled with the hook. GDB has to find them in memory to know their
present type, so it lets the user write there; but the program never reads that memory. So such a write is undone, with
a note."""

from __future__ import annotations

from typing import Any, NamedTuple

import gdb

from ..base import events, report
from ..frames import frames, levels
from ..target import target

_SEVERAL = " | "  # a part of such a type's name


class Place(NamedTuple):
    name: str
    address: int
    contents: bytes


# by thread and level: the places in frames that were selected since the stop
_places: dict[tuple[int, int], list[Place]] = {}
_is_taking_back = False


@events.on("stop", order=115)
def stopped(_event: Any) -> None:
    """Note, at a stop, the program's values of such variables."""
    _places.clear()
    selected()


@events.on("before_prompt", order=50)
def selected() -> None:
    debuggee, thread = target.current(), gdb.selected_thread()
    if (
        debuggee.has_process
        and debuggee.is_live
        and debuggee.feed.objects
        and thread is not None
        and thread.is_stopped()
    ):
        frame = gdb.selected_frame()
        key = (thread.num, frame.level())
        if key not in _places:
            _places[key] = _found(debuggee, frame)


def _found(debuggee: target.Target, frame: Any) -> list[Place]:
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["level"] not in levels.HOOKED:
        return []
    found: list[Place] = []
    try:
        block = frame.block()
    except RuntimeError:  # there is no debug information at this address
        return found
    while block is not None:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and _SEVERAL in str(symbol.type):
                value = frame.read_var(symbol, block)
                if not value.is_optimized_out and value.address is not None:
                    address = int(value.address) & (1 << 64) - 1
                    contents = bytes(debuggee.inferior.read_memory(address, value.type.sizeof))
                    found.append(Place(symbol.name, address, contents))
        block = block.superblock if block.function is None else None
    return found


@events.on("cont", order=60)
def runs(_event: Any) -> None:
    _places.clear()


@events.on("memory_changed", order=20)
def written(event: Any) -> None:
    """Undo a write by the user or a front end."""
    global _is_taking_back
    debuggee = target.current()
    if _is_taking_back or debuggee.is_writing:
        return
    for place in (place for found in _places.values() for place in found):
        if not place.address <= event.address < place.address + len(place.contents):
            continue
        _is_taking_back = True
        try:
            debuggee.inferior.write_memory(place.address, place.contents)
        finally:
            _is_taking_back = False
        report.say(
            f"jitscope: {place.name} cannot be assigned, and keeps its value: the program computes in registers, and "
            f"never reads what a debugger is shown"
        )
