"""GDB's `up` and `down`: they go through the frames that `bt` shows, Python's too."""

from __future__ import annotations

import gdb

from ..present.stack_lines import text_of
from ..stacks import selection, shown_frames
from ..stacks.shown_frames import Shown
from ..target import target
from .gdb_break import Replacement

_MORE = """

In a process that runs Python the frames are those that `bt` shows: compiled functions,
Python's own frames and C functions of the program. `print` and `info locals` then are
about a Python frame, too. `disable frame-filter global jitscope` has `bt`, `up` and
`down` go through all frames of GDB's."""


class _Move(Replacement):
    more = _MORE
    sign = 1

    def run(self, argument: str) -> None:
        debuggee = target.current()
        found = _shown(debuggee)
        if not found:
            gdb.execute(f"{self.name}-silently {argument}", False)
            gdb.execute("frame", False)
            return
        count = self.sign * (int(gdb.parse_and_eval(argument)) if argument.strip() else 1)
        _show(debuggee, _chosen(debuggee, found, count))


class Up(_Move):
    def __init__(self) -> None:
        super().__init__("up", gdb.COMPLETE_EXPRESSION, gdb.COMMAND_STACK)


class Down(_Move):
    sign = -1

    def __init__(self) -> None:
        super().__init__("down", gdb.COMPLETE_EXPRESSION, gdb.COMMAND_STACK)


def _shown(debuggee: target.Target) -> list[Shown]:
    """Return the frames that `bt` shows; [] where it shows GDB's own."""
    thread = gdb.selected_thread()
    if thread is None or not thread.is_stopped() or not shown_frames.is_enabled(debuggee):
        return []
    return list(shown_frames.walk(debuggee))


def _chosen(debuggee: target.Target, found: list[Shown], count: int) -> Shown:
    """Return the frame that is `count` frames further out, or the last in that direction."""
    at, last = _place(debuggee, found, count > 0), len(found) - 1
    if count > 0 and at >= last:
        raise gdb.GdbError("Initial frame selected; you can't go up.")
    if count < 0 and at <= 0:
        raise gdb.GdbError("Bottom (innermost) frame selected; you can't go down.")
    return found[max(0, min(at + count, last))]


def _place(debuggee: target.Target, found: list[Shown], is_up: bool) -> int:
    """Return the number of the selected frame in the list. For a frame that is not in it, return that of the next frame
    in the direction that is not gone to."""
    selected, python = gdb.selected_frame(), selection.chosen_python(debuggee)
    for number, shown in enumerate(found):
        is_meant = shown.python is None or python is None or shown.python["address"] == python["address"]
        if shown.frame == selected and is_meant:
            return number
    outside = sum(shown.frame.level() <= selected.level() for shown in found)
    return outside - 1 if is_up else outside


def _show(debuggee: target.Target, shown: Shown) -> None:
    shown.frame.select()
    if shown.python is None:
        gdb.execute("frame", False)
        return
    selection.remember(debuggee, shown.python)
    gdb.write(text_of(debuggee, {**shown.python, "index": shown.frame.level()}) + "\n")


def create() -> None:
    Up()
    Down()
