"""The Python frames of a thread, and their variables."""

from __future__ import annotations

import ctypes
from typing import Any

from jitscope_gdb.base import native
from jitscope_shared.variable_choice import ALL, ARGUMENTS

from . import debuggee as debuggees
from . import native_frames, variables


def of_thread(debuggee: debuggees.Debuggee, thread: Any, notes: list[str]) -> list[dict[str, Any]]:
    """Return the thread's Python frames, innermost first; [] if it has none. `notes` receives why some are missing."""
    python = debuggee.python()
    if python is None:
        notes += [f"no Python frames: {debuggee.python_problem}"] if debuggee.python_problem else []
        return []
    pthread = native_frames.register_bytes(thread.GetFrameAtIndex(0), "fs_base", 8) or b""
    try:
        found = native.json_of(
            "js_python_frames_json",
            python,
            thread.GetThreadID(),
            int.from_bytes(pthread, "little"),
            0,
            native.PollFn(_poll),
            None,
        )
    except native.NativeError as error:
        if error.status != native.ENOTFOUND:  # a thread that Python does not know has no frames
            notes.append(f"no Python frames: {error}")
        return []
    if found["truncated"]:
        notes.append(f"Python frames end early: {found.get('why', 'they cannot be read')}")
    return list(found["frames"])


def _poll(_context: Any) -> int:
    return int(native.is_interrupted())


def read(
    debuggee: debuggees.Debuggee, addresses: list[int], which: int = ALL, summary: bool = False
) -> list[list[dict[str, Any]]]:
    """Return, for each of the Python frames at these addresses, the entries of docs/schema/locals.json."""
    if not addresses:
        return []
    count = len(addresses)
    given = (ctypes.c_uint64 * count)(*addresses)
    options = variables.render_options(summary)
    try:
        found = native.json_of("js_python_variables", debuggee.python(), debuggee.types, given, count, which, options)
    except native.NativeError as error:
        return [[_label(f"its variables cannot be read ({error})")]] * count
    return [[_label("its variables cannot be read")] if each is None else each for each in found]


def fill(debuggee: debuggees.Debuggee, entries: list[dict[str, Any]], full: bool) -> None:
    """Add to the Python frames among the entries of docs/schema/bt.json their arguments; `full`: and their other
    variables."""
    python = [entry for entry in entries if entry["kind"] == "python"]
    addresses = [entry["address"] for entry in python]
    for entry, found in zip(python, read(debuggee, addresses, ARGUMENTS, True)):
        entry["arguments"] = found
    for entry, found in zip(python, read(debuggee, addresses) if full else ()):
        entry["locals"] = found


def evaluate(debuggee: debuggees.Debuggee, address: int, expression: str) -> dict[str, Any]:
    """Return the entry of js_python_print."""
    return native.json_of(  # type: ignore[no-any-return]
        "js_python_print",
        debuggee.python(),
        debuggee.types,
        address,
        expression.encode("utf-8", "replace"),
        variables.render_options(),
        native.ProgressFn(variables.advance),
        None,
    )


def _label(reason: str) -> dict[str, Any]:
    label: dict[str, Any] = {"name": "...", "type": "", "state": "unknown", "value": None}
    return {**label, "text": f"<unknown: {reason}>", "assigned_line": None, "argument": False}
