"""The frames of the selected thread that GDB's own lists show, and which of GDB's frames stands for a Python frame.

GDB selects and numbers only its own frames, and one frame of the interpreter may run several Python frames. So that
each has a number of its own, those after the first get the frames of the interpreter that follow, as far as there are
any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gdb
from jitscope_shared.base import native, stack_text

from ..base import console
from ..frames import folding
from ..target import target
from .merged_stack import Stack

FILTER = "jitscope"  # the name of the frame filter


class Shown(NamedTuple):
    """A frame that is shown: GDB's own, or a Python frame and the frame of GDB's that stands for it."""

    frame: Any
    python: dict[str, Any] | None


def is_enabled(debuggee: target.Target) -> bool:
    """True if GDB's lists show Python's frames: the user has not switched the filter off, and the process has compiled
    functions or an interpreter."""
    found = gdb.frame_filters.get(FILTER)
    if found is None or not found.is_wanted or not debuggee.has_process:
        return False
    return bool(debuggee.feed.objects) or debuggee.python() is not None


def walk(debuggee: target.Target) -> Iterator[Shown]:
    """Yield the frames that are shown, from the selected thread's newest frame on."""
    yield from of_stack(Stack(debuggee), gdb.newest_frame())


def of_stack(stack: Stack, newest: Any) -> Iterator[Shown]:
    """Like walk(), from this frame of the selected thread on."""
    waiting: list[dict[str, Any]] = []  # Python frames
    standing: list[Any] = []  # the frames of GDB's that may stand for them
    for item, is_shown in stack.marked(newest):
        if item.python is not None:
            if is_shown:
                waiting.append(stack_text.python_entry(item.python, item.level))
            continue
        if is_shown or item.kind == folding.EVALUATION:
            yield from _standing(waiting, standing)
            waiting, standing = [], []
        if is_shown:
            yield Shown(item.frame, None)
        elif item.function is None:
            standing.append(item.frame)
    yield from _standing(waiting, standing)


def _standing(waiting: list[dict[str, Any]], standing: list[Any]) -> Iterator[Shown]:
    """Yield the Python frames. Where there are too few of GDB's frames, the last stands for several. MI numbers each of
    GDB's frames once, and front ends need the numbers."""
    count = min(len(standing), len(waiting)) if console.interpreter() == "mi" else len(waiting)
    for at, entry in enumerate(waiting[:count] if standing else ()):
        more = len(waiting) - count if at == count - 1 else 0
        name = f"{entry['name']} ({console.counted(more, 'Python frame')} outside of it not shown)"
        yield Shown(standing[min(at, len(standing) - 1)], {**entry, "name": name} if more else entry)


def python_at(debuggee: target.Target, frame: Any) -> dict[str, Any] | None:
    """Return the Python frame that this frame of the selected thread stands for, or None. Where it stands for several,
    the innermost of them is meant."""
    thread = gdb.selected_thread()
    if thread is None or not is_enabled(debuggee):
        return None
    found: dict[int, dict[str, Any]] = debuggee.keep(target.STOP, ("standing", thread.num), lambda: _by_level(debuggee))
    return found.get(frame.level())


def _by_level(debuggee: target.Target) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    try:
        for shown in walk(debuggee):
            if shown.python is not None:
                found.setdefault(shown.frame.level(), shown.python)
    except (gdb.error, gdb.MemoryError, native.NativeError):
        pass  # the frames that follow are GDB's
    return found
