"""`next`, `step`, `until` and `finish` out of a compiled function that was not called by compiled code.

The thread is in the compiler's wrapper then, which is no code of the user's. So the frame that has called the wrapper
is shown, as `jit bt` has it, with the returned value. GDB cannot step through interpreted Python, so a further step is
refused there. In a ufunc's loop the thread runs on to the next element; if C code with lines has called the wrapper, it
runs on to that code."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any, Callable

import gdb

from ..base import console, events, report
from ..frames import folding, frames
from ..present.stack_lines import text_of
from ..silent.passed import Passed, remove
from ..stacks import selection, shown_frames
from ..target import target
from . import python_line, returned

_FRAMES = 64  # frames of compiled code between the innermost frame and the wrapper, at most
_LOOPS = {"gufunc-wrapper", "ufunc-wrapper"}  # wrappers that call the function again
_NUMBA = re.compile(r"/numba/(core|np)/")  # Python code of Numba's that calls on behalf of the user's code

_left: Return | None = None  # the place where the function returns; None after the next stop
_here: str | None = None  # what the function returned, if the present stop is at that place
# what the function returned or raised that the last step or `finish` has left, as docs/schema/finish.json says
_ended: dict[str, Any] | None = None
_at: tuple[int, int, int] | None = None  # the thread for which another frame was shown, and the thread's position
_is_going_on = False
_is_kept = False


class Return:
    """The place where a compiled function returns to the compiler's wrapper. A step's stop there is not shown; a
    command that counts several steps ends there."""

    def __init__(self, debuggee: target.Target, frame: Any, is_finish: bool):
        self.left = returned.Leaving(debuggee, frame)
        self.is_finish = is_finish
        is_shown = is_finish or console.is_machine_interface()
        self.breakpoint = None if is_shown else Passed(self.left.back, self.left.stack)


def begin(debuggee: target.Target, is_finish: bool, is_asked_at_stops: Callable[[], bool]) -> None:
    """Prepare a step of the innermost frame, or `finish` of the selected one. `is_asked_at_stops` has GDB call
    stopped() before it shows a stop; it returns False if the user has a hook of their own."""
    global _left, _ended
    if _is_going_on or not debuggee.has_process or not debuggee.is_live:
        return
    _forget()
    _ended = None
    try:
        asked = frames.outer(gdb.selected_frame() if is_finish else gdb.newest_frame())
        frame = _outermost(debuggee, asked)
        if frame is not None and (not is_finish or frame == asked) and is_asked_at_stops():
            _left = Return(debuggee, gdb.selected_frame() if is_finish else frame, is_finish)
    except (gdb.error, gdb.MemoryError, report.Problem):
        pass  # the command itself reports the error


def _forget() -> None:
    global _left, _here
    left, _left, _here = _left, None, None
    if left is not None:
        remove(left.breakpoint)


def _outermost(debuggee: target.Target, frame: Any) -> Any:
    """Return the outermost of the compiled functions that have called each other, if a wrapper has called it; else
    None."""
    last = None
    for _ in range(_FRAMES):
        function = frames.compiled_at(debuggee, frame) if frame is not None else None
        if function is None:
            return None
        if function["kind"] not in frames.WRITTEN:
            is_kernel = last is not None and frames.compiled_at(debuggee, last)["kind"] == "parfor-kernel"
            return None if is_kernel else last  # stepping.py handles the body of a parallel loop
        last, frame = frame, frames.outer(frame.older())
    return None


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Keep the return place during a command within `hook-stop`: whether the thread has come there is checked after the
    command."""
    global _is_kept
    _is_kept = True
    try:
        yield
    finally:
        _is_kept = False


def stopped() -> None:
    """Handle a stop before GDB shows it, so that a wrapper is not shown."""
    global _here, _ended, _is_going_on
    left, debuggee = _left, target.current()
    if left is None or _is_going_on or not left.left.has_returned():
        return
    _ended = left.left.found()
    _here = _ended["text"]
    if console.is_machine_interface():  # GDB always sends a front end a frame
        _show_to_front_end(debuggee)
        return
    # A stop from which the program has run on since is not shown.
    function = frames.compiled_at(debuggee, gdb.newest_frame())
    _is_going_on = True
    try:
        if function is not None and function["kind"] in _LOOPS and not left.is_finish:
            _go_on_in_loop(debuggee, left.left.function)
        elif not _go_on_to_lines(debuggee) and left.is_finish:
            _go_on_least()
    finally:
        _is_going_on = False


def _show_to_front_end(debuggee: target.Target) -> None:
    debuggee.notice_program()
    debuggee.forget(target.STOP)
    entry = _caller(debuggee)
    if entry is not None and entry["kind"] == "python":
        python_line.show(debuggee, entry)


def _go_on_in_loop(debuggee: target.Target, function: dict[str, Any]) -> None:
    """Run on to the function's first line for the next element, or to the caller of the loop."""
    text = _here or ""
    _forget()
    wrapper = frames.outer(gdb.newest_frame())
    again, end = Passed(function["low"]), Passed(int(wrapper.older().pc()), frames.cfa(wrapper))
    try:
        gdb.execute("continue")
    finally:
        remove(again, end)
    if again.was_hit:
        gdb.execute("next")
    elif end.was_hit:
        debuggee.forget(target.STOP)
        _show(debuggee, text)


def _go_on_to_lines(debuggee: target.Target) -> bool:
    """Leave the wrapper, if C code with lines has called it, or if compiled code has called the interpreter: the rest
    of the caller's line is still to run. Return False if neither has."""
    wrapper = frames.outer(gdb.newest_frame())
    caller = wrapper.older()
    if caller is None:
        return False
    is_c = folding.classify(debuggee, caller, caller.name()) == folding.USER and caller.find_sal().symtab
    left = wrapper if is_c else returned.called_by_compiled(debuggee, wrapper)
    if left is None:
        return False
    left.select()
    gdb.execute("finish")
    return True


def _go_on_least() -> None:
    """Run one instruction, which is the least that can run, and which shows nothing if it ends at a breakpoint."""
    frame = gdb.newest_frame()
    here = frame.architecture().disassemble(int(frame.pc()))[0]
    end = Passed(here["addr"] + here["length"])
    try:
        gdb.execute("stepi")
    finally:
        remove(end)


@events.on("stop", order=150)
def arrived(_event: Any) -> None:
    """Report the returned value, once, after a stop was shown."""
    returned.arrived(_has_said(target.current()))


def _has_said(debuggee: target.Target) -> bool:
    text = _here
    if text is None:
        if not _is_going_on and not _is_kept:
            _forget()
        return False
    _forget()
    _show(debuggee, text)
    return True


def show_caller(debuggee: target.Target) -> bool:
    """Show the frame that has called the compiler's wrapper in which the thread is now. Return False if it is in no
    wrapper."""
    function = frames.compiled_at(debuggee, gdb.newest_frame())
    if function is None or function["kind"] in frames.WRITTEN:
        return False
    debuggee.forget(target.STOP)
    _show(debuggee, "")
    return True


def _show_entry(debuggee: target.Target, entry: dict[str, Any]) -> None:
    global _at
    if python_line.is_shown():
        selection.remember(debuggee, entry)
    else:
        selection.choose(debuggee, entry)
    _at = _position()
    report.say(text_of(debuggee, entry))


def _show(debuggee: target.Target, text: str) -> None:
    function = frames.compiled_at(debuggee, gdb.newest_frame())
    is_written = function is None or function["kind"] in frames.WRITTEN
    has_lines = is_written and gdb.newest_frame().find_sal().symtab is not None
    entry = None if has_lines else _caller(debuggee)
    if entry is not None:
        _show_entry(debuggee, entry)
    if text and gdb.parameter("jitscope notes") and not returned.is_asked():
        report.say(text)


def ended() -> dict[str, Any] | None:
    """Return the result of the function that the last `finish` has left for the compiler's wrapper, as
    docs/schema/finish.json says."""
    return _ended


def _caller(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the innermost frame of `jit bt` that is Python's or has a line, or None."""
    for entry in selection.entries(debuggee):
        if "thread" in entry:
            return None
        if entry["line"] and not (entry["kind"] == "python" and _NUMBA.search(entry["file"] or "")):
            return entry
    return None


def _is_interpreter(debuggee: target.Target, frame: Any) -> bool:
    """True if this is the interpreter's code, without lines. GDB would step to the end of the function, with all that
    runs in it."""
    is_its = folding.classify(debuggee, frame, frame.name()) in (folding.EVALUATION, folding.INTERPRETER)
    return is_its and frame.find_sal().symtab is None


def _position() -> tuple[int, int, int]:
    frame = gdb.newest_frame()
    return gdb.selected_thread().num, int(frame.pc()), int(frame.read_register("sp")) & (1 << 64) - 1


def refuse_steps() -> None:
    """Refuse steps until the program runs on, because the thread is stopped in a function that interpreted Python has
    called for the stop, and a step would go on in that function."""
    global _at
    _at = _position()


def is_stopped(debuggee: target.Target) -> bool:
    """True if a thread of a process is selected that GDB could step."""
    thread = gdb.selected_thread() if debuggee.has_process and debuggee.is_live else None
    return thread is not None and thread.is_stopped()


def forget_result() -> None:
    """Forget what the last function has returned, because another step is made."""
    global _ended
    _ended = None


def python_here(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the Python frame that the selected thread is in; None: GDB itself can step the thread."""
    if not is_stopped(debuggee):
        return None
    frame = gdb.newest_frame()
    if console.interpreter() == "dap" and (shown := shown_frames.python_at(debuggee, frame)) is not None:
        return shown  # the client is not shown the native functions that it has called
    function = frames.compiled_at(debuggee, frame)
    is_wrapper = function is not None and function["kind"] not in frames.WRITTEN
    if not is_wrapper and _at != _position() and (function is not None or not _is_interpreter(debuggee, frame)):
        return None
    entry = _caller(debuggee)
    return entry if entry is not None and entry["kind"] == "python" else None


def show_python(debuggee: target.Target) -> None:
    """Show the Python frame that the thread is in."""
    entry = _caller(debuggee)
    if entry is not None:
        _show_entry(debuggee, entry)
