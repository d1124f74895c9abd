"""Notes at `watch`: one line where GDB would miss changes of a compiled function's variable, or would delete the
watchpoint."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import loop_lines

from ..base import events, report
from ..frames import frames, levels
from ..target import sources, target
from . import breakpoint_places

_LOCATION = re.compile(r"-l(?:ocation)?\s+(.*)", re.S)
_STEPS = "where jitscope is installed, @jitscope.steps above its @njit follows all of them"

_NUMBER = re.compile(r"u?int\d+|float\d+|bool|Literal\[(int|bool)\]\([^()]*\)")
_WORD = 8  # bytes that one instruction stores
_WHOLE = (
    gdb.TYPE_CODE_INT,
    gdb.TYPE_CODE_FLT,
    gdb.TYPE_CODE_BOOL,
    gdb.TYPE_CODE_CHAR,
    gdb.TYPE_CODE_ENUM,
    gdb.TYPE_CODE_PTR,
)
_typed_expression = ""  # the expression of the watchpoint that is being made, as the user has typed it


@events.on("breakpoint_created", order=20)
def created(breakpoint: Any) -> None:
    if breakpoint.type in breakpoint_places.WATCHES and breakpoint.number > 0:
        expression = _typed_expression or breakpoint.expression or ""
        for text in [*notes(expression), *_slow(breakpoint, expression)]:
            report.warn(text)


def make(expression: str, watched: str, kind: int) -> Any:
    """Set and return a watchpoint for which GDB is given another expression."""
    global _typed_expression
    _typed_expression = expression
    try:
        return gdb.Breakpoint(watched, gdb.BP_WATCHPOINT, kind)
    finally:
        _typed_expression = ""


def notes(expression: str) -> list[str]:
    debuggee = target.current()
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        return []
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["level"] is None:
        return []
    location = _LOCATION.match(expression)
    if location and re.search(r"[\[*]|->", location[1]):
        return []  # memory that belongs to the program itself
    pointer = frames.NativeFrame(frame, debuggee.memory)
    followed = set(native.json_of("js_program_statements", debuggee.program, pointer.pointer)["followed"])
    entries = native.json_of(
        "js_program_locals", debuggee.program, pointer.pointer, 0, 0, ctypes.byref(frames.render_options(summary=True))
    )
    words = re.findall(r"[A-Za-z_]\w*", location[1] if location else expression)
    found = []
    for entry in entries:
        name = entry["name"]
        if name not in words:
            continue
        if entry["state"] != "exact":
            found.append(
                f"{name} has no value that is known here, and GDB drops a watchpoint on such: set it where it has"
                + (f"; {levels.how_to_follow(debuggee, function)}" if function["level"] == "exact" else "")
            )
        else:
            found.extend(_missed(debuggee, frame, function, name) if name not in followed else ())
            if location is None and expression.strip() == name and _has_parts(frame, name):
                found.append(
                    f"{name} is written part by part, and GDB may stop between the parts, several times for one "
                    "assignment: its value is complete where the next line begins"
                )
    return found


def _slow(breakpoint: Any, expression: str) -> list[str]:
    """Return the note on a value that the processor cannot watch, or an empty list."""
    debuggee = target.current()
    if breakpoint.type != gdb.BP_WATCHPOINT or frames.compiled_at(debuggee, gdb.selected_frame()) is None:
        return []
    try:
        if gdb.parse_and_eval(breakpoint.expression).is_optimized_out:
            return []
    except gdb.error:
        return []
    return [
        f"{expression} is not in one place that the processor can watch: GDB runs the program by single instructions, "
        "which is slow; `break FILE:LINE if CONDITION` at the lines that assign it is not"
    ]


def _has_parts(frame: Any, name: str) -> bool:
    """True if one assignment takes more than one store. GDB has a variable of several types as one structure."""
    try:
        kind = frame.read_var(name).type
    except (gdb.error, ValueError):
        return False
    alternatives = re.sub("^struct ", "", str(kind)).split(" | ")
    if len(alternatives) > 1:
        return not all(_NUMBER.fullmatch(each) for each in alternatives)
    return not (kind.strip_typedefs().code in _WHOLE and kind.sizeof <= _WORD)


def _missed(debuggee: target.Target, frame: Any, function: dict[str, Any], name: str) -> list[str]:
    if function["level"] in ("stock", "lines"):
        cure = levels.advice(debuggee, function, _STEPS)
        return [f"the compiler keeps {name} in several places, and a watchpoint sees one, so it misses changes; {cure}"]
    place = frame.find_sal()
    path = sources.find(debuggee, place.symtab.fullname()) if place.symtab is not None else None
    assigned = loop_lines.assigned_in_innermost(path, place.line, sources.born(debuggee)) if path else None
    if assigned is not None and name not in assigned:
        return []
    return [
        f"changes of {name} in innermost loops, which run at full speed, are seen behind the loop only; "
        f"{levels.how_to_follow(debuggee, function)}"
    ]
