"""The calls of a function that run while the program is asked to compile it anew: they go on in the code they have."""

from __future__ import annotations

import ctypes
from typing import Any

import gdb

from ..base import console, native
from ..target import target
from . import frames

_DEPTH = 24  # frames above the function's in a thread, at most
_THREADS = 32  # threads that are looked at, the selected one first
_NAMED = 3  # threads that are named


def text(debuggee: target.Target, function: dict[str, Any]) -> str:
    """Return what follows a note on the function: the threads that are in it, and where Python called it; "" if none
    is."""
    places = _places(debuggee, function)
    if not places:
        return ""
    said = [f"thread {number}{f', called from {place},' if place else ''}" for number, place in places[:_NAMED]]
    if len(places) > _NAMED:
        said.append(f"{len(places) - _NAMED} more")
    if len(said) == 1:
        return f" ({said[0]} is in it now, and goes on in the code that it has)"
    return f" ({' '.join(said[:-1])} and {said[-1]} are in it now, and go on in the code that they have)"


def _places(debuggee: target.Target, function: dict[str, Any]) -> list[tuple[int, str]]:
    """Return the number of each thread that is in the function, and the line of Python that called it ("": unknown)."""
    selected = gdb.selected_thread()
    if selected is None or not selected.is_stopped():
        return []
    frame = gdb.selected_frame()
    others = [each for each in debuggee.inferior.threads() if each.is_valid() and each.is_stopped()]
    found = []
    try:
        for thread in sorted(others, key=lambda each: (each.num != selected.num, each.num))[:_THREADS]:
            thread.switch()
            if _is_in(debuggee, function):
                found.append((thread.num, _caller(debuggee, thread)))
    finally:
        if selected.is_valid():
            selected.switch()
            if frame.is_valid():
                frame.select()
    return found


def _is_in(debuggee: target.Target, function: dict[str, Any]) -> bool:
    """True if the selected thread is in this code of the function, or of another version at the same level."""
    frame, known = gdb.newest_frame(), frames.functions(debuggee)
    for _ in range(_DEPTH):
        if frame is None:
            return False
        its = known.at(frames.lookup_pc(frame))
        if its is not None and all(its[key] == function[key] for key in ("name", "file", "line", "level")):
            return True
        frame = frame.older()
    return False


def _caller(debuggee: target.Target, thread: Any) -> str:
    """Return the line of the innermost Python frame of the selected thread, as FILE:LINE, or ""."""
    pthread = int.from_bytes(frames.register_bytes(gdb.newest_frame(), "fs_base", 8) or b"", "little")
    try:
        python, asleep = debuggee.python(), native.Asleep(0, 0)
        found = native.json_of(
            "js_python_activity", python, thread.ptid[1] or thread.ptid[0], pthread, ctypes.byref(asleep)
        )["frame"]
    except native.NativeError:
        return ""
    return f"{console.base_name(found['file'])}:{found['line']}" if found and found["file"] and found["line"] else ""
