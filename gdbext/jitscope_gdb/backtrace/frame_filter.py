"""The frame filter: GDB's lists of frames show what `jit bt` shows. The frames of the interpreter, the dispatcher, the
compiler's wrappers and the pools are left out, and Python's own frames are put in. `bt -no-filters` shows all frames,
and `disable frame-filter global jitscope` switches the filter off."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import gdb

from ..base import console, report
from ..frames import folding
from ..target import target
from ..threads import selection
from ..threads.stacks import Stack, python_entry
from .python_frame import PythonFrame


class Shown(NamedTuple):
    """A frame that is shown: GDB's own, or a Python frame and the frame of GDB's that stands for it."""

    frame: Any
    python: dict[str, Any] | None


class Filter:
    name = "jitscope"
    priority = 100
    enabled = True

    def filter(self, given: Iterable[Any]) -> Iterator[Any]:
        return _filtered(iter(given))


def create() -> None:
    """Make the filter known to GDB."""
    gdb.frame_filters[Filter.name] = Filter()


def _filtered(given: Iterator[Any]) -> Iterator[Any]:
    first = next(given, None)
    if first is None:
        return
    rest = itertools.chain([first], given)
    debuggee = target.current()
    if not has_python(debuggee):
        yield from rest
        return
    frame, count = first.inferior_frame(), 0
    if frame.level() > 0:  # MI asks about one frame
        entry = selection.lent(debuggee, frame)
        yield from rest if entry is None else [PythonFrame(debuggee, frame, entry)]
        return
    try:
        for shown in shown_frames(debuggee, frame):
            count += 1
            if shown.python is None:
                level = shown.frame.level()
                yield next(each for each in rest if each.inferior_frame().level() == level)
            else:
                yield PythonFrame(debuggee, shown.frame, shown.python)
    except Exception as error:
        report.warn(f"the frames that follow are GDB's ({report.line_of(error)})")
        count = 0
    if count == 0:  # a thread that runs neither Python nor code of the program's
        yield from rest


def is_enabled() -> bool:
    """True if the user has not switched the filter off."""
    return Filter.name in gdb.frame_filters and gdb.frame_filters[Filter.name].enabled


def has_python(debuggee: target.Target) -> bool:
    """True if the process has compiled functions or an interpreter; GDB shows the frames of others by itself."""
    return debuggee.has_process and (bool(debuggee.feed.objects) or debuggee.python() is not None)


def shown_frames(debuggee: target.Target, newest: Any) -> Iterator[Shown]:
    """Yield the frames that are shown, from the selected thread's newest frame on. One frame of the interpreter may run
    several Python frames. So that each has a number of its own, those after the first get the frames of the interpreter
    that follow, as far as there are any."""
    waiting: list[dict[str, Any]] = []  # Python frames
    standing: list[Any] = []  # the frames of GDB's that may stand for them
    for item, is_shown in Stack(debuggee).marked(newest):
        if item.python is not None:
            if is_shown:
                waiting.append(python_entry(item.python, item.level))
            continue
        if is_shown or item.kind == folding.EVALUATION:
            yield from _standing(debuggee, waiting, standing)
            waiting, standing = [], []
        if is_shown:
            yield Shown(item.frame, None)
        else:
            standing.append(item.frame)
    yield from _standing(debuggee, waiting, standing)


def _standing(debuggee: target.Target, waiting: list[dict[str, Any]], standing: list[Any]) -> Iterator[Shown]:
    """Yield the Python frames, each with the frame of GDB's that stands for it from now on. Where there are too few of
    these, the last stands for several. MI numbers each of GDB's frames once, and front ends need the numbers."""
    count = len(standing) if console.interpreter() == "mi" else len(waiting)
    for at, entry in enumerate(waiting[:count]):
        more = len(waiting) - count if at == count - 1 else 0
        name = f"{entry['name']} ({console.counted(more, 'Python frame')} outside of it not shown)"
        frame = standing[min(at, len(standing) - 1)]
        selection.lend(debuggee, frame, entry)
        yield Shown(frame, {**entry, "name": name} if more else entry)
