"""The sentence about a fault in compiled code, which names the access."""

from __future__ import annotations

import json
import re
import signal
from typing import Any

import lldb
from jitscope_shared.base import native

from . import core_files, native_frames, source_facts, variables
from . import debuggee as debuggees

_SIGNALS = (signal.SIGSEGV, signal.SIGBUS)
_FAULTS = (*_SIGNALS, signal.SIGFPE, signal.SIGILL)
_NO_ADDRESS = (1 << 64) - 1  # JS_FAULT_NO_ADDRESS of program/queries/queries.h
_SI_KERNEL = 0x80  # the code of a fault whose address is not canonical
# Frames between memcpy or a like function, where the fault is, and the compiled function, at most.
_DEPTH = 4
_ADDRESS = re.compile(r"address[= ]*(?:0x)?([0-9a-f]+)")


def explain(debuggee: debuggees.Debuggee, thread: Any) -> str | None:
    """Return the line for the fault of the thread, or None."""
    address = _fault_address(thread)
    if address is None:
        return None
    for index in range(_DEPTH):
        frame = thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return None
        if native_frames.compiled_at(debuggee, frame) is not None:
            return _explained(debuggee, frame, address)
    return None


def explain_core(debuggee: debuggees.Debuggee) -> str | None:
    """Return the line for the fault that ended a core's process, once; LLDB calls no stop hook where it opens one."""
    if debuggee.is_live or debuggee.is_explained:
        return None
    debuggee.is_explained = True
    return explain(debuggee, debuggee.process.GetSelectedThread())


def is_here(thread: Any) -> bool:
    """True if the thread has stopped by a fault of its own, not by a signal that a process has sent."""
    if thread.GetStopReason() != lldb.eStopReasonSignal or thread.GetStopReasonDataAtIndex(0) not in _FAULTS:
        return False
    info = _signal(thread)
    return info is None or info.code > 0


def _signal(thread: Any) -> core_files.Signal | None:
    """Return the thread's signal; None: this LLDB does not know it."""
    debuggee = debuggees.of(thread.GetProcess())
    if debuggee is not None and not debuggee.is_live:
        core = debuggee.core
        return core_files.signals(core).get(int(thread.GetThreadID())) if core else None
    info = thread.GetSiginfo() if hasattr(thread, "GetSiginfo") else None
    if info is None or not info.IsValid():
        return None
    number, code = (info.GetChildMemberWithName(name).GetValueAsSigned() for name in ("si_signo", "si_code"))
    member = info.GetValueForExpressionPath("._sifields._sigfault.si_addr")
    address = int(member.GetValueAsUnsigned()) if member.IsValid() else _NO_ADDRESS
    return core_files.Signal(int(number), int(code), address)


def _fault_address(thread: Any) -> int | None:
    """Return the address of the thread's fault; _NO_ADDRESS: the kernel does not know it; None: there is no fault, or a
    process has sent the signal."""
    if thread.GetStopReason() != lldb.eStopReasonSignal or thread.GetStopReasonDataAtIndex(0) not in _SIGNALS:
        return None
    info = _signal(thread)
    if info is not None:
        if info.code <= 0:
            return None
        return _NO_ADDRESS if info.code == _SI_KERNEL else info.address
    found = _ADDRESS.search(thread.GetStopDescription(256) or "")
    return int(found[1], 16) if found else _NO_ADDRESS


def _explained(debuggee: debuggees.Debuggee, frame: Any, address: int) -> str | None:
    path, line = native_frames.place(frame)
    found = source_facts.subscripts(debuggee, path, line) if path else None
    for subscript in found or ():
        subscript["indices"] = [_valued(debuggee, frame, index) for index in subscript["indices"]]
    if found is not None and path:
        found += source_facts.whole(debuggee, path, line)
    at = native_frames.NativeFrame(debuggee, frame)
    text = None if found is None else json.dumps(found).encode()
    given = debuggee.program, at.pointer, address, text, _maps(debuggee)
    try:
        entry: dict[str, Any] = native.json_of("js_program_explain_fault", *given)
    except native.NativeError:
        return None
    return str(entry["text"])


def _valued(debuggee: debuggees.Debuggee, frame: Any, index: dict[str, str]) -> dict[str, str]:
    """Return the index, with its value if it is an expression that has one."""
    if index["kind"] != "expression":
        return index
    try:
        found = variables.evaluate(debuggee, frame, index["text"])
    except native.NativeError:
        return index
    value = found.get("value")
    is_known = not found.get("error") and found["state"] == "exact" and type(value) is int
    return {**index, "value": str(value)} if is_known else index


def _maps(debuggee: debuggees.Debuggee) -> bytes | None:
    """Return the list of the process's memory; None: it is not on this machine, or is a core's."""
    if not debuggee.is_local:
        return None
    try:
        with open(f"/proc/{debuggee.pid}/maps", "rb") as stream:
            return stream.read()
    except OSError:
        return None
