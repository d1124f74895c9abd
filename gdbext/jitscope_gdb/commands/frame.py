"""`jit frame`, `jit up`, `jit down`: select one of the frames of `jit bt`, Python's too."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import report
from ..present.stack_lines import text_of
from ..stacks import selection
from ..target import target
from .base import Arguments, JitCommand, write


class Frame(JitCommand):
    """Use this to look at another frame of `jit bt`, Python's too.
    Usage: jit frame [N]

    N is the frame's number in `jit bt`; without N the selected frame is shown. `jit
    locals`, `jit args` and `jit print` then are about this frame. For a Python frame GDB
    selects the frame of the interpreter that runs it, which may run several. GDB's own
    `frame`, `up` and `down` count other frames: after them, and after the program has
    run, the innermost Python frame of GDB's frame is selected.

    Example, from a compiled function to the Python frame that has called it:
      (gdb) jit frame 1
      #1  run (function=CPUDispatcher(<function index at 0x7fffe7af5440>),
          arguments=({...}, 5)) at .../raises.py:151 [py]
      151                print(function.__name__, function(*arguments), flush=True)"""

    name = "frame"
    takes_argument = True

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        _expect_stack(debuggee)
        found = selection.entries(debuggee)
        if not arguments.rest:
            show(debuggee, _selected(debuggee, found))
            return
        number = _number(arguments.rest, self.usage())
        chosen = selection.numbered(debuggee, found, number)
        selection.choose(debuggee, chosen)
        show(debuggee, chosen)


class Up(JitCommand):
    """Use this to look at the frame that has called this one.
    Usage: jit up [N]

    N is how many frames further out to go (1), as `jit bt` shows them.

    Example, from a compiled function to the Python frame that has called it:
      (gdb) jit up
      #1  run (function=CPUDispatcher(<function index at 0x7fffe7af5440>),
          arguments=({...}, 5)) at .../raises.py:151 [py]
      151                print(function.__name__, function(*arguments), flush=True)"""

    name = "up"
    takes_argument = True

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        move(debuggee, _number(arguments.rest or "1", self.usage()))


class Down(JitCommand):
    """Use this after `jit up`, to go back to a frame further in.
    Usage: jit down [N]

    N is how many frames further in to go (1), as `jit bt` shows them.

    Example, after `jit up`:
      (gdb) jit down
      #0  index (a=array(float64, shape=(3,)), n=5) at .../raises.py:34
      34                total += a[i]  # at: index"""

    name = "down"
    takes_argument = True

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        move(debuggee, -_number(arguments.rest or "1", self.usage()))


def move(debuggee: target.Target, count: int) -> None:
    """Select the frame that is `count` frames further out, or the outermost if there are fewer."""
    _expect_stack(debuggee)
    found = selection.entries(debuggee)
    own = [each for each in found if "thread" not in each]
    entry = _selected(debuggee, found)
    if entry["index"] == own[-1]["index"] and count > 0:
        _expect_no_more(found, own)
        raise report.Problem("Initial frame selected; you can't go up.")
    if entry["index"] == own[0]["index"] and count < 0:
        raise report.Problem("Bottom (innermost) frame selected; you can't go down.")
    chosen = selection.numbered(debuggee, own, max(0, min(entry["index"] + count, own[-1]["index"])))
    selection.choose(debuggee, chosen)
    show(debuggee, chosen)


def _selected(debuggee: target.Target, found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the selected frame of the list; a frame outside of them all counts as the outermost."""
    own = [each for each in found if "thread" not in each]
    if not own:
        _expect_no_more(found, own)
        raise report.Problem("`jit bt` shows no frame of this thread")
    return selection.current(debuggee, found) or own[-1]


def _expect_no_more(found: list[dict[str, Any]], own: list[dict[str, Any]]) -> None:
    """Raise Problem where more frames follow, which are those of the thread that has started the loop."""
    if len(found) > len(own):
        other = found[len(own)]["thread"]
        raise report.Problem(f"thread {other} has started the loop, and its frames follow: `thread {other}`")


def show(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Write the frame's line, and its source line if it is known."""
    write(text_of(debuggee, entry))


def _expect_stack(debuggee: target.Target) -> None:
    if not debuggee.has_process or gdb.selected_thread() is None:
        raise report.Problem("No stack.")
    if not gdb.selected_thread().is_stopped():
        raise report.Problem("the selected thread is running")


def _number(text: str, usage: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise report.Problem(f"{text!r} is no number. {usage}") from None


def create() -> None:
    Frame()
    Up()
    Down()
