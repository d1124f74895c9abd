"""`next`, `step`, `until`, `advance` and `finish` out of a parallel loop's body. The body's caller and the pool are no
code of the user's, so the thread runs on to its next chunk of the loop, or to the line after the loop."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import console, events, report
from ..frames import frames
from ..silent.passed import Passed, remove
from ..target import target
from ..threads import workers
from . import inlined_end, other_worker, python_line, python_stepping, region_end, resumed, returned, skips, step_out

_FRAMES = 64  # frames between the innermost frame and the body, at most
_COMMANDS = ("next", "step", "until", "advance")

_end: End | None = None
_is_going_on = False
_settled: Any = None  # the thread in which the last step has ended
_passed: dict[str, Any] | None = None  # the result of the body that the last step has left


class End(Passed):
    """A breakpoint where the caller of the body goes on. Its stop is not shown, unless the thread cannot go on."""

    def __init__(self, debuggee: target.Target, frame: Any, body: dict[str, Any], back: int):
        super().__init__(back, frames.cfa(frame))
        self.body = body
        self.left = returned.Leaving(debuggee, frame)


def hook() -> None:
    """Add hooks to the stepping commands: GDB announces a step only to a hook of the command."""
    python_line.create()
    python_stepping.create()
    console.hook("hook-finish", python_stepping.begin_finish, python_stepping.MAY_STEP, returned.begin, begin_finish)
    console.hook("hook-next", python_stepping.begin_next, python_stepping.MAY_STEP, begin)
    console.hook("hook-step", python_stepping.begin_step, python_stepping.MAY_STEP, begin, skips.begin, begin_step)
    console.hook("hook-until", python_stepping.begin_until, python_stepping.MAY_STEP, begin)
    console.hook("hook-advance", begin)
    for command in (*_COMMANDS, "finish"):
        console.hook(f"hookpost-{command}", settle)


@report.quietly
def begin(is_finish: bool = False) -> None:
    """Prepare a step of the selected thread."""
    global _end, _passed, _settled
    debuggee = target.current()
    step_out.begin(debuggee, is_finish, _hook_stop)
    if is_finish:
        inlined_end.begin(debuggee, _hook_stop)
    if _is_going_on or not debuggee.has_process or not debuggee.is_live or not frames.functions(debuggee).has_kernels:
        return
    _forget()
    other_worker.forget()
    _passed = _settled = None
    try:
        found = _body(debuggee)
        if found is not None:
            other_worker.begin()
        # stopped() runs before GDB shows a stop, and GDB does not show a stop from which it lets the thread go on.
        if found is not None and _hook_stop():
            _end = End(debuggee, *found)
    except (gdb.error, gdb.MemoryError, report.Problem):
        pass  # the command itself reports the error


def _hook_stop() -> bool:
    """Have GDB call stopped() before it shows a stop. Return False if the user has a hook of their own."""
    return console.hook("hook-stop", stopped)


def begin_step() -> None:
    """Prepare `step`, which may enter a generator."""
    if _hook_stop():
        resumed.begin()


def begin_finish() -> None:
    """Prepare `finish`."""
    begin(True)


def _body(debuggee: target.Target) -> tuple[Any, dict[str, Any], int] | None:
    """Return the frame of the innermost parallel loop's body on the stack, its function, and the address that it
    returns to."""
    frame = gdb.newest_frame()
    for _ in range(_FRAMES):
        if frame is None:
            return None
        function = frames.compiled_at(debuggee, frame) if frame.type() != gdb.INLINE_FRAME else None
        if function is not None and function["kind"] == "parfor-kernel":
            caller = frame.older()
            return (frame, function, int(caller.pc())) if caller is not None else None
        frame = frame.older()
    return None


def _forget() -> None:
    global _end
    remove(_end)
    _end = None


@report.quietly
def stopped() -> None:
    """Handle a stop before GDB shows it."""
    global _is_going_on, _settled
    if resumed.forget():
        with step_out.kept():
            gdb.execute("next")
        stopped()  # GDB runs no hook within a hook
        step_out.arrived(None)
        return
    step_out.stopped()
    inlined_end.stopped()
    end = _end
    if end is None or _is_going_on:
        return
    end_thread = end.thread
    _forget()
    if end.was_hit:
        other_worker.forget()
        _is_going_on = True
        try:
            _go_on(target.current(), end)
        finally:
            _is_going_on = False
        thread = gdb.selected_thread()
        if thread is not None and thread.is_valid() and thread.global_num != end_thread:
            _settled = thread
            # on the console, the hook after the command or the next prompt calls settle()
            if console.is_machine_interface():
                gdb.post_event(settle)


@events.on("before_prompt", order=20)
@report.quietly
def settle() -> None:
    """Select the thread again, because after `hook-stop` GDB selects the thread that it has stopped first."""
    global _settled
    thread, _settled = _settled, None
    if thread is not None and thread.is_valid() and thread.is_stopped():
        thread.switch()  # the thread that GDB has selected may have ended since


def passed(frame_of: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result as docs/schema/finish.json has it, if the step has left this function's body and gone on."""
    return _passed if _passed is not None and _passed["function"] == frame_of["name"] else None


def _go_on(debuggee: target.Target, end: End) -> None:
    global _passed
    debuggee.notice_program()
    debuggee.forget(target.STOP)
    debuggee.feed.refresh()
    found = end.left.found()
    try:
        if gdb.parameter("scheduler-locking") == "on":
            raise report.Problem("the other threads do not run: `set scheduler-locking off`")
        ending = region_end.Ending(debuggee, end.body["parent"], end.body["line"])
    except report.Problem as problem:
        gdb.write(report.line_of(problem) + "\n" + console.styled(console.text_of("frame", is_styled=True)))
        return
    _passed = found
    gdb.write(console.shown(_text(debuggee, end, found)) + "\n")
    entry = Passed(end.body["low"])  # hit if this thread has another chunk
    try:
        gdb.execute("continue")
    finally:
        remove(entry)
        ending.delete()
    if entry.was_hit:
        gdb.execute("next")
    elif ending.was_hit:
        ending.show()


def _text(debuggee: target.Target, end: End, found: dict[str, Any]) -> str:
    """Return the line that says which thread has left the body, and how."""
    entry = workers.of_thread(debuggee, gdb.selected_thread().num)
    who = f"thread {gdb.selected_thread().num}"
    if entry is not None and entry["layer"] is not None:
        number = 0 if entry["worker"] is None and entry["starts"] else entry["worker"]
        who = f"worker {number} of {entry['layer']}" if number is not None else who
    name = end.body["name"]
    if found["raised"]:
        return f"{who} has left its chunk of {name} by {found['raised']}"
    return f"{who} has run its chunk of {name} to the end"
