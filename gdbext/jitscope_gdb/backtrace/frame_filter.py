"""The frame filter: GDB's lists of frames show what `jit bt` shows. The frames of the interpreter, the dispatcher, the
compiler's wrappers and the pools are left out, and Python's own frames are put in. `bt -no-filters` shows all frames,
and `disable frame-filter global jitscope` switches the filter off."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import gdb

from ..base import console, report
from ..stacks import shown_frames
from ..stacks.merged_stack import Stack
from ..target import target
from . import other_thread
from .named_frame import NamedFrame
from .python_frame import PythonFrame


class Filter:
    """The filter, in the form that GDB expects."""

    name = shown_frames.FILTER
    priority = 100

    def __init__(self) -> None:
        self.is_wanted = True  # by the user

    @property
    def enabled(self) -> bool:
        """False also for a program without Python: a list that a filter gives has no `??` and no `from LIBRARY`."""
        return shown_frames.is_enabled(target.current())

    @enabled.setter
    def enabled(self, is_wanted: bool) -> None:
        self.is_wanted = is_wanted

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
    frame, count = first.inferior_frame(), 0
    if frame.level() > 0:  # MI asks about one frame
        entry = shown_frames.python_at(debuggee, frame)
        yield from rest if entry is None else [PythonFrame(debuggee, frame, entry)]
        return
    try:
        stack = Stack(debuggee)
        for shown in shown_frames.of_stack(stack, gdb.newest_frame()):
            count += 1
            if shown.python is None:
                level = shown.frame.level()
                yield NamedFrame(next(each for each in rest if each.inferior_frame().level() == level))
            else:
                yield PythonFrame(debuggee, shown.frame, shown.python)
        start = stack.start()
        if start is not None and console.interpreter() == "dap":
            yield from other_thread.frames(debuggee, start)
        elif start is not None:
            other_thread.tell(debuggee, start)
    except Exception as error:
        report.warn(f"the frames that follow are GDB's ({report.line_of(error)})")
        count = 0
    if count == 0:  # a thread that runs neither Python nor code of the program's
        yield from map(NamedFrame, rest)
