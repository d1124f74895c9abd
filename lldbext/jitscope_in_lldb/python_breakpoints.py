"""Breakpoints by the Python name of a function, and conditions that are Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import lldb
from jitscope_shared.base import native, private_files
from jitscope_shared.commands import break_words
from jitscope_shared.functions.compiled_functions import WRITTEN

from . import debuggee as debuggees
from . import native_frames, python_conditions, report, variables
from .report import Problem

_LINE = re.compile(r"(?P<file>.+):(?P<line>\d+)")
_NAME = re.compile(r"[^\W\d][\w.<>]*")

NO_TARGET = "no target: type `target create PROGRAM` first, or start LLDB with the program"

_IDLE = (lldb.eStopReasonInvalid, lldb.eStopReasonNone)

_conditions: dict[tuple[int, int], str | None] = {}  # by LLDB's debugger and the number of the breakpoint
# By LLDB's process: the number of a stop, and the threads at breakpoints whose conditions hold there.
_held: dict[int, tuple[int, set[int]]] = {}
_said: set[tuple[str, int]] = set()  # conditions that failed, and where


def create(target: Any, text: str, is_temporary: bool = False) -> str:
    """Make a breakpoint, and return the line about it."""
    words = break_words.split(text)
    if not target.IsValid():
        raise Problem(NO_TARGET)
    if not words.location or words.restrictions or words.condition == "":
        raise Problem(f"Usage: jit {'t' * is_temporary}break NAME|FILE:LINE [if CONDITION]")
    if words.condition is not None:
        check(words.condition)
    if line := _LINE.fullmatch(words.location):
        breakpoint = target.BreakpointCreateByLocation(line["file"], int(line["line"]))
    elif _NAME.fullmatch(words.location):
        names = lldb.SBStructuredData()
        stream = lldb.SBStream()
        stream.Print(f'{{"name": "{words.location}"}}')
        names.SetFromJSON(stream)
        nothing = lldb.SBFileSpecList()
        breakpoint = target.BreakpointCreateFromScript(f"{__name__}.Named", names, nothing, nothing)
    else:
        raise Problem(f"{words.location!r} is no name of a function and no FILE:LINE")
    if words.condition is not None:
        give_condition(target, breakpoint, words.condition)
        breakpoint.SetScriptCallbackFunction(f"{__name__}.holds")
    breakpoint.SetOneShot(is_temporary)
    count = int(breakpoint.GetNumLocations())
    found = f"{count} location{'' if count == 1 else 's'}" if count else "pending, until it is compiled"
    return f"Breakpoint {breakpoint.GetID()} at {words.location}: {found}"


def check(condition: str) -> None:
    """Raise Problem if Python cannot read the condition."""
    found = native.json_of("js_condition_check", condition.encode("utf-8", "replace"))
    if found.get("error"):
        raise Problem(found["error"])


def give_condition(target: Any, breakpoint: Any, condition: str | None) -> tuple[int, int]:
    """Note the condition that holds() decides, None for none, and return the breakpoint's key."""
    key = key_of(target, breakpoint)
    _conditions[key] = condition
    return key


def take_conditions(target: Any) -> None:
    """Have holds() decide the conditions of LLDB's own breakpoints in compiled Python."""
    python_conditions.listen(target, f"{__name__}.holds")


def key_of(target: Any, breakpoint: Any) -> tuple[int, int]:
    return int(target.GetDebugger().GetID()), int(breakpoint.GetID())


class Named:
    """Finds the compiled functions of a Python name in each module that LLDB loads; LLDB makes one for a breakpoint."""

    def __init__(self, breakpoint: Any, arguments: Any, _names: Any):
        self._breakpoint = breakpoint
        self._name = arguments.GetValueForKey("name").GetStringValue(1000)

    def __callback__(self, context: Any) -> None:
        module = context.GetModule()
        if not private_files.is_ours(module.GetFileSpec().fullpath):
            return
        for address in _places(module, self._name):
            self._breakpoint.AddLocation(address)

    def __get_depth__(self) -> int:
        return int(lldb.eSearchDepthModule)

    def get_short_help(self) -> str:
        return f"Python function {self._name}"


def _places(module: Any, name: str) -> Iterator[Any]:
    """Yield where functions of this name begin in a corrected file, and where they are inlined."""
    called: set[str] = set()
    for debuggee in debuggees.known():
        for function in native_frames.functions(debuggee).all:
            if function["kind"] in WRITTEN and name in _names_of(function):
                called.add(str(function["name"]))
    for each in called:
        for context in module.FindFunctions(each, lldb.eFunctionNameTypeFull | lldb.eFunctionNameTypeBase):
            block, function = context.GetBlock(), context.GetFunction()
            if block.IsValid() and block.IsInlined():
                yield block.GetRangeStartAddress(0)
            elif function.IsValid():
                start = function.GetStartAddress().GetFileAddress()
                yield module.ResolveFileAddress(start + function.GetPrologueByteSize())


def _names_of(function: dict[str, Any]) -> set[str]:
    name, qualname = str(function["name"]), str(function["qualname"])
    names = {name, qualname, qualname.rpartition(".")[2]} if function["kind"] != "parfor-kernel" else {name}
    return names | {f"{function['module']}.{each}" for each in (name, qualname)}


def holds(frame: Any, location: Any, _extra: Any = None, _names: Any = None) -> bool:
    """True if the breakpoint's condition holds, or cannot be decided, which is reported once for each place."""
    is_held = _holds(frame, location)
    target = frame.GetThread().GetProcess().GetTarget()
    if is_held and not python_conditions.is_ignored(target, location.GetBreakpoint()):
        thread = frame.GetThread()
        stop, key = int(thread.GetProcess().GetStopID()), int(thread.GetProcess().GetUniqueID())
        if _held.get(key, (-1, None))[0] != stop:
            _held[key] = stop, set()
        _held[key][1].add(int(thread.GetThreadID()))
        return True
    return False


def select(process: Any, thread: Any) -> Any:
    """Return a thread whose condition holds, which is then selected, where LLDB has selected one that has come to the
    breakpoint at the same time; else `thread`."""
    stop, threads = _held.get(int(process.GetUniqueID()), (-1, set()))
    if stop != int(process.GetStopID()) or thread.GetThreadID() in threads:
        return thread
    if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return thread
    target = process.GetTarget()
    breakpoint = target.FindBreakpointByID(int(thread.GetStopReasonDataAtIndex(0)))
    if key_of(target, breakpoint) not in _conditions and python_conditions.text_of(breakpoint) is None:
        return thread
    for other in process:
        if other.GetThreadID() in threads:
            process.SetSelectedThread(other)
            return other
    return thread


def is_false_stop(debuggee: debuggees.Debuggee, thread: Any, taken: frozenset[int]) -> bool:
    """True if the process has stopped only because LLDB itself has read a condition, which does not hold as Python.
    `taken`: numbers of breakpoints whose conditions were LLDB's until this stop."""
    if not taken or thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return False
    if any(other.GetStopReason() not in _IDLE for other in debuggee.process if other != thread):
        return False
    data = [int(thread.GetStopReasonDataAtIndex(index)) for index in range(thread.GetStopReasonDataCount())]
    frame = thread.GetFrameAtIndex(0)
    for number, part in zip(data[::2], data[1::2]):
        location = debuggee.target.FindBreakpointByID(number).FindLocationByID(part)
        if number not in taken or not location.IsValid() or holds(frame, location):
            return False
    return True


def _holds(frame: Any, location: Any) -> bool:
    try:
        process = frame.GetThread().GetProcess()
        breakpoint = location.GetBreakpoint()
        taken = python_conditions.text_of(breakpoint)
        text = _conditions.get(key_of(process.GetTarget(), breakpoint)) if taken is None else taken
        debuggee = debuggees.of(process)
        if text is None or debuggee is None:
            return True
        found = variables.condition(debuggee, frame, text)
        if found.get("error") is None:
            return bool(found["holds"])
        place = (text, int(frame.GetPC()))
        if place not in _said:
            _said.add(place)
            report.warn(f"breakpoint {breakpoint.GetID()}: `{text}`: {found['error']}")
        return found["state"] != "unassigned"
    except Exception as error:
        report.warn(report.line_of(error))
        return True
