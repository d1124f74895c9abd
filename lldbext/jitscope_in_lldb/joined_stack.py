"""The stack of a thread in source terms: LLDB's native frames, joined with the thread's Python frames by the C
library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jitscope_shared import frame_classes, joined_frames
from jitscope_shared.base import stack_text
from jitscope_shared.functions.compiled_functions import WRITTEN
from jitscope_shared.functions.function_text import WITH_INLINED
from jitscope_shared.variable_choice import ARGUMENTS, OTHERS

from . import debuggee as debuggees
from . import native_frames, python_frames, variables, workers


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
        """Yield the thread's frames and, after a parallel loop's body, those of the thread that started the loop."""
        seen = []
        for item in joined_frames.items(self._facts_at, self._python):
            for entry in self._entries(item):
                seen.append(entry)
                yield entry
        body = next((at for at in reversed(range(len(seen))) if "parent" in seen[at]), None)
        if body is not None and not any(each["name"] == seen[body]["parent"] for each in seen[body:]):
            yield from self._starting(seen[body]["parent"])

    def _starting(self, parent: str) -> Iterator[dict[str, Any]]:
        """Yield the frames of the thread that waits in the function `parent` for the loop."""
        own = workers.of_thread(self._debuggee, self._thread)
        numbers = [number for number in (own or {"callers": []})["callers"] if number != self._thread.GetIndexID()]
        if len(numbers) != 1:
            which = f"thread {' or '.join(map(str, numbers))} has started the region, but it is not known which"
            missing = f"the thread that started the region of {parent} is not found"
            self.notes.append(which if numbers else missing)
            return
        other = self._debuggee.process.GetThreadByIndexID(numbers[0])
        stack = Stack(self._debuggee, other, self._show_all, self._full)
        found = list(stack.frames())
        names = [each["name"] if each["kind"] == "jit" else None for each in found]
        yield {"kind": "region", "thread": numbers[0], "native_id": int(other.GetThreadID())}
        yield from found[names.index(parent) if parent in names else 0 :]

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
        region = self._region(frame, function) if not is_inlined and function["parent"] else {}
        entry: dict[str, Any] = {
            "kind": "jit" if is_written else "wrapper",
            "name": name if is_written else f"{name}[{function['kind']}]",
            "file": path,
            "line": line or None,
            "frame": int(frame.GetFrameID()),
            "arguments": [],
            **region,
        }
        # The hook describes inlined functions' variables; in stock code the frame would have its caller's.
        if function["debug_info"] and (not is_inlined or function["level"] in WITH_INLINED):
            entry["arguments"] = variables.read(self._debuggee, frame, ARGUMENTS, summary=True)
            if self._full:
                entry["locals"] = variables.read(self._debuggee, frame, OTHERS)
            if region:
                entry["loop"] = self._loop_variables(frame)
        return entry

    def _region(self, frame: Any, function: dict[str, Any]) -> dict[str, Any]:
        """Return the members that only the frame of a parallel loop's body has."""
        own = self._region_at(frame)
        chunk = {"chunk": own["chunk"]} if own.get("chunk") else {}
        return {"parent": function["parent"], "loop_line": own.get("region_line") or None, **chunk}

    def _region_at(self, frame: Any) -> dict[str, Any]:
        entry = workers.of_thread(self._debuggee, self._thread) or {"regions": []}
        return next((each for each in entry["regions"] if each["frame"] == frame.GetFrameID()), {})

    def _loop_variables(self, frame: Any) -> list[dict[str, Any]]:
        """Return the index of the parallel loop's header, if the body has it."""
        index = self._region_at(frame).get("index")
        if index is None:
            return []
        found = [v for v in variables.read(self._debuggee, frame, OTHERS, summary=True) if v["name"] == index["name"]]
        is_exact = index["state"] == "exact"
        known = {"state": "exact", "value": index["value"], "text": index["text"]}
        return [{**v, **known} if is_exact and v["state"] != "exact" else v for v in found]

    def _facts_at(self, index: int) -> joined_frames.Native | None:
        frame = self._thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return None
        function = native_frames.compiled_at(self._debuggee, frame)
        kind = native_frames.class_of(frame) if function is None else frame_classes.USER
        return joined_frames.Native(int(frame.GetSP()), native_frames.name_of(frame), function, kind)


def numbered(stack: Stack) -> list[dict[str, Any]]:
    """Return the frames, each with "index", its number in `jit bt`; a heading has none."""
    return stack_text.numbered(list(stack.frames()))


def python_at(debuggee: debuggees.Debuggee, frame: Any) -> dict[str, Any] | None:
    """Return the Python frame that runs in this native frame or has called it; None: compiled code has called it, or
    the thread has no Python frames."""
    for entry in Stack(debuggee, frame.GetThread()).frames():
        if entry["kind"] == "region":
            return None
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
