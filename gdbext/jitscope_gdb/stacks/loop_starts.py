"""Which thread has started the parallel loop whose iterations the selected thread runs, and where its stack begins."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple

import gdb

from ..frames import frames
from ..target import target
from ..threads import workers

_DEPTH = 200  # frames of another thread that are searched for a region's start


class Seen(NamedTuple):
    """A function of the source in the selected thread's stack."""

    name: str
    parent: str | None  # the function with the parallel loop whose body this is; None: it is no loop's body


class Start(NamedTuple):
    thread: Any
    frame: Any  # the thread's innermost frame that has to do with the loop; valid while the thread is selected


Note = Callable[[str], None]


def find(debuggee: target.Target, seen: list[Seen], note: Note) -> tuple[bool, Start | None]:
    """Return whether the selected thread runs iterations of a parallel loop that it may not have started itself, and
    the thread that has started it; None: none has, or it is not known, and `note` was given the reason. `seen`: the
    functions of the selected thread's stack, innermost first."""
    kernel = next((at for at in reversed(range(len(seen))) if seen[at].parent), None)
    if kernel is None:
        return _undescribed(debuggee, {each.name for each in seen}, note)
    parent = str(seen[kernel].parent)
    is_own = any(each.name == parent for each in seen[kernel:])
    return True, None if is_own else _of_region(debuggee, parent, note)


@contextlib.contextmanager
def selected(thread: Any) -> Iterator[None]:
    """Select the thread within the `with` block."""
    before, frame = gdb.selected_thread(), gdb.selected_frame()
    try:
        thread.switch()
        yield
    finally:
        before.switch()
        frame.select()


def _of_region(debuggee: target.Target, parent: str, note: Note) -> Start | None:
    """Return the thread that waits in `parent` for its parallel region."""
    mine = gdb.selected_thread()
    callers = [other for other in _callers(debuggee, mine, parent) if other.num != mine.num]
    if len(callers) > 1:
        numbers = " or ".join(str(other.num) for other in callers)
        note(f"thread {numbers} has started the region, but it is not known which")
        return None
    for other in callers:
        with selected(other):
            frame = _frame_of(debuggee, parent)
        if frame is not None:
            return Start(other, frame)
    note(f"the thread that started the region of {parent} is not found")
    return None


def _undescribed(debuggee: target.Target, seen: set[str], note: Note) -> tuple[bool, Start | None]:
    """Return the same for a worker without a described kernel: it runs a ufunc, or a loop without debug information.
    `seen`: the compiled functions of the worker's stack."""
    entry = workers.of_thread(debuggee, gdb.selected_thread().num)
    if entry is None or entry["role"] != workers.WORKER or not entry["layer"]:
        return False, None
    if not entry["regions"]:
        return True, _of_ufunc(entry, note)
    parent = entry["regions"][-1]["function"]
    return True, _of_region(debuggee, parent, note) if parent and parent not in seen else None


def _of_ufunc(entry: dict[str, Any], note: Note) -> Start | None:
    """Return the thread that has called the parallel ufunc which a worker runs, if that is recorded."""
    thread = gdb.selected_thread()
    others = [other for other in thread.inferior.threads() if [other.num] == entry["callers"]]
    if not others or others[0].num == thread.num:
        note("the thread that has called the ufunc is not known")
        return None
    with selected(others[0]):
        return Start(others[0], gdb.newest_frame())


def _callers(debuggee: target.Target, thread: Any, parent: str) -> list[Any]:
    """Return the threads that have started a region of this function, and wait for it."""
    entries = workers.all_threads(debuggee)
    own = next((entry["callers"] for entry in entries if entry["thread"] == thread.num), [])
    numbers = own or [e["thread"] for e in entries if any(s["function"] == parent for s in e["starts"])]
    others = sorted(thread.inferior.threads(), key=lambda t: t.num)
    if numbers:
        return [other for other in others if other.num in numbers]
    stopped = [other for other in others if other.is_valid() and other.is_stopped() and other.num != thread.num]
    return [other for other in stopped if _is_in(debuggee, other, parent)]


def _is_in(debuggee: target.Target, other: Any, parent: str) -> bool:
    with selected(other):
        return _frame_of(debuggee, parent) is not None


def _frame_of(debuggee: target.Target, parent: str) -> Any:
    """Return the innermost frame of the selected thread that runs this function; None: none does."""
    frame = gdb.newest_frame()
    for _ in range(_DEPTH):
        if frame is None:
            return None
        function = frames.compiled_at(debuggee, frame)
        if function is not None and function["name"] == parent and not function["parent"]:
            if function["kind"] in frames.WRITTEN:
                return frame
        frame = frame.older()
    return None
