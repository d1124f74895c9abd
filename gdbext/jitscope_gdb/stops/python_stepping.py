"""`next` and `step` where the thread is in interpreted Python: after a step out of a compiled function, or at a stop in
the interpreter. A hook of the command makes the step. Then the command itself runs one instruction, which shows
nothing, and the Python line is shown. A step that ends at another stop, or that cannot be made, ends the command."""

from __future__ import annotations

from typing import Any, Callable

import gdb

from ..base import console, events, report
from ..silent.next_instruction import next_addresses
from ..silent.passed import Passed, remove
from ..silent.python_step import Step
from ..target import target
from . import endless, step_out

MAY_STEP = "$jit_may_step()"

running: Step | None = None  # the step that is being made
_problem = ""  # why the command does not run: the step has ended elsewhere, or cannot be made
_passed: list[Passed] = []  # where the command may stop that runs one instruction
_is_stepped = False  # the next stop is the end of a step in Python
_step_mode = False  # `step-mode` was changed for the command


def create() -> None:
    MayStep()


def begin_next() -> None:
    _begin(False)


def begin_step() -> None:
    _begin(True)


def _begin(enters: bool) -> None:
    """Make the step, if the thread is in interpreted Python."""
    global _problem
    _problem = ""
    debuggee = target.current()
    frame = python_frame(debuggee)
    if frame is None:
        return
    name = console.plain(frame["name"])
    try:
        if console.is_machine_interface():
            raise report.Problem("a front end that speaks MI would be told of two stops")
        step = run(debuggee, frame, enters, gdb.execute)
    except (report.Problem, gdb.error, gdb.MemoryError) as error:
        _problem = f"{name} is interpreted Python, and cannot be stepped here: {report.line_of(error)}"
        return
    if step.has_arrived:
        _let_pass()
    elif not step.has_entered:  # in a compiled function, the command goes on to its first line
        _problem = f"the step in {name} has ended here" if debuggee.has_process else "the program has ended in the step"


def python_frame(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the Python frame that the thread is in; None: GDB itself can step the thread."""
    try:
        return step_out.python_here(debuggee)
    except (gdb.error, gdb.MemoryError, report.Problem):
        return None  # the step itself reports the error


def run(
    debuggee: target.Target,
    frame: dict[str, Any],
    enters: bool,
    execute: Callable[[str], Any],
    at_body: bool = False,
) -> Step:
    """Make a step from a Python frame, and return it, which says how it has ended. `execute`: runs a command of GDB.
    Raise report.Problem or gdb.error if the thread cannot be stepped."""
    step_out.forget_result()
    step = Step(debuggee, frame["address"], enters, at_body)
    _continue(step, execute)
    while step.is_in_callee or step.is_between:
        debuggee.forget(target.STOP)
        if step.is_in_callee:
            step = Step(debuggee, 0, enters=False)
        _continue(step, execute)
    if step.is_lost:
        execute("continue")
    return step


def _continue(step: Step, execute: Callable[[str], Any]) -> None:
    global running
    with step.watched():
        running = step
        try:
            execute("continue")
        finally:
            running = None


@events.on("objects_changed", order=65)
def changed(_since: object) -> None:
    if running is not None:
        running.watch_functions()


def _let_pass() -> None:
    """Have the command that follows run one instruction."""
    global _is_stepped, _step_mode
    _is_stepped = True
    _passed.extend(map(Passed, next_addresses(gdb.newest_frame())))
    if not gdb.parameter("step-mode"):  # else GDB says that the interpreter has no lines
        _step_mode = True
        gdb.execute("set step-mode on")


@events.on("stop", order=152)
def arrived(_event: object) -> None:
    """Show the Python line at which the step has ended, unless the thread has met another stop."""
    is_at_end = any(each.was_hit for each in _passed)
    settle()
    if is_at_end:
        debuggee = target.current()
        debuggee.forget(target.STOP)
        step_out.show_python(debuggee)


@events.on("exited", order=52)
def settle(_event: object = None) -> None:
    """Undo what was prepared for the command."""
    global _is_stepped, _step_mode
    _is_stepped = False
    remove(*_passed)
    _passed.clear()
    if _step_mode:
        _step_mode = False
        gdb.execute("set step-mode off")


class MayStep(gdb.Function):
    """$jit_may_step(): 1, or an error that says why the command goes nowhere."""

    def __init__(self) -> None:
        super().__init__(MAY_STEP[1:-2])

    def invoke(self) -> int:
        global _problem
        text, _problem = _problem, ""
        try:
            text = text or ("" if _is_stepped else refusal(target.current()))
        except Exception as error:  # the step itself reports the error
            if report.debugging():
                report.warn(report.line_of(error))
            text = ""
        if text:
            raise gdb.GdbError(text)
        return 1


def refusal(debuggee: target.Target) -> str:
    """Return why GDB itself cannot step the thread; "" if it can."""
    if not step_out.is_stopped(debuggee):
        return ""
    if text := endless.refusal(debuggee, gdb.newest_frame()):
        return text
    python = python_frame(debuggee)
    if python is None:
        return ""
    return f"{console.plain(python['name'])} is interpreted Python, which only `next` and `step` step through"
