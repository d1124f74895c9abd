"""The stack of a thread in source terms: LLDB's native frames, joined with the thread's Python frames by the C
library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jitscope_gdb.base import stack_text
from jitscope_shared import frame_classes, joined_frames
from jitscope_shared.compiled_functions import WRITTEN
from jitscope_shared.function_text import WITH_INLINED
from jitscope_shared.variable_choice import ARGUMENTS, OTHERS

from . import debuggee as debuggees
from . import native_frames, python_frames, variables


class Stack:
    """The frames of a thread, as the dictionaries of docs/schema/bt.json, innermost first."""

    def __init__(self, debuggee: debuggees.Debuggee, thread: Any, show_all: bool = False, full: bool = False):
        self._debuggee = debuggee
        self._thread = thread
        self._show_all = show_all
        self._full = full
        self.notes: list[str] = []
        self._python = python_frames.of_thread(debuggee, thread, self.notes)

    def frames(self) -> Iterator[dict[str, Any]]:
        for item in joined_frames.items(self._facts_at, self._python):
            yield from self._entries(item)

    def _entries(self, item: joined_frames.Item) -> Iterator[dict[str, Any]]:
        """Yield the entry of the item, if it is shown."""
        if item.is_python:
            if not item.is_asking or self._show_all:
                level = item.evaluation if item.evaluation >= 0 else None
                yield stack_text.python_entry(self._python[item.position], level)
            return
        frame = self._thread.GetFrameAtIndex(item.position)
        function = native_frames.compiled_at(self._debuggee, frame)
        if function is not None:
            if self._show_all or (function["kind"] in WRITTEN and not item.is_asking):
                yield self._compiled(frame, function)
        elif self._show_all or item.frame_class == frame_classes.USER:
            yield _native_entry(frame, item.frame_class)

    def _compiled(self, frame: Any, function: dict[str, Any]) -> dict[str, Any]:
        path, line = native_frames.shown_place(self._debuggee, frame, function)
        is_written, is_inlined = function["kind"] in WRITTEN, frame.IsInlined()
        name = (is_inlined and frame.GetFunctionName()) or function["name"]
        if is_written and not is_inlined and function["overloads"]:
            name = f"{function['overloads']} (Numba)"
        entry: dict[str, Any] = {
            "kind": "jit" if is_written else "wrapper",
            "name": name if is_written else f"{name}[{function['kind']}]",
            "file": path,
            "line": line or None,
            "frame": int(frame.GetFrameID()),
            "arguments": [],
        }
        # The hook describes inlined functions' variables; in stock code the frame would have its caller's.
        if function["debug_info"] and (not is_inlined or function["level"] in WITH_INLINED):
            entry["arguments"] = variables.read(self._debuggee, frame, ARGUMENTS, summary=True)
            if self._full:
                entry["locals"] = variables.read(self._debuggee, frame, OTHERS)
        return entry

    def _facts_at(self, index: int) -> joined_frames.Native | None:
        frame = self._thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return None
        function = native_frames.compiled_at(self._debuggee, frame)
        kind = native_frames.class_of(frame) if function is None else frame_classes.USER
        return joined_frames.Native(int(frame.GetSP()), native_frames.name_of(frame), function, kind)


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


def _native_entry(frame: Any, kind: str) -> dict[str, Any]:
    path, line = native_frames.place(frame)
    entry: dict[str, Any] = {
        "kind": kind,
        "name": frame.GetDisplayFunctionName() or frame.GetFunctionName() or f"{int(frame.GetPC()):#x}",
        "file": path,
        "line": line or None,
        "frame": int(frame.GetFrameID()),
        "arguments": [],
    }
    if path is None:
        entry["library"] = frame.GetModule().GetFileSpec().fullpath
    return entry
