"""The value that a compiled function returned, or the exception that it raised, when a command leaves it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import gdb
from jitscope_shared.stops import results
from jitscope_shared.stops.raised import convention

from ..base import console, report
from ..frames import folding, frames, return_convention
from ..present import printers
from ..target import target
from . import raising

# frames of Numba and the interpreter between a compiled function and one that it calls through a wrapper, at most
_CALLS = 32


class Leaving:
    """A frame that is about to be left: the place where its caller goes on, and the result by the caller's registers.
    For an inlined function's frame, the outer function is taken, which may return at once.

    Raise report.Problem if no frame calls this one, or it is not a compiled function's."""

    def __init__(self, debuggee: target.Target, frame: Any):
        self._of = debuggee
        self._inlined = str(frame.name()) if frame.type() == gdb.INLINE_FRAME else ""
        self._raises = raised_at(debuggee, frame) if self._inlined else None
        frame = frames.outer(frame)
        function = frames.compiled_at(debuggee, frame)
        caller = frame.older()
        while caller is not None and caller.type() == gdb.INLINE_FRAME:
            caller = caller.older()
        if function is None or caller is None or function["kind"] not in frames.WRITTEN:
            raise report.Problem("this frame has no caller to return to")
        if not debuggee.is_live:
            raise report.Problem("a core cannot run: `run` or `attach` first")
        self.function = function
        self.back, self.stack = int(caller.pc()), frames.cfa(frame)
        self._thread = gdb.selected_thread().num
        calling = frames.compiled_at(debuggee, caller) if function["returns_status"] else None
        self._result, self._exception = (
            return_convention.argument(caller, calling, convention()[name]) if calling else None
            for name in ("result", "exception")
        )

    def has_returned(self) -> bool:
        """True if the thread is after the call."""
        now = gdb.selected_thread()
        if now is None or not now.is_valid() or now.num != self._thread or not now.is_stopped():
            return False
        return self.is_after_call()

    def is_after_call(self) -> bool:
        """True if the selected thread is after the call, by its pc and stack pointer."""
        newest = gdb.newest_frame()
        return int(newest.pc()) == self.back and int(newest.read_register("sp")) & (1 << 64) - 1 == self.stack

    def found(self) -> dict[str, Any]:
        """Return the result as docs/schema/finish.json has it."""
        found = self._found()
        if not self._inlined:
            return found
        own = results.nothing(self._inlined)
        own.update(finished=found["finished"], raised=found["raised"])
        if found["finished"] and found["raised"] is not None and found["raised"] == self._raises:
            own["text"] = f"{self._inlined} raised {self._raises}, which has left {self.function['name']} too"
        elif found["finished"]:
            own["text"] = f"{found['text']}; {self._inlined} was inlined in it, and what that returned is not known"
        return own

    def _found(self) -> dict[str, Any]:
        if not self.has_returned():
            return results.nothing(self.function["name"])
        status = None
        if self.function["returns_status"]:
            status = results.status_of(frames.register_bytes(gdb.newest_frame(), "rax", 8))
        call = results.Call(self.function, status, self._result, self._exception)
        found = results.of_call(_debugger(self._of), call)
        if self.function["returns_status"] and found["raised"] is None and self._was_block():
            name = self.function["name"]
            found.update(returned=None, text=f"{name} has left its block in object mode, and goes on behind it")
        return found

    def _was_block(self) -> bool:
        """True if the code was a block in object mode, which Numba compiles by itself, of a function that goes on after
        the block."""
        wrapper = frames.outer(gdb.newest_frame())
        function = frames.compiled_at(self._of, wrapper)
        if function is None or function["kind"] in frames.WRITTEN:
            return False
        inner = called_by_compiled(self._of, wrapper)
        around = frames.compiled_at(self._of, frames.outer(inner.older())) if inner is not None else None
        return around is not None and results.is_block(self._of, around, self.function)


def called_by_compiled(debuggee: target.Target, wrapper: Any) -> Any:
    """Return the frame that a compiled function has called, among the frames that lead to this wrapper of the
    compiler's; None if interpreted code runs between the two, or there is no such function."""
    inner = wrapper
    for _ in range(_CALLS):
        older = frames.outer(inner.older())
        if older is None or folding.classify(debuggee, older, older.name()) == folding.EVALUATION:
            return None
        function = frames.compiled_at(debuggee, older)
        if function is not None and function["kind"] in frames.WRITTEN:
            return inner
        inner = older
    return None


_leaving: Leaving | None = None
_is_asked = False


@contextlib.contextmanager
def asked() -> Iterator[None]:
    """Note, around a `finish`, that `jit finish` itself shows the returned value."""
    global _is_asked
    _is_asked = True
    try:
        yield
    finally:
        _is_asked = False


@report.quietly
def begin() -> None:
    """Prepare GDB's `finish` of the selected frame."""
    global _leaving
    _leaving = None
    debuggee = target.current()
    try:
        frame = gdb.selected_frame()
        is_own = frames.compiled_at(debuggee, frame) is not None
        _leaving = Leaving(debuggee, frame) if is_own and debuggee.is_live and not _is_asked else None
    except (gdb.error, gdb.MemoryError, report.Problem):
        pass  # `finish` itself reports the error


def is_asked() -> bool:
    """True if `jit finish` itself shows the returned value."""
    return _is_asked


def arrived(is_said: bool) -> None:
    """Report the returned value at a stop, because GDB does not show it for code whose debug information says `void`.
    `is_said`: it was reported already."""
    global _leaving
    left, _leaving = _leaving, None
    if left is None or is_said or not gdb.parameter("jitscope notes"):
        return
    found = left.found()
    if found["finished"]:
        report.say(found["text"])


def raised_at(debuggee: target.Target, frame: Any) -> str | None:
    """Return the text of the exception that the frame is about to raise, or None."""
    is_asked = frame == gdb.newest_frame() and raising.is_caught(debuggee)
    here = raising.here(debuggee) if is_asked else None
    return here.exception.text if here is not None and here.exception is not None else None


def _debugger(debuggee: target.Target) -> results.Debugger:
    def read(address: int, size: int) -> bytes | None:
        try:
            return debuggee.read(address, size)
        except gdb.MemoryError:
            return None

    return results.Debugger(
        debuggee=debuggee,
        read=read,
        render=lambda kind, contents, as_json: printers.render(debuggee, kind, contents, as_json=as_json),
        code=lambda low, high: return_convention.code(gdb.selected_frame(), low, high),
        symbol_at=lambda address: console.text_of(f"info symbol {address:#x}").split(" ")[0],
    )
