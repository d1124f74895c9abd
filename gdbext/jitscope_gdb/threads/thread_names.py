"""The names of threads: `info threads` and front ends show what a worker runs, as its thread's name.

A name is set at a stop and removed before the thread runs on, so that it is never out of date. Names that the user gave
(`thread name`) stay."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared import worker_text

from ..base import events
from ..frames import frames
from ..target import target
from . import workers

_given: dict[Any, str] = {}  # by ptid: the name that was set here

_own: dict[Any, str] = {}  # by ptid: the kernel's name of the thread when it was last asked


@events.on("stop", order=120)
def stopped(_event: Any) -> None:
    """Name the workers of parallel regions at a stop, if any region is running."""
    debuggee = target.current()
    if not gdb.parameter("jitscope thread-names") or not frames.functions(debuggee).has_kernels:
        return
    entries = [entry for entry in workers.all_threads(debuggee) if entry["regions"]]
    threads = {thread.num: thread for thread in debuggee.inferior.threads()} if entries else {}
    for entry in entries:
        thread = threads[entry["thread"]]
        if not _is_users(thread):
            _given[thread.ptid] = thread.name = worker_text.text_of(entry, brief=True)


@events.on("cont", order=10)
def continued(_event: Any) -> None:
    """Remove the names when the threads run on, because they are no longer true."""
    for inferior in gdb.inferiors() if _given else ():
        for thread in inferior.threads():
            name = _given.get(thread.ptid)
            if name is not None and thread.is_valid() and thread.name == name:
                thread.name = None
    _given.clear()


def _is_users(thread: Any) -> bool:
    """True if the user has named the thread. GDB does not show that, but with no name set it gives the kernel's name,
    which is compared."""
    name = thread.name
    if name is None or name == _given.get(thread.ptid) or name == _own.get(thread.ptid):
        return False
    thread.name = None
    own = _own[thread.ptid] = thread.name
    if name == own:
        return False
    thread.name = name
    return True
