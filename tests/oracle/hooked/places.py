"""Errors in the line and the function of a stop, and of each frame below it, against the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .bindings import function_at
from .judge import KERNEL

if TYPE_CHECKING:
    from .align import Call, Matched


def false_places(call: Call, number: int, matched: Matched) -> Iterator[str]:
    """Yield the errors in the place of a call's stop."""
    stop = call.stops[number]
    for frame in stop.get("frames", ()):
        yield from misnamed(call.functions, frame)
    if stop.get("fault") and matched.event is not None and call.events[matched.event][1] != stop["line"]:
        yield f"the fault is at line {stop['line']}, not at {call.events[matched.event][1]}"
    lines = {event[1] for event in call.events}
    if not KERNEL.search(stop["frame"]) and stop["line"] not in lines:
        yield f"line {stop['line']} does not run in this call"
    if matched.event is not None and not matched.stray and not matched.kernel:
        yield from false_callers(call, number, matched.event)


def misnamed(functions: dict[str, dict[str, Any]], frame: dict[str, Any]) -> Iterator[str]:
    """Yield an error for a frame whose line is another function's. A function that Numba inlines has its own lines in
    the frame of its caller, which is right."""
    owner = function_at(functions, frame["line"])
    if owner is None:
        yield f"{frame['name']}: line {frame['line']} is no function's"
        return
    named = [part for part in frame["name"].split(".") if part in functions]
    if owner in named or functions[owner].get("inlined"):
        return
    if not any(functions[name]["first"] <= frame["line"] <= functions[name]["last"] for name in named):
        yield f"{frame['name']}: line {frame['line']} is {owner}'s"


def false_callers(call: Call, number: int, event: int) -> Iterator[str]:
    """Yield callers other than the interpreter's, or callers at other statements."""
    bindings = call.bindings
    frames = bindings.frames[number]
    calls = [call.events[event][2], *bindings.outer(call.events[event][2])]
    if any(bindings.name.get(one) in bindings.free for one in calls):
        return
    callee = None
    for frame in frames:
        while calls and bindings.name.get(calls[0]) != frame.name:
            callee = calls.pop(0)
        if not calls:
            yield f"{frame.name} has not called this"
            return
        if callee is not None and bindings.caller.get(callee) == calls[0] and frame is not frames[0]:
            if not same_statement(call.functions[frame.name], bindings.line[callee], frame.line):
                yield f"{frame.name} is at line {bindings.line[callee]}, not {frame.line}"
        callee = calls.pop(0)


def same_statement(function: dict[str, Any], one: int, other: int) -> bool:
    spans = function.get("statements", ())
    return one == other or any(first <= one <= last and first <= other <= last for first, last in spans)
