"""The frames of the thread that has started a parallel loop, after those of a worker of the loop. A DAP client is given
them under a heading. GDB's other lists number the frames of one thread alone, so they have a line that names the
thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jitscope_shared.base import stack_text

from ..base import console, report
from ..stacks import loop_starts, shown_frames
from ..stacks.merged_stack import Stack
from ..target import cells, target
from .named_frame import NamedFrame
from .python_frame import PythonFrame


class _Its:
    """What decorators of the thread's frames have in common: GDB knows the frames of the selected thread alone."""

    thread: Any

    def inferior_frame(self) -> Any:
        self.thread.switch()
        return super().inferior_frame()  # type: ignore[misc]


class _Frame(_Its, NamedFrame):
    def __init__(self, frame: Any, thread: Any):
        super().__init__(frame)
        self.thread = thread


class _Python(_Its, PythonFrame):
    def __init__(self, debuggee: target.Target, frame: Any, entry: dict[str, Any], thread: Any):
        super().__init__(debuggee, frame, entry)
        self.thread = thread


class _Heading(_Frame):
    """The line above the frames. A DAP client cannot select it."""

    hint = "label"  # DAP's word

    def function(self) -> str:
        return stack_text.heading(self.thread.num)

    def filename(self) -> None:
        return None

    def line(self) -> None:
        return None

    def frame_args(self) -> None:
        return None

    def frame_locals(self) -> None:
        return None


def frames(debuggee: target.Target, start: loop_starts.Start) -> Iterator[Any]:
    """Yield a heading and the thread's frames. They are found at once, since a client may ask for some of them later,
    when another thread is selected."""
    with loop_starts.selected(start.thread):
        shown = list(shown_frames.of_stack(Stack(debuggee), start.frame))
    yield _Heading(start.frame, start.thread)
    for each in shown:
        if each.python is None:
            yield _Frame(each.frame, start.thread)
        else:
            yield _Python(debuggee, each.frame, each.python, start.thread)


def tell(debuggee: target.Target, start: loop_starts.Start) -> None:
    """Say which thread has started the loop, and where: once for a stop to a front end, which asks for frames often."""
    with loop_starts.selected(start.thread):
        name, place = start.frame.name(), start.frame.find_sal()
    at = f" at {cells.base_name(place.symtab.filename)}:{place.line}" if place.symtab else ""
    text = (
        f"jitscope: thread {start.thread.num} has started this loop, in {console.plain(name or '?')}{at}; "
        "`jit bt` shows its frames"
    )
    said: set[str] = debuggee.keep(target.STOP, "told", set)
    if text not in said or not console.is_machine_interface():
        said.add(text)
        report.say(text)
