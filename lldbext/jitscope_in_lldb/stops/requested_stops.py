"""Stops that the program requests: they are on the line that requested them, or a text names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import lldb
from jitscope_shared.stops import requested

from .. import debuggee as debuggees
from .. import joined_stack, native_frames, report

# Registers that the function's caller has, which is then the innermost frame; the others are unchanged.
_KEPT = ("rbp", "rsp")

# By LLDB's process: the number of a stop, and the threads that have requested it, with the name of the function.
_asked: dict[int, tuple[int, dict[int, str]]] = {}


def places(module: Any) -> Iterator[Any]:
    """Yield where the functions begin, which do nothing, if the module has them."""
    for name in requested.NAMES:
        address = module.FindSymbol(name).GetStartAddress()
        if address.IsValid():
            yield address


def arrived(frame: Any, _location: Any, _extra: Any = None, _names: Any = None) -> bool:
    """Note the request, and move the thread to the code that has called the function. LLDB calls this. True: stop."""
    try:
        thread = frame.GetThread()
        process = thread.GetProcess()
        word = requested.NAMES.get(frame.GetSymbol().GetName() or "", "jitscope.breakpoint")
        stop, key = int(process.GetStopID()), int(process.GetUniqueID())
        if _asked.get(key, (-1, None))[0] != stop:
            _asked[key] = stop, {}
        _asked[key][1][int(thread.GetThreadID())] = word
        _return_to_caller(thread)
    except Exception as error:
        report.warn(report.line_of(error))
    return True


def _return_to_caller(thread: Any) -> None:
    """Go on as if the function, which only returns, had returned, if its caller is at the same line then."""
    frame, caller = thread.GetFrameAtIndex(0), thread.GetFrameAtIndex(1)
    if not caller.IsValid() or not frame.GetThread().GetProcess().GetTarget().GetTriple().startswith("x86_64"):
        return
    pc, target = int(caller.GetPC()), thread.GetProcess().GetTarget()
    lines = [target.ResolveLoadAddress(each).GetLineEntry() for each in (pc - 1, pc)]
    before, after = (int(each.GetLine()) if each.IsValid() else 0 for each in lines)
    if not before or before != after:
        return
    values = {name: native_frames.register_bytes(caller, name, 8) for name in _KEPT}
    for name, data in values.items():
        if data is None:
            return
        error = lldb.SBError()
        frame.FindRegister(name).SetValueFromCString(f"{int.from_bytes(data, 'little'):#x}", error)
        report.succeeded(error, f"register {name}")
    frame.SetPC(pc)


def explain(debuggee: debuggees.Debuggee, thread: Any) -> str | None:
    """Select the frame of the line that has requested the stop, and return the text about a line of Python that LLDB
    cannot show; None: there is none."""
    stop, threads = _asked.get(int(debuggee.process.GetUniqueID()), (-1, {}))
    if stop != int(debuggee.process.GetStopID()) or int(thread.GetThreadID()) not in threads:
        return None
    shown = python_place(debuggee, thread)
    return "\n".join([f"{threads[int(thread.GetThreadID())]}(), {shown[0]}", *shown[1:]]) if shown else None


def python_place(debuggee: debuggees.Debuggee, thread: Any) -> list[str]:
    """Return the lines that show where the thread is in Python; [], if it is in compiled code, whose frame is then
    selected."""
    for entry in joined_stack.Stack(debuggee, thread).frames():
        if entry["kind"] == "jit":
            thread.SetSelectedFrame(entry["frame"])
            return []
        if entry["kind"] == "python":
            return requested.python_lines(entry)
    return []
