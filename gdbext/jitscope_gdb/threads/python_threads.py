"""The activity of each Python thread: its function, whether it holds the GIL, and the lock that it waits for."""

from __future__ import annotations

import ctypes
from typing import Any

import gdb

from ..base import console, native
from ..frames import folding, frames
from ..target import target
from . import pools


def fill(debuggee: target.Target, entries: list[dict[str, Any]]) -> None:
    """Complete the entries of docs/schema/threads.json for the threads that the interpreter knows; once for each
    stop."""
    debuggee.keep(target.STOP, "python threads", lambda: _fill(debuggee, entries))


def _fill(debuggee: target.Target, entries: list[dict[str, Any]]) -> bool:
    thread = gdb.selected_thread()
    frame = gdb.selected_frame() if thread is not None and thread.is_stopped() else None
    threads = {other.num: other for other in debuggee.inferior.threads() if other.is_valid() and other.is_stopped()}
    by_pthread: dict[int, int] = {}
    if debuggee.python() is None or frame is None:
        return False
    known = {each[key] for each in _known(debuggee) for key in ("native_id", "pthread")}
    try:
        for entry in entries:
            if entry["thread"] in threads and _may_be_known(threads[entry["thread"]], known):
                threads[entry["thread"]].switch()
                _fill_one(debuggee, entry, by_pthread)
    finally:
        if thread.is_valid():
            thread.switch()
            if frame.is_valid():
                frame.select()
    _join(entries, by_pthread)
    return True


def _known(debuggee: target.Target) -> list[dict[str, Any]]:
    try:
        return native.json_of("js_python_threads_json", debuggee.python())["threads"]  # type: ignore[no-any-return]
    except native.NativeError:
        return []


def _may_be_known(thread: Any, known: set[int | None]) -> bool:
    """True if the interpreter may know this thread. Selecting each of a pool's threads would take long."""
    handle = pools.handle(thread)
    is_known = None not in known  # native ids are there since 3.11
    return (thread.ptid[1] or thread.ptid[0]) in known or handle in known or not (handle or is_known)


def _fill_one(debuggee: target.Target, entry: dict[str, Any], by_pthread: dict[int, int]) -> None:
    """Fill in the activity of the selected thread."""
    newest = gdb.newest_frame()
    pthread = int.from_bytes(frames.register_bytes(newest, "fs_base", 8) or b"", "little")
    by_pthread[pthread] = entry["thread"]
    call = native.call_of(lambda name: frames.register_bytes(newest, name, 8))
    try:
        found = native.json_of("js_python_activity", debuggee.python(), entry["native_id"], pthread, ctypes.byref(call))
    except native.NativeError:  # the interpreter does not know the thread
        return
    entry["holds_gil"], entry["waits_for"] = found["holds_gil"], found["waits"]
    entry["caller"] = _place(found["caller"])
    here = _place(found["frame"])
    if here is not None and folding.is_asking_file(here["file"] or ""):
        here = _requesting_frame(debuggee, entry["native_id"], pthread) or here
    if entry["role"] == pools.OTHER and here is not None:
        entry["role"] = pools.PYTHON
    is_known = entry["function"] is not None and not folding.is_asking_function(entry["function"])
    if entry["role"] == pools.PYTHON and not is_known and here is not None:
        entry.update(here)


def _requesting_frame(debuggee: target.Target, native_id: int, pthread: int) -> dict[str, Any] | None:
    """Return the innermost Python frame that does not request a stop on behalf of others."""
    try:
        found = native.json_of("js_python_frames_json", debuggee.python(), native_id, pthread, 0, native.PollFn(), None)
    except native.NativeError:
        return None
    return next((_place(each) for each in found["frames"] if not folding.is_asking_file(each["file"] or "")), None)


def _place(frame: dict[str, Any] | None) -> dict[str, Any] | None:
    if frame is None:
        return None
    name = frame["qualname"] or frame["function"] or "?"
    return {"function": name, "file": frame["file"], "line": frame["line"]}


def _join(entries: list[dict[str, Any]], by_pthread: dict[int, int]) -> None:
    """Note which of GDB's threads holds the lock that another one waits for."""
    holder = next((entry["thread"] for entry in entries if entry["holds_gil"]), None)
    numbers = {entry["native_id"]: entry["thread"] for entry in entries}
    by_number = {number: native_id for native_id, number in numbers.items()}
    for entry in entries:
        waits = entry["waits_for"]
        if waits is not None:
            owner = waits.pop("owner") or {"native_id": 0, "pthread": 0, "certain": True, "task": None}
            if not owner["certain"]:
                waits["certain"] = False
            if owner["task"] is not None:
                waits["task"] = owner["task"]
            known = numbers.get(owner["native_id"], by_pthread.get(owner["pthread"]))
            waits["thread"] = holder if waits["for"] == "gil" else known
            waits["native_id"] = by_number.get(waits["thread"])


def text_of(entry: dict[str, Any]) -> str:
    """Return the text about the thread that follows its function."""
    text = ""
    caller, waits = entry["caller"], entry["waits_for"]
    if caller is not None:
        text += f", called by {caller['function']} ()"
        if caller["file"] and caller["line"]:
            text += f" at {console.base_name(caller['file'])}:{caller['line']}"
    if waits is not None:
        text += f", {_wait_text(entry, waits)}"
    return text + (", holds the GIL" if entry["holds_gil"] else "")


def _wait_text(entry: dict[str, Any], waits: dict[str, Any]) -> str:
    """Return what the thread waits for in words, which are those of `jitscope stack`."""
    number, task = waits["thread"], waits.get("task")
    text = f"task '{task}' of thread {number}" if task is not None else f"thread {number}"
    is_itself = number == entry["thread"] and task is None
    owner = None if number is None else b"" if is_itself else text.encode("utf-8", "replace")
    reason = b"seeming-lock" if owner is not None and not waits.get("certain", True) else waits["for"].encode()
    return native.fill_text(lambda out: native.library.js_python_put_wait(out, reason, owner), "a wait")
