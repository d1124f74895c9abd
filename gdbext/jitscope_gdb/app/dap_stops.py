"""Why the program has stopped, for a DAP client (gdb/dap/events.py of GDB 14 and later): a fault and an exception of
compiled code come with their sentence, and a step out of a function with what it returned."""

from __future__ import annotations

import signal
from typing import Any, Callable

import gdb
from jitscope_shared.base import native

from ..base import report
from ..present import stop_notes
from ..present.printed_values import TextPrinter, printed
from ..silent.python_step import FINISH, NEXT, STEP
from ..stops import python_stepping, raising, step_out
from ..target import target
from . import dap_server

_SIGNALS = (*stop_notes.SIGNALS, *stop_notes.ENDED)


def adopt() -> None:
    """Have GDB's DAP server send the reasons."""
    for name in ("send_event", "send_event_maybe_later"):  # GDB 17 and later have the first alone
        dap_server.replace(dap_server.module("events"), name, _sending)
    dap_server.replace(dap_server.module("next"), "exec_and_expect_stop", _stepping)


def _sending(original: Callable[..., Any]) -> Callable[..., Any]:
    def send(event: str, body: Any = None) -> None:
        if event == "stopped" and isinstance(body, dict):
            step = python_stepping.running
            if step is not None and (step.is_in_callee or step.is_between or step.is_lost):
                return  # the program runs on at once
            if step is not None and (step.has_arrived or step.has_entered):
                body.update(reason="step")
                body.pop("hitBreakpointIds", None)
            report.quietly(_complete)(body)
        original(event, body)

    return send


def _stepping(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that tells the client of a step that is refused. GDB's server has answered by then that the
    program runs, and the client would wait for a stop."""

    def step(command: str, *arguments: Any, **named: Any) -> Any:
        debuggee = target.current()
        kind = command.partition(" ")[0]
        refused = python_stepping.refusal(debuggee, kind) if kind in (NEXT, STEP, FINISH) else None
        if refused is None:
            return original(command, *arguments, **named)
        text = refused.text
        if refused.python is not None:
            try:
                return python_stepping.run(debuggee, refused.python, kind, original, at_body=True)
            except (report.Problem, gdb.error, gdb.MemoryError) as error:
                text = f"the step cannot be made: {report.line_of(error)}"
        report.say(f"jitscope: {text}", is_important=True)
        body = {"reason": "step", "threadId": gdb.selected_thread().global_num, "allThreadsStopped": True}
        # not the function of the module `events`, which describes a new stop
        return dap_server.module("server").send_event("stopped", {**body, "description": text})

    return step


def _complete(body: dict[str, Any]) -> None:
    """Add to the event what jitscope knows of the stop."""
    debuggee = target.current()
    if not debuggee.has_process or not debuggee.feed.objects:
        return
    # GDB's server handles the stop before jitscope does
    debuggee.notice_program()
    debuggee.forget(target.STOP)
    numbers = body.get("hitBreakpointIds", ())
    if any(each.number in numbers for each in raising.breakpoints()):
        _give(body, raising.line_of(debuggee), "Exception of compiled code")
    elif body.get("reason") == "signal":
        name = _signal()
        _give(body, _explained(debuggee, name), f"Signal {name}")
    elif body.get("reason") == "step" and not numbers and (ended := step_out.ended()) is not None:
        _give_result(body, ended)


def _give(body: dict[str, Any], sentence: str | None, description: str) -> None:
    if sentence:
        body.update(reason="exception", description=description, text=sentence)


def _signal() -> str:
    """Return the name of the signal that the thread has stopped at; "" if it is none of a fault."""
    try:
        number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
    except (gdb.error, gdb.MemoryError):
        return ""
    return next((name for name in _SIGNALS if number == getattr(signal, name)), "")


def _explained(debuggee: target.Target, name: str) -> str | None:
    try:
        return stop_notes.cause(debuggee, name) if name else None
    except native.NativeError:
        return None


def _give_result(body: dict[str, Any], ended: dict[str, Any]) -> None:
    """Show what a function returned as the client's return value, or what it raised as the reason of the stop."""
    returned = ended["returned"]
    if returned is not None and returned["state"] == "exact":
        value = printed(TextPrinter(returned["text"]), returned["type"] or "")
        dap_server.module("scopes").set_finish_value(value)
    body["description"] = str(ended["text"])
