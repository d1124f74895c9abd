"""The calls of a function that the program is asked to compile anew: those that run go on in the code they have, and
the next one from Python runs the new code."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import defined

from ..target import cells, sources, target
from . import frames

_DEPTH = 24  # frames above the function's in a thread, at most
_COMPILED = 16  # compiled callers that are looked at
_THREADS = 32  # threads that are looked at, the selected one first
_NAMED = 3  # threads, or callers, that are named


def next_one(debuggee: target.Target, file: str, name: str) -> str:
    """Return when Python calls the file's function next, or a compiled one that calls it: "when main() next calls it
    from Python", where the program's source says who calls it."""

    def look() -> str:
        by_callee = _callers(debuggee, file, name) or {}
        names = {name for each in by_callee.values() for name in each}
        if not names or len(names) > _NAMED or len(by_callee) > _NAMED:
            return "at the next call from Python"
        if any(len(each) < len(names) for each in by_callee.values()):
            parts = [f"{_any(each)} next calls {callee or 'it'}" for callee, each in by_callee.items()]
            return f"when {' or '.join(parts)} from Python"
        return f"when {_any(names)} next calls {' or '.join(callee or 'it' for callee in by_callee)} from Python"

    return debuggee.keep(target.PROCESS, ("next call", file, name), look)  # type: ignore[no-any-return]


def _any(names: Iterable[str]) -> str:
    return " or ".join(f"{each}()" for each in sorted(names))


def _callers(debuggee: target.Target, file: str, name: str) -> dict[str, set[str]] | None:
    """Return the Python functions that call the function (""), or compiled ones that call it, by the name of what they
    call; None: it is not known who does."""
    path, name = sources.find(debuggee, file), name.rpartition(".")[2]
    left, seen = [("", path, name)], set()
    found: dict[str, set[str]] = {}
    while left:
        shown, path, name = left.pop(0)
        callers = defined.callers(debuggee.inferior.pid, path, name, sources.born(debuggee)) if path else None
        if callers is None or len(seen) > _COMPILED:
            return None
        seen.add((path, name))
        for caller in dict.fromkeys(callers):
            last = caller.name.rpartition(".")[2]
            if not caller.is_compiled:
                found.setdefault(shown, set()).add(caller.name)
            elif (caller.path, last) not in seen:
                left.append((caller.name, caller.path, last))
    return found


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
        python, call = debuggee.python(), native.call_of(lambda name: None)
        found = native.json_of(
            "js_python_activity", python, thread.ptid[1] or thread.ptid[0], pthread, ctypes.byref(call)
        )["frame"]
    except native.NativeError:
        return ""
    return f"{cells.base_name(found['file'])}:{found['line']}" if found and found["file"] and found["line"] else ""
