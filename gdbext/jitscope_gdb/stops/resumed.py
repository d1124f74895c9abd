"""`step` into a generator. GDB steps to where the generator's first line begins, and a generator that goes on behind a
`yield` jumps past that. So the thread is stopped where the generator's code is entered, and goes on from there to the
first line that runs."""

from __future__ import annotations

import gdb

from ..base import report
from ..frames import frames
from ..target import target
from .passed import Passed, remove

_FRAMES = 64  # of compiled code that may call the generator
_entries: list[Entry] = []  # of the `step` that runs


class Entry(Passed):
    """The first instruction of a generator, where one of the frames that are on the stack now has called it."""

    def __init__(self, address: int, callers: set[int]):
        super().__init__(address)
        self._callers = callers

    def stop(self) -> bool:
        caller = frames.outer(gdb.newest_frame().older())
        self.was_hit = caller is not None and frames.cfa(caller) in self._callers
        return self.was_hit


@report.quietly
def begin() -> None:
    """Before `step`, in the thread that is selected."""
    forget()
    of = target.current()
    if not of.has_process or not of.is_live or gdb.selected_thread() is None:
        return
    found = [each for each in frames.functions(of).all if each["kind"] == "generator-next" and each["line"]]
    callers = _callers(of) if found else set()
    if callers:
        _entries.extend(Entry(each["low"], callers) for each in found)


def _callers(of: target.Target) -> set[int]:
    """Return the frames of compiled functions that have called each other, the innermost among them."""
    found: set[int] = set()
    frame = frames.outer(gdb.newest_frame())
    while len(found) < _FRAMES and frame is not None and frames.compiled_at(of, frame) is not None:
        found.add(frames.cfa(frame))
        frame = frames.outer(frame.older())
    return found - {0}


def forget() -> bool:
    """Remove what begin() has set. True: the thread has come to one of them."""
    was_hit = any(entry.was_hit for entry in _entries)
    remove(*_entries)
    _entries.clear()
    return was_hit
