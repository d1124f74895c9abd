"""`jit catch`: stops where compiled code raises, with a sentence about the exception."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import lldb
from jitscope_shared.base import private_files
from jitscope_shared.commands import break_words
from jitscope_shared.stops import raised

from .. import debuggee as debuggees
from .. import native_frames, python_breakpoints, report
from ..report import Problem

_TYPE = re.compile(r"[A-Za-z_][\w.]*")
_LAST = "raised"  # what each thread has raised last, kept for the process

_types: dict[tuple[int, int], tuple[str, ...]] = {}  # by the key of a breakpoint: names of the classes that it is for
# By LLDB's process: the number of a stop, and what the threads raise that have come to a breakpoint.
_raised: dict[int, tuple[int, dict[int, raised.Raise]]] = {}


def create(target: Any, text: str) -> str:
    """Make a breakpoint of `jit catch`, and return the line about it."""
    if not target.IsValid():
        raise Problem(python_breakpoints.NO_TARGET)
    words = break_words.split(text)
    types = tuple((words.location or "").replace(",", " ").split())
    if words.restrictions or words.condition == "":
        raise Problem("Usage: jit catch [TYPE …] [if CONDITION]")
    for each in types:
        if not _TYPE.fullmatch(each):
            raise Problem(f"{each!r} is no name of an exception's class")
    if words.condition is not None:
        python_breakpoints.check(words.condition)
    nothing = lldb.SBFileSpecList()
    made = target.BreakpointCreateFromScript(f"{__name__}.Raising", lldb.SBStructuredData(), nothing, nothing)
    _types[python_breakpoints.give_condition(target, made, words.condition)] = types
    made.SetScriptCallbackFunction(f"{__name__}.holds")
    what = " or ".join(types) or "an exception"
    where = f", if {words.condition}" if words.condition is not None else ""
    return f"Breakpoint {made.GetID()}: where compiled code raises {what}{where}"


class Raising:
    """Finds the places that raise in each module that LLDB loads; LLDB makes one for a breakpoint."""

    def __init__(self, breakpoint: Any, _arguments: Any, _names: Any):
        self._breakpoint = breakpoint

    def __callback__(self, context: Any) -> None:
        for place in _places(context.GetModule()):
            self._breakpoint.AddLocation(place)

    def __get_depth__(self) -> int:
        return int(lldb.eSearchDepthModule)

    def get_short_help(self) -> str:
        return "where compiled code raises"


def _places(module: Any) -> Iterator[Any]:
    if private_files.is_ours(module.GetFileSpec().fullpath):
        for context in module.FindSymbols(raised.SYMBOL):
            yield context.GetSymbol().GetStartAddress()


def holds(frame: Any, location: Any, _extra: Any = None, _names: Any = None) -> bool:
    """True if the thread is about to raise an exception of the breakpoint's classes, and its condition holds."""
    try:
        thread = frame.GetThread()
        process = thread.GetProcess()
        debuggee = debuggees.of(process)
        found = None if debuggee is None else _here(debuggee, thread)
        types = _types.get(python_breakpoints.key_of(process.GetTarget(), location.GetBreakpoint()), ())
        if found is None or not found.may_be(types):
            return False
        if not python_breakpoints.holds(frame, location):
            return False
        stop, key = int(process.GetStopID()), int(process.GetUniqueID())
        if _raised.get(key, (-1, None))[0] != stop:
            _raised[key] = stop, {}
        _raised[key][1][int(thread.GetThreadID())] = found
    except Exception as error:
        report.warn(report.line_of(error))
    return True


def _here(debuggee: debuggees.Debuggee, thread: Any) -> raised.Raise | None:
    frame = thread.GetFrameAtIndex(0)
    path, line = native_frames.place(frame)
    machine, names = native_frames.machine(frame)

    def register(name: str) -> int:
        return int.from_bytes(native_frames.register_bytes(frame, name, 8) or b"", "little")

    stop = raised.Stop(
        program=debuggee.program,
        thread=int(thread.GetThreadID()),
        pc=int(frame.GetPC()),
        stack=int(frame.GetSP()),
        place=(path, line) if path else None,
        is_compiled=native_frames.compiled_at(debuggee, frame) is not None,
        machine=machine,
        register=register,
        numbered=lambda number: native_frames.register_bytes(frame, names.get(number, ""), 8),
        read=debuggee.read,
    )
    return raised.here(stop, debuggee.keep(debuggees.PROCESS, _LAST, dict))


def explain(debuggee: debuggees.Debuggee, thread: Any) -> str | None:
    """Return the line about what the thread is about to raise; None: it has stopped for something else."""
    stop, threads = _raised.get(int(debuggee.process.GetUniqueID()), (-1, {}))
    found = threads.get(int(thread.GetThreadID())) if stop == int(debuggee.process.GetStopID()) else None
    if found is None:
        return None
    frame = thread.GetFrameAtIndex(0)
    function = native_frames.compiled_at(debuggee, frame)
    if function is None:
        path, line = native_frames.place(frame)
    else:
        path, line = native_frames.shown_place(debuggee, frame, function)
    name = frame.GetFunctionName() or (function or {}).get("name", "?")
    return found.text(name, os.path.basename(path or "?"), line, os.path.basename)
