"""The value that a compiled function returned, or the exception that it raised, at a stop after LLDB's `finish`. LLDB
announces no command, so the frames of each stop are kept until the next one."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import lldb
from jitscope_shared import frame_classes
from jitscope_shared.base.escaping import plain
from jitscope_shared.functions.compiled_functions import WRITTEN
from jitscope_shared.stops import call_setup, results
from jitscope_shared.stops.raised import convention

from .. import debuggee as debuggees
from .. import native_frames, variables
from ..report import Problem
from . import requested_stops

_FRAMES = 64  # frames of one thread that are kept, at most
# frames of Numba and the interpreter between a compiled function and one that it calls through a wrapper, at most
_CALLS = 32
_KERNEL = "parfor-kernel"  # it returns to the pool, and nothing


class Left(NamedTuple):
    """A frame of a compiled function: where it returns to, and the stack pointer then."""

    function: dict[str, Any]
    back: int
    stack: int


_stacks: dict[int, dict[int, list[Left]]] = {}  # by LLDB's process: the frames of each thread at the last stop


def note(debuggee: debuggees.Debuggee) -> None:
    """Keep the frames of this stop."""
    threads = debuggee.process if native_frames.functions(debuggee).all else ()
    stacks = {int(thread.GetThreadID()): list(_frames_of(debuggee, thread)) for thread in threads}
    _stacks[int(debuggee.process.GetUniqueID())] = stacks


def _frames_of(debuggee: debuggees.Debuggee, thread: Any) -> Iterator[Left]:
    called = None
    for index in range(_FRAMES):
        frame = thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return
        if frame.IsInlined():
            continue
        if called is not None:
            yield Left(called[0], int(frame.GetPC()), called[1])
        function = native_frames.compiled_at(debuggee, frame)
        is_own = function is not None and function["kind"] in WRITTEN and function["kind"] != _KERNEL
        called = (function, int(frame.GetCFA())) if is_own else None


def explain(debuggee: debuggees.Debuggee, thread: Any) -> str | None:
    """Return the line about the function that the thread has left by a step; None: it has left none."""
    stack = _stacks.get(int(debuggee.process.GetUniqueID()), {}).get(int(thread.GetThreadID()), [])
    if thread.GetStopReason() != lldb.eStopReasonPlanComplete:
        return None
    frame = native_frames.outer(thread.GetFrameAtIndex(0))
    at = int(frame.GetPC()), int(frame.GetSP())
    left = next((each for each in stack if (each.back, each.stack) == at), None)
    if left is None:
        return None
    text = _text(debuggee, frame, left.function)
    return "\n".join([text, *requested_stops.python_place(debuggee, thread)])


def _text(debuggee: debuggees.Debuggee, frame: Any, function: dict[str, Any]) -> str:
    """Return what the function that has returned to this frame, its thread's innermost one, has returned or raised."""
    calling = native_frames.compiled_at(debuggee, frame)
    is_known = calling is not None and function["returns_status"] and native_frames.machine(frame)[0] == "x86-64"
    status = results.status_of(native_frames.register_bytes(frame, "rax", 8)) if is_known else None
    given = [_argument(debuggee, frame, calling, convention()[name]) for name in ("result", "exception")]
    found = results.of_call(_debugger(debuggee), results.Call(function, status, *given))
    if is_known and found["raised"] is None and _is_block(debuggee, frame, function):
        return f"{function['name']} has left its block in object mode, and goes on behind it"
    return str(found["text"])


def _argument(debuggee: debuggees.Debuggee, frame: Any, calling: dict[str, Any] | None, index: int) -> int | None:
    """Return the argument with this index of the call from which the frame's thread has just returned; None if the code
    does not show it. The registers that it is counted from are the same before and after a call."""
    code = _code(debuggee, calling["low"], calling["high"]) if calling is not None else []
    setup = call_setup.of_argument(code, int(frame.GetPC()), index)
    data = native_frames.register_bytes(frame, setup.base, 8) if setup is not None else None
    if setup is None or data is None:
        return None
    return (int.from_bytes(data, "little") + setup.offset) & (1 << 64) - 1


def _code(debuggee: debuggees.Debuggee, low: int, high: int) -> list[dict[str, Any]]:
    """Return the instructions from `low` up to `high`, as GDB writes them; [] if they cannot be read."""
    target, data = debuggee.target, debuggee.read(low, high - low)
    if data is None:
        return []
    found, address = [], low
    for each in target.GetInstructionsWithFlavor(lldb.SBAddress(low, target), "att", data):
        text = f"{each.GetMnemonic(target)} {each.GetOperands(target)}".replace(", ", ",")
        found.append({"addr": address, "length": int(each.GetByteSize()), "asm": text})
        address += int(each.GetByteSize())
    return found


def _debugger(debuggee: debuggees.Debuggee) -> results.Debugger:
    def render(kind: bytes, contents: bytes, as_json: bool) -> str:
        return plain(debuggee.rendered(kind, contents, variables.render_options(), as_json=as_json).shown)

    def symbol_at(address: int) -> str:
        return str(debuggee.target.ResolveLoadAddress(address).GetSymbol().GetName() or "")

    return results.Debugger(debuggee, debuggee.read, render, lambda low, high: _code(debuggee, low, high), symbol_at)


def _is_block(debuggee: debuggees.Debuggee, wrapper: Any, function: dict[str, Any]) -> bool:
    """True if the code that has returned to this wrapper was a block in object mode of a function that goes on."""
    calling = native_frames.compiled_at(debuggee, wrapper)
    if calling is None or calling["kind"] in WRITTEN:
        return False
    frame = wrapper
    for _ in range(_CALLS):
        frame = native_frames.older(frame)
        if frame is None or native_frames.class_of(frame) == frame_classes.EVALUATION:
            return False
        around = native_frames.compiled_at(debuggee, frame)
        if around is not None and around["kind"] in WRITTEN:
            return results.is_block(debuggee, around, function)
    return False


def step_out(debuggee: debuggees.Debuggee, frame: Any) -> str:
    """Have LLDB finish the function of this compiled frame, and return what LLDB writes. The value is said at the
    stop."""
    if not debuggee.is_live:
        raise Problem("a core cannot run: `run` or `attach` first")
    around = native_frames.outer(frame)
    if native_frames.older(around) is None:
        raise Problem("this frame has no caller to return to")
    around.GetThread().SetSelectedFrame(around.GetFrameID())
    result = lldb.SBCommandReturnObject()
    debuggee.target.GetDebugger().GetCommandInterpreter().HandleCommand("thread step-out", result)
    if not result.Succeeded():
        raise Problem(result.GetError().strip())
    return (result.GetOutput() or "").rstrip("\n")
