"""Each thread's role and, for threads in a parallel region, the loop, the chunk and the index.

The program's own records (jitscope_descriptor.h) take precedence over facts recovered from stacks and the schedule."""

from __future__ import annotations

import os
from typing import Any

from jitscope_shared import frame_classes, loop_chunks, python_activity, recorded_launches, thread_entries
from jitscope_shared.base import native
from jitscope_shared.functions.compiled_functions import WRITTEN

from . import debuggee as debuggees
from . import native_frames, source_facts, variables

_FRAMES = 400  # frames of one thread, at most
_POOL_CALLS = _LOOP, _UFUNC = "gufunc-wrapper", "ufunc-wrapper"  # kinds of the functions that a pool calls
_LIBC = ("libc.", "libc-", "libpthread", "ld-linux")


def all_threads(debuggee: debuggees.Debuggee) -> list[dict[str, Any]]:
    """Return the entries of docs/schema/threads.json, kept until the next stop."""
    return debuggee.keep(debuggees.STOP, "threads", lambda: _collect(debuggee))  # type: ignore[no-any-return]


def of_thread(debuggee: debuggees.Debuggee, thread: Any) -> dict[str, Any] | None:
    number = int(thread.GetIndexID())
    return next((entry for entry in all_threads(debuggee) if entry["thread"] == number), None)


def others(debuggee: debuggees.Debuggee, thread: Any) -> list[dict[str, Any]]:
    """Return the other workers of the region that this thread runs, then the idle threads of its pool; [] if it runs
    none."""
    entries, own = all_threads(debuggee), of_thread(debuggee, thread)
    if own is None or own["role"] != thread_entries.WORKER:
        return []
    idle = [each for each in entries if each["role"] == thread_entries.IDLE and each["layer"] == own["layer"]]
    running = thread_entries.in_region(entries)
    same = running if not own["regions"] else [each for each in running if thread_entries.run_same(each, own)]
    return [each for each in same if each["thread"] != own["thread"]] + idle


def _collect(debuggee: debuggees.Debuggee) -> list[dict[str, Any]]:
    threads = sorted(debuggee.process, key=lambda thread: thread.GetIndexID())
    found = [_Reader(debuggee, thread).entry for thread in threads]
    thread_entries.number(found)
    thread_entries.join(found)
    functions = native_frames.functions(debuggee)
    recorded_launches.apply(found, debuggee.regions(), debuggee.launches(), functions)
    _fill_python(debuggee, threads, found)
    return found


def _fill_python(debuggee: debuggees.Debuggee, threads: list[Any], entries: list[dict[str, Any]]) -> None:
    """Complete the entries of the threads that the interpreter knows."""
    python = debuggee.python()
    if python is None:
        return
    by_pthread: dict[int, int] = {}
    for thread, entry in zip(threads, entries):
        newest, pthread = thread.GetFrameAtIndex(0), native_frames.pthread_of(thread)
        by_pthread[pthread] = entry["thread"]
        python_activity.fill(entry, python, pthread, lambda name, of=newest: native_frames.register_bytes(of, name, 8))
    python_activity.join(entries, by_pthread)


class _Reader:
    """Reads the stack of one thread, innermost frame first."""

    def __init__(self, debuggee: debuggees.Debuggee, thread: Any):
        self._debuggee = debuggee
        self._thread = thread
        self.entry = thread_entries.new(int(thread.GetIndexID()), int(thread.GetThreadID()))
        frames, outermost = [], None
        for index in range(_FRAMES):
            frame = thread.GetFrameAtIndex(index)
            if not frame.IsValid():
                break
            frames.append(frame)
            outermost = outermost if _is_libc(frame) else frame
        kind = _kind_of(outermost)
        self.entry["layer"] = kind if kind not in (thread_entries.PYTHON, thread_entries.OTHER) else None
        self._read(frames)
        thread_entries.set_role(self.entry, kind)

    def _read(self, frames: list[Any]) -> None:
        newer, inlined = None, None  # `inlined`: the innermost of the frames that are inlined in the next function
        body: tuple[Any, Any] | None = None  # the loop's body among them, and its frame
        for frame in frames:
            function = native_frames.compiled_at(self._debuggee, frame)
            if frame.IsInlined():
                inlined = inlined or frame
                if function is not None and function["kind"] == "parfor-kernel":
                    body = function, frame
                continue
            if function is not None and function["kind"] in _POOL_CALLS:
                self._note_pool_call(frame, function, body)
            elif function is not None and function["kind"] in WRITTEN:
                self._note(frame, newer, function, inlined or frame)
            newer, inlined, body = frame, None, None

    def _note(self, frame: Any, newer: Any, function: dict[str, Any], inner: Any) -> None:
        """Note a compiled frame. `inner`: the innermost frame that is inlined in this one, or `frame` itself."""
        entry = self.entry
        layer = self._layer_called(newer) if newer is not None else None
        if layer is not None:
            entry["starts"].append(
                {"function": function["name"], "layer": layer, **_place(self._debuggee, frame, function)}
            )
        region = None
        if function["kind"] == "parfor-kernel":
            region = _region(self._debuggee, frame)
            entry["regions"].append(region)
        if entry["function"] is None:
            shown = inner if region is None else frame
            entry["function"] = (shown.GetFunctionName() if shown.IsInlined() else None) or function["name"]
            if region is None or not region["line"]:
                entry.update(_place(self._debuggee, shown, function))
            else:
                entry["file"], entry["line"] = region["file"], region["line"]

    def _note_pool_call(self, frame: Any, function: dict[str, Any], body: tuple[Any, Any] | None) -> None:
        """Note a wrapper that a pool calls, if the body of the loop or of the ufunc is a part of it."""
        caller = native_frames.older(frame)
        is_run = caller is not None and _class(self._debuggee, caller) in (frame_classes.POOL, frame_classes.RUNTIME)
        if self.entry["regions"] or not is_run:
            return
        if function["kind"] == _UFUNC:
            self.entry["function"] = self.entry["function"] or function["name"]
        elif body is not None:
            line = native_frames.place(body[1])[1]
            region = thread_entries.described_region(body[0], int(body[1].GetFrameID()), line)
            self.entry["regions"].append(region)
        elif not self._has_kernel(function):
            self.entry["regions"].append(thread_entries.undescribed_region(function, int(frame.GetFrameID())))

    def _has_kernel(self, wrapper: dict[str, Any]) -> bool:
        """True if the loop's body is a function of its own that the wrapper calls, which it is with debug
        information."""
        return any(
            each["kind"] == "parfor-kernel" and each["name"] == wrapper["name"] and each["debug_info"]
            for each in native_frames.functions(self._debuggee).all
        )

    def _layer_called(self, above: Any) -> str | None:
        """Return the layer whose code is called in the frame `above`; None: it is no layer's."""
        while above is not None:
            layer = frame_classes.layer_of(native_frames.file_of(above))
            is_between = self._starts(above) or _class(self._debuggee, above) == frame_classes.RUNTIME
            if layer is not None or not is_between:
                return layer
            above = native_frames.newer(above)  # the code that starts the loop calls the layer
        return None

    def _starts(self, frame: Any) -> bool:
        """True if the frame is the function that the compiler makes to start a loop, which NUMBA_OPT=0 keeps as a
        function of its own."""
        function = native_frames.functions(self._debuggee).at(native_frames.lookup_pc(frame))
        return function is not None and function["kind"] == _LOOP


def _kind_of(outermost: Any) -> str:
    """Return a thread's layer, or PYTHON, or OTHER, by its outermost frame that is not the C library's."""
    if outermost is None:
        return thread_entries.OTHER
    layer = frame_classes.layer_of(native_frames.file_of(outermost))
    if layer is not None:
        return layer
    is_python = native_frames.class_of(outermost) in (frame_classes.INTERPRETER, frame_classes.EVALUATION)
    return thread_entries.PYTHON if is_python else thread_entries.OTHER


def _class(debuggee: debuggees.Debuggee, frame: Any) -> str:
    """Return the class of a native frame; "" for compiled code."""
    return native_frames.class_of(frame) if native_frames.compiled_at(debuggee, frame) is None else ""


def _is_libc(frame: Any) -> bool:
    return os.path.basename(native_frames.file_of(frame) or "").startswith(_LIBC)


def _place(debuggee: debuggees.Debuggee, frame: Any, function: dict[str, Any]) -> dict[str, Any]:
    path, line = native_frames.shown_place(debuggee, frame, function)
    return {"file": path, "line": line or None}


def _region(debuggee: debuggees.Debuggee, frame: Any) -> dict[str, Any]:
    """Return the iterations that this call of a loop's body runs, from its schedule. A fact that is not known is None,
    and `problem` says why."""
    at = native_frames.NativeFrame(debuggee, frame)
    found: dict[str, Any] = native.json_of("js_program_chunk", debuggee.program, at.pointer)
    name = loop_chunks.index_name_at(debuggee, found["file"], found["region_line"], source_facts.find)
    index = None
    if name is not None:
        index = loop_chunks.index_of(found, name, debuggee.evaluated(at.pointer, name, variables.render_options(True)))
    loop_chunks.finish(found, int(frame.GetFrameID()), index)
    return found
