"""`step` into a generator. GDB steps to where the generator's first line begins, and a generator that resumes after a
`yield` jumps past that place. So the thread is stopped where the generator's code is entered, and goes on from there to
the first line that runs."""

from __future__ import annotations

import fnmatch
import os
import re

import gdb

from ..base import console, report
from ..frames import frames
from ..silent.passed import Passed, remove
from ..target import target

_FRAMES = 64  # frames of compiled code that may call the generator, at most
# An enabled row of `info skip`: whether the file is a pattern, the file, whether the function is an expression, the
# function.
_SKIP = re.compile(r"^\d+ +y +([yn]) (.*?) +([yn]) (.*)$", re.M)
_ANY = "<none>"
_entries: list[Entry] = []  # the breakpoints of the `step` that runs


class Entry(Passed):
    """A breakpoint at the first instruction of a generator, hit if one of the present frames has called it."""

    def __init__(self, address: int, callers: set[int]):
        super().__init__(address)
        self._callers = callers

    def stop(self) -> bool:
        caller = frames.outer(gdb.newest_frame().older())
        self.was_hit = caller is not None and frames.cfa(caller) in self._callers
        return self.was_hit


@report.quietly
def begin() -> None:
    """Prepare `step` of the selected thread."""
    forget()
    debuggee = target.current()
    if not debuggee.has_process or not debuggee.is_live or gdb.selected_thread() is None:
        return
    found = [each for each in frames.functions(debuggee).all if each["kind"] == "generator-next" and each["line"]]
    callers = _callers(debuggee) if found else set()
    skips = _SKIP.findall(console.text_of("info skip")) if callers else []
    _entries.extend(
        Entry(each["low"], callers)
        for each in found
        if callers and not any(_is_skipped(each["name"], each["file"], *skip) for skip in skips)
    )


def _is_skipped(name: str, path: str | None, is_pattern: str, file: str, is_expression: str, function: str) -> bool:
    """True if the user's `skip` covers the function."""
    own = (path or "", os.path.basename(path or ""))
    in_file = file == _ANY or any(fnmatch.fnmatch(each, file) if is_pattern == "y" else each == file for each in own)
    is_named = re.search(function, name) is not None if is_expression == "y" else function in (_ANY, name)
    return in_file and is_named


def _callers(debuggee: target.Target) -> set[int]:
    """Return the CFAs of the innermost frames, as far out as they are compiled functions'."""
    found: set[int] = set()
    frame = frames.outer(gdb.newest_frame())
    while len(found) < _FRAMES and frame is not None and frames.compiled_at(debuggee, frame) is not None:
        found.add(frames.cfa(frame))
        frame = frames.outer(frame.older())
    return found - {0}


def forget() -> bool:
    """Remove the breakpoints that begin() has set. Return True if the thread has hit one of them."""
    was_hit = any(entry.was_hit for entry in _entries)
    remove(*_entries)
    _entries.clear()
    return was_hit
