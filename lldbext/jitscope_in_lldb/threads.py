"""What each thread does: the iterations of a parallel loop, its innermost function, and the lock that it waits for."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from jitscope_gdb.base import native
from jitscope_gdb.base.stack_text import ranges
from jitscope_shared.compiled_functions import WRITTEN
from jitscope_shared.escaping import plain

from . import debuggee as debuggees
from . import joined_stack, native_frames

_DEPTH = 24  # frames of a thread that are searched for compiled code


def lines(debuggee: debuggees.Debuggee, selected: Any) -> list[str]:
    """Return a line for each thread."""
    threads = list(debuggee.process)
    width = len(str(max((thread.GetIndexID() for thread in threads), default=0)))
    shown = []
    for thread in threads:
        mark = "*" if selected.IsValid() and thread.GetThreadID() == selected.GetThreadID() else " "
        shown.append(f"{mark} {thread.GetIndexID():<{width}}  {text_of(debuggee, thread)}")
    return shown


def text_of(debuggee: debuggees.Debuggee, thread: Any) -> str:
    """Return what the thread does."""
    compiled = _compiled(debuggee, thread)
    if compiled is not None and compiled[0]["kind"] == "parfor-kernel":
        return f"worker: {_region_text(debuggee, *compiled)}"
    waits = _waits(debuggee, thread)
    if compiled is not None:
        function, frame = compiled
        path, line = native_frames.place(frame)
        return f"{plain(_name(function, frame))} (){_at(path, line)}{waits}"
    python = next((e for e in joined_stack.Stack(debuggee, thread).frames() if e["kind"] == "python"), None)
    if python is not None:
        return f"Python thread: {plain(python['name'])} (){_at(python['file'], python['line'])}{waits}"
    return f"other thread: {plain(thread.GetFrameAtIndex(0).GetDisplayFunctionName() or '?')} ()"


def _compiled(debuggee: debuggees.Debuggee, thread: Any) -> tuple[dict[str, Any], Any] | None:
    """Return the thread's innermost compiled function of the source, and its frame."""
    for index in range(_DEPTH):
        frame = thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return None
        function = native_frames.compiled_at(debuggee, frame)
        if function is not None and function["kind"] in WRITTEN:
            return function, frame
    return None


def _region_text(debuggee: debuggees.Debuggee, function: dict[str, Any], frame: Any) -> str:
    at = native_frames.NativeFrame(debuggee, frame)
    name = function["parent"] or function["name"]
    try:
        found = native.json_of("js_program_chunk", debuggee.program, at.pointer)
    except native.NativeError:
        path, line = native_frames.place(frame)
        return f"{plain(name)}{_at(path, line)}"
    header = f", prange{_at(found['file'], found['region_line'])}" if found["region_line"] else ""
    chunk = f", iterations {ranges(found['chunk'])}" if found["chunk"] else f", <unknown: {found['problem']}>"
    return f"{plain(name)}{header}{chunk}" + (f", line {found['line']}" if found["line"] else "")


def _waits(debuggee: debuggees.Debuggee, thread: Any) -> str:
    """Return whether a Python thread holds the interpreter's lock, and what it waits for."""
    python = debuggee.python()
    if python is None:
        return ""
    newest = thread.GetFrameAtIndex(0)
    pthread = native_frames.register_bytes(newest, "fs_base", 8) or b""
    call = native.call_of(lambda name: native_frames.register_bytes(newest, name, 8))
    try:
        found = native.json_of(
            "js_python_activity",
            python,
            thread.GetThreadID(),
            int.from_bytes(pthread, "little"),
            ctypes.byref(call),
        )
    except native.NativeError:  # the interpreter does not know the thread
        return ""
    text = ""
    if found["waits"] is not None:
        reason = found["waits"]["for"].encode()
        text = ", " + native.fill_text(lambda out: native.library.js_python_put_wait(out, reason, None), "a wait")
    return text + (", holds the GIL" if found["holds_gil"] else "")


def _name(function: dict[str, Any], frame: Any) -> str:
    return (frame.IsInlined() and frame.GetFunctionName()) or str(function["name"])


def _at(path: str | None, line: int | None) -> str:
    return f" at {plain(os.path.basename(path))}:{line}" if path and line else ""
