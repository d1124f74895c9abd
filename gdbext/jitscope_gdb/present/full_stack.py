"""A fault because the stack is full: compiled code has no RecursionError."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gdb
from jitscope_shared.base import stack_text

from ..frames import frames
from ..stacks import merged_stack
from ..target import cells, target

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
    uncounted = (
        f"the stack overflowed: {_who(often)} too often{_at(calls[often[0]][1])}; `jit bt 3` shows the last calls"
    )
    return _counted(debuggee) or uncounted


def _counted(debuggee: target.Target) -> str | None:
    """Return the line with the number of calls and the first one; None where calls cannot be counted."""
    stack, fold, first = merged_stack.Stack(debuggee), None, None
    counts: Counter[str] = Counter()
    for entry in stack.thread(gdb.newest_frame()):
        if entry["kind"] == "folded" and stack.fold is not None:
            fold = stack.fold
            counts.update(fold.functions)
        elif entry["kind"] == "jit":
            counts[entry["name"]] += 1
            first = entry if fold is not None and entry["name"] in fold.recurring else first
        elif fold is not None:
            break
    if fold is None or not fold.is_all:
        return None
    own = sorted(fold.recurring, key=lambda name: -counts[name])
    total = sum(counts[name] for name in own)
    if all(fold.recurring.values()):
        says = f"{_who(own)} {total - 1:,} times without returning"
    else:
        says = f"{_names(own)} {'has' if len(own) == 1 else 'have'} {total:,} frames on it"
    begins = "" if first is None else f" (first call: {_call(first)})"
    return f"the stack overflowed: {says}{begins}; `jit bt` shows the first and the last calls"


def _call(entry: dict[str, Any]) -> str:
    arguments = stack_text.argument_list(entry["arguments"])
    place = f" at {cells.base_name(entry['file'])}:{entry['line']}" if entry["file"] and entry["line"] else ""
    return f"{entry['name']} ({arguments}){place}"


def _who(names: list[str]) -> str:
    return f"{names[0]} calls itself" if len(names) == 1 else f"{_names(names)} call each other"


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _at(caller: Any) -> str:
    place = caller.find_sal()
    return f" ({cells.base_name(place.symtab.filename)}:{place.line})" if place.symtab else ""


def _stack_pointer(frame: Any) -> int:
    return int(frame.read_register("sp")) & (1 << 64) - 1
