"""The activity of each Python thread: its function, whether it holds the GIL, and the lock that it waits for."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared import python_activity
from jitscope_shared.base import native
from jitscope_shared.python_activity import text_of  # noqa: F401  (for those that use this module)

from ..frames import frames
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
    python_activity.join(entries, by_pthread)
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
    python_activity.fill(entry, debuggee.python(), pthread, lambda name: frames.register_bytes(newest, name, 8))
