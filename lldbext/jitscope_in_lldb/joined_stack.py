"""The stack of a thread in source terms: LLDB's native frames, joined with the thread's Python frames by the C
library."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from typing import Any

from jitscope_gdb.base import native, stack_text
from jitscope_shared.compiled_functions import WRITTEN
from jitscope_shared.variable_choice import ARGUMENTS, OTHERS

from . import debuggee as debuggees
from . import native_frames, python_frames, variables

# js_frame_class of stacks/folding.h, in its order.
_CLASSES = _USER, _EVALUATION, _INTERPRETER, _DISPATCHER, _POOL, _RUNTIME = (
    "native", "evaluation", "interpreter", "dispatcher", "pool", "runtime",
)  # fmt: skip
_WITH_INLINED = ("lines", "exact", "steps")  # levels at which inlined code has variables of its own


class Stack:
    """The frames of a thread, as the dictionaries of docs/schema/bt.json, innermost first."""

    def __init__(self, debuggee: debuggees.Debuggee, thread: Any, show_all: bool = False, full: bool = False):
        self._debuggee = debuggee
        self._thread = thread
        self._show_all = show_all
        self._full = full
        self.notes: list[str] = []
        self._python = python_frames.of_thread(debuggee, thread, self.notes)
        self._callback = native.JoinFrameFn(self._frame_at)  # kept, because C calls it

    def frames(self) -> Iterator[dict[str, Any]]:
        python = (native.JoinPython * (len(self._python) + 1))(*map(_python_of, self._python))
        join = native.create("js_join_create", self._callback, None, python, len(self._python))
        item = native.JoinItem()
        try:
            while True:
                status = native.library.js_join_next(join, ctypes.byref(item))
                if status == native.ENOTFOUND:
                    return
                native.check(status, "js_join_next")
                yield from self._entries(item)
        finally:
            native.library.js_join_destroy(join)

    def _entries(self, item: Any) -> Iterator[dict[str, Any]]:
        """Yield the entry of the item, if it is shown."""
        if item.kind == native.JOIN_PYTHON:
            if not item.is_asking or self._show_all:
                level = int(item.evaluation) if item.evaluation >= 0 else None
                yield stack_text.python_entry(self._python[item.index], level)
            return
        frame = self._thread.GetFrameAtIndex(item.index)
        function = native_frames.compiled_at(self._debuggee, frame)
        if function is not None:
            if self._show_all or (function["kind"] in WRITTEN and not item.is_asking):
                yield self._compiled(frame, function)
        elif self._show_all or _CLASSES[item.frame_class] == _USER:
            yield _native_entry(frame, _CLASSES[item.frame_class])

    def _compiled(self, frame: Any, function: dict[str, Any]) -> dict[str, Any]:
        path, line = native_frames.place(frame)
        if not line and function["debug_info"]:
            line = native.json_of("js_program_at", self._debuggee.program, native_frames.lookup_pc(frame))["at_line"]
        is_written, is_inlined = function["kind"] in WRITTEN, frame.IsInlined()
        name = (is_inlined and frame.GetFunctionName()) or function["name"]
        if is_written and not is_inlined and function["overloads"]:
            name = f"{function['overloads']} (Numba)"
        entry: dict[str, Any] = {
            "kind": "jit" if is_written else "wrapper",
            "name": name if is_written else f"{name}[{function['kind']}]",
            "file": path or function["file"] or None,
            "line": line or None,
            "frame": int(frame.GetFrameID()),
            "arguments": [],
        }
        # The hook describes inlined functions' variables; in stock code the frame would have its caller's.
        if function["debug_info"] and (not is_inlined or function["level"] in _WITH_INLINED):
            entry["arguments"] = variables.read(self._debuggee, frame, ARGUMENTS, summary=True)
            if self._full:
                entry["locals"] = variables.read(self._debuggee, frame, OTHERS)
        return entry

    def _frame_at(self, _context: Any, index: int, out: Any) -> int:
        try:
            frame = self._thread.GetFrameAtIndex(index)
            if not frame.IsValid():
                return native.ENOTFOUND
            function = native_frames.compiled_at(self._debuggee, frame)
            given, name = out[0], _name(frame)
            given.stack = int(frame.GetSP())
            given.is_compiled = function is not None
            given.has_name = name is not None
            if function is not None:
                given.asks = bool(native.library.js_numba_asks(function["name"].encode()))
            else:
                path = frame.GetModule().GetFileSpec().fullpath
                encoded = os.fsencode(path) if path else None
                given.frame_class = native.library.js_frame_classify(encoded, name.encode() if name else None)
            return 0
        except BaseException as error:
            return native.note(error)


def numbered(stack: Stack) -> list[dict[str, Any]]:
    """Return the frames, each with "index", its number in `jit bt`."""
    return [{**entry, "index": index} for index, entry in enumerate(stack.frames())]


def python_at(debuggee: debuggees.Debuggee, frame: Any) -> dict[str, Any] | None:
    """Return the Python frame that runs in this native frame or has called it; None: compiled code has called it, or
    the thread has no Python frames."""
    for entry in Stack(debuggee, frame.GetThread()).frames():
        level = entry["evaluation"] if entry["kind"] == "python" else entry["frame"]
        if entry["kind"] in ("python", "jit") and (level is None or level >= frame.GetFrameID()):
            return entry if entry["kind"] == "python" else None
    return None


def _name(frame: Any) -> str | None:
    """Return the name of the frame's function; None where LLDB has made up one for a stripped library."""
    name = frame.GetFunctionName()
    return None if name is None or name.startswith("___lldb_unnamed_symbol") else str(name)


def _native_entry(frame: Any, kind: str) -> dict[str, Any]:
    path, line = native_frames.place(frame)
    entry: dict[str, Any] = {
        "kind": kind,
        "name": frame.GetDisplayFunctionName() or f"{int(frame.GetPC()):#x}",
        "file": path,
        "line": line or None,
        "frame": int(frame.GetFrameID()),
        "arguments": [],
    }
    if path is None:
        entry["library"] = frame.GetModule().GetFileSpec().fullpath
    return entry


def _python_of(entry: dict[str, Any]) -> Any:
    asks = native.library.js_frame_asks(os.fsencode(entry["file"] or ""))
    return native.JoinPython(bool(entry["entry"]), asks, entry.get("shim") or 0)
