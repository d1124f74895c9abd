"""`next`, `step` and `finish` in interpreted Python: after a step out of a compiled function, or at a stop in the
interpreter; `finish` of any Python frame. A hook of the command makes the step. Then the command itself runs one
instruction, which shows nothing, and the Python line is shown. A step that ends at another stop, or that cannot be
made, ends the command."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import gdb
from jitscope_shared.base import native

from ..base import console, events, report
from ..silent.next_instruction import next_addresses
from ..silent.passed import Passed, remove
from ..silent.python_step import FINISH, NEXT, STEP, Step
from ..stacks import selection
from ..target import target
from . import endless, step_out

MAY_STEP = "$jit_may_step()"

running: Step | None = None  # the step that is being made
_problem = ""  # why the command does not run: the step has ended elsewhere, or cannot be made
_passed: list[Passed] = []  # where the command may stop that runs one instruction
_step_mode = False  # `step-mode` was changed for the command


def create() -> None:
    MayStep()


def begin_next() -> None:
    _begin(NEXT)


def begin_step() -> None:
    _begin(STEP)


def begin_finish() -> None:
    _begin(FINISH)


def begin_until() -> None:
    global _problem
    refused = refusal(target.current())
    _problem = refused.text if refused is not None else ""


def _begin(kind: str) -> None:
    """Make the step, if the thread is in interpreted Python."""
    global _problem
    _problem = ""
    debuggee = target.current()
    refused = refusal(debuggee, kind)
    if refused is None:
        return
    if refused.python is None:
        _problem = refused.text
        return
    name = console.plain(refused.python["name"])
    try:
        if console.is_machine_interface():
            raise report.Problem("a front end that speaks MI would be told of two stops")
        step = run(debuggee, refused.python, kind, gdb.execute)
    except (report.Problem, gdb.error, gdb.MemoryError) as error:
        _problem = f"{name} is interpreted Python, and cannot be stepped here: {report.line_of(error)}"
        return
    if step.has_arrived:
        _let_pass()
    elif not step.has_entered:  # in a compiled function, the command goes on to its first line
        _problem = f"the step in {name} has ended here" if debuggee.has_process else "the program has ended in the step"


class Refusal(NamedTuple):
    """Why GDB itself cannot step a thread, and the Python frame that it is in (None: it is in compiled code)."""

    text: str
    python: dict[str, Any] | None


def refusal(debuggee: target.Target, kind: str = "") -> Refusal | None:
    """Return why GDB itself cannot make a step of this kind ("": another one) in the selected thread; None: it can."""
    if not step_out.is_stopped(debuggee):
        return None
    try:
        if kind == FINISH:
            python = selection.chosen_python(debuggee)
            if python is None and gdb.selected_frame() != gdb.newest_frame():
                return None
        elif text := endless.refusal(debuggee, gdb.newest_frame()):
            return Refusal(text, None)
        else:
            python = None
        python = python or step_out.python_here(debuggee)
    except (gdb.error, gdb.MemoryError, report.Problem, native.NativeError) as error:
        if report.debugging():
            report.warn(report.line_of(error))
        return None  # the command itself reports the error
    if python is None:
        return None
    name = console.plain(python["name"])
    return Refusal(f"{name} is interpreted Python, which only `next`, `step` and `finish` step through", python)


def run(
    debuggee: target.Target,
    frame: dict[str, Any],
    kind: str,
    execute: Callable[[str], Any],
    at_body: bool = False,
) -> Step:
    """Make a step from a Python frame, and return it, which says how it has ended. `execute`: runs a command of GDB.
    Raise report.Problem or gdb.error if the thread cannot be stepped."""
    step_out.forget_result()
    step = Step(debuggee, frame["address"], kind, at_body)
    _continue(step, execute)
    while step.is_in_callee or step.is_between:
        debuggee.forget(target.STOP)
        if step.is_in_callee:
            step = Step(debuggee, 0)
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
    global _step_mode
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
    global _step_mode
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
        if text:
            raise gdb.GdbError(text)
        return 1
