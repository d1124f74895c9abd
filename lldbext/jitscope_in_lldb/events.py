"""What LLDB calls: at the registration of an object, where it attaches or opens a core, and at each stop. All are set
before there is a target, so that each new target has them."""

from __future__ import annotations

from typing import Any

import lldb
from jitscope_shared import jit_entries

from . import debuggee as debuggees
from . import faults, jit_objects, kept_elements, python_breakpoints, python_conditions, report, threads  # noqa: F401  (kept_elements registers itself)
from .stops import raising, requested_stops, returned

NAME = "jitscope"  # the breakpoint's name
_LOADER = "plugin.jit-loader.gdb.enable"


def connect(debugger: Any) -> None:
    """Have LLDB call this module in each target that there is and will be."""
    debugger.HandleCommand(f"settings set {_LOADER} off")  # which would show the compiler's unproved values
    targets = [debugger.GetTargetAtIndex(index) for index in range(debugger.GetNumTargets())]
    for target in (debugger.GetDummyTarget(), *targets):
        if target.IsValid():
            _connect_target(target)
    for target in targets:  # a process or core that is there already
        debuggee = debuggees.of(target.GetProcess())
        if debuggee is not None and (text := _arrived(debuggee)):
            print(report.shown(text))
    # a target that is made later copies the hook of the dummy target
    debugger.HandleCommand(f"target stop-hook add -P {__name__}.StopHook")


def _connect_target(target: Any) -> None:
    breakpoint = target.BreakpointCreateByName(jit_entries.REGISTER)
    breakpoint.AddName(NAME)
    breakpoint.SetAutoContinue(True)
    breakpoint.SetScriptCallbackFunction(f"{__name__}.registering")
    everywhere = lldb.SBFileSpecList()
    loading = target.BreakpointCreateFromScript(f"{__name__}.Loading", lldb.SBStructuredData(), everywhere, everywhere)
    loading.AddName(NAME)
    loading.SetScriptCallbackFunction(f"{requested_stops.__name__}.arrived")


class Loading:
    """LLDB calls it for each module that a target gets, and nothing else where it attaches or opens a core. An editor
    then sets its breakpoints and has the process go on. Its places are the functions that a program calls to stop."""

    def __init__(self, breakpoint: Any, _arguments: Any, _names: Any):
        self._breakpoint = breakpoint

    def __callback__(self, context: Any) -> None:
        try:
            target = self._breakpoint.GetTarget()
            python_breakpoints.take_conditions(target)
            for place in requested_stops.places(context.GetModule()):
                self._breakpoint.AddLocation(place)
            address = context.GetModule().FindSymbol(jit_entries.DESCRIPTOR).GetStartAddress()
            # LLDB 14 calls first where the module has no address yet
            if address.IsValid() and address.GetLoadAddress(target) != lldb.LLDB_INVALID_ADDRESS:
                debuggee = debuggees.of(target.GetProcess())
                if debuggee is not None and debuggee.process.GetState() != lldb.eStateRunning:
                    jit_objects.of(debuggee).arriving()
        except Exception as error:
            report.warn(report.line_of(error))

    def __get_depth__(self) -> int:
        return int(lldb.eSearchDepthModule)

    def get_short_help(self) -> str:
        return "libraries with a JIT, and jitscope.breakpoint()"


def registering(frame: Any, _location: Any, _extra: Any = None, _names: Any = None) -> bool:
    """Take the object that the program registers. False: the program goes on."""
    try:
        debuggee = debuggees.of(frame.GetThread().GetProcess())
        if debuggee is not None:
            jit_objects.of(debuggee).registered()
            python_conditions.take(debuggee.target)
    except Exception as error:
        report.warn(report.line_of(error))
    return False


class StopHook:
    """LLDB calls handle_stop() at each stop that the user sees."""

    def __init__(self, _target: Any, _extra: Any, _names: Any):
        pass

    def handle_stop(self, context: Any, stream: Any) -> bool:
        """True: the process stays stopped."""
        try:
            debuggee = debuggees.of(context.GetProcess())
            if debuggee is None:
                return True
            jit_objects.of(debuggee).refresh()
            taken = python_conditions.take(debuggee.target) if jit_objects.of(debuggee).count else frozenset()
            if python_breakpoints.is_false_stop(debuggee, context.GetThread(), taken):
                return False
            text = stopped(debuggee, context.GetThread())
            if text:
                report.say(text, stream)
        except Exception as error:
            report.warn(report.line_of(error))
        return True


def _arrived(debuggee: debuggees.Debuggee) -> str | None:
    """Bring what is known of a process up to date that LLDB already has, and return the sentence about a core's
    fault."""
    if debuggee.process.GetState() == lldb.eStateRunning:
        return None
    try:
        jit_objects.of(debuggee).refresh()
        python_conditions.take(debuggee.target)
        threads.learn_names(debuggee)
        return faults.explain_core(debuggee)
    except Exception as error:
        return report.line_of(error)


def stopped(debuggee: debuggees.Debuggee, thread: Any) -> str | None:
    """Bring what is known of the process up to date, and return the sentence about the stop."""
    threads.learn_names(debuggee)
    try:
        return _sentence(debuggee, thread) if thread.IsValid() else None
    finally:
        returned.note(debuggee)


def _sentence(debuggee: debuggees.Debuggee, thread: Any) -> str | None:
    if text := requested_stops.explain(debuggee, thread):
        return text
    if not jit_objects.of(debuggee).count:
        return None
    thread = python_breakpoints.select(debuggee.process, thread)
    return raising.explain(debuggee, thread) or faults.explain(debuggee, thread) or returned.explain(debuggee, thread)
