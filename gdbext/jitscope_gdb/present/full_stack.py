"""A fault because the stack is full: compiled code has no RecursionError."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import console
from ..frames import frames
from ..target import target

_LOOKED_AT = 48  # frames in which calls of themselves are looked for
_OFTEN = 3  # calls of one function in them
# Bytes below the stack pointer that the newest frame uses, too: the red zone of the ABI, or what a call pushes.
_BELOW = 128


def explain(debuggee: target.Target, address: int) -> str | None:
    """Return the line for a fault at `address`, if the newest frame accesses its own stack there, and if compiled
    functions call themselves."""
    frame = gdb.newest_frame()
    stack, end = _stack_pointer(frame), frames.cfa(frame)
    if not stack - _BELOW <= address < max(end, stack + 1):
        return None
    calls: dict[str, list[Any]] = {}
    for _ in range(_LOOKED_AT):
        function = frames.compiled_at(debuggee, frame)
        if function is not None and function["kind"] in frames.WRITTEN:
            calls.setdefault(frame.name() or function["name"], []).append(frame)
        if (frame := frame.older()) is None:
            break
    often = [name for name, found in calls.items() if len(found) >= _OFTEN]
    if not often:
        return None
    who = f"{often[0]} calls itself" if len(often) == 1 else f"{', '.join(often[:-1])} and {often[-1]} call each other"
    return f"the stack is full, because {who} too often{_at(calls[often[0]][1])}; `jit bt 3` shows the last calls"


def _at(caller: Any) -> str:
    place = caller.find_sal()
    return f" ({console.base_name(place.symtab.filename)}:{place.line})" if place.symtab else ""


def _stack_pointer(frame: Any) -> int:
    return int(frame.read_register("sp")) & (1 << 64) - 1
