"""Frames that may run a loop which keeps elements of arrays in registers. They are searched for when elements are first
read at a stop (js_program_watch_pending)."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any, Iterator

import gdb
from jitscope_shared.base import contract, native
from jitscope_shared.library_frame import LibraryFrame
from jitscope_shared.machine_registers import X86_64

from ..base import console
from ..frames import frames
from ..target import target
from . import pools

_FRAMES = 400  # frames of one thread, at most

_may_switch = False


class Innermost(frames.NativeFrame):
    """A thread's innermost frame, by its registers alone."""

    def __init__(self, debuggee: target.Target, registers: Any):
        LibraryFrame.__init__(self, "x86-64", X86_64, False)
        self._registers = dict(zip(X86_64.values(), registers))
        self.describe(self._registers["rip"], 0, debuggee.data_memory(), (1 << 32) - 1)

    def read_register(self, name: str, capacity: int) -> bytes | None:
        value = self._registers.get(name)
        return None if value is None or capacity < 8 else value.to_bytes(8, "little")


@contextlib.contextmanager
def switching() -> Iterator[None]:
    """Let find() select other threads for a moment within the `with` block, which a command may do, but not a printer
    or a condition."""
    global _may_switch
    before, _may_switch = _may_switch, True
    try:
        yield
    finally:
        _may_switch = before


def find(debuggee: target.Target) -> None:
    """Pass each frame of the selected thread, and as many as possible of the other threads, to the library. While GDB
    evaluates a condition it reports all threads as running."""
    selected = gdb.selected_thread()
    if selected is None or not debuggee.keep(target.OBJECT, "keeps-elements", lambda: _has_code(debuggee)):
        return
    _of_selected(debuggee, pools.selected(debuggee))
    others = [thread for thread in debuggee.inferior.threads() if thread.is_valid() and thread.num != selected.num]
    if not _may_switch:
        for thread in others:
            _by_registers(debuggee, thread)
        return
    frame = gdb.selected_frame()
    if (
        others and not debuggee.is_native
    ):  # GDB by itself writes a line about a core's thread that it has no vector registers
        console.text_of("thread apply all -s -q output $pc")
    try:
        for thread in others:
            at = pools.unselected(debuggee, thread) if thread.is_stopped() else None
            if at is not None and not _may_keep(debuggee, at.pc) and pools.last_return(debuggee, at) is None:
                continue
            if thread.is_stopped():
                thread.switch()
                _of_selected(debuggee, pools.selected(debuggee))
    finally:
        if others:
            selected.switch()
            if frame.is_valid():
                frame.select()


def _has_code(debuggee: target.Target) -> bool:
    return any(entry["debug_info"] for entry in frames.functions(debuggee).all)


def _by_registers(debuggee: target.Target, thread: Any) -> None:
    found = (ctypes.c_uint64 * contract.TRACED_REGISTERS)()
    if debuggee.is_native and not native.library.js_traced_registers(thread.ptid[1], found):
        if _may_keep(debuggee, found[contract.TRACED_REGISTERS - 1]):
            _watch(debuggee, Innermost(debuggee, list(found)))


def _of_selected(debuggee: target.Target, at: pools.Thread) -> None:
    """Pass the selected thread's frames of compiled code to the library."""
    last = pools.last_return(debuggee, at)
    if last is None and not _may_keep(debuggee, at.pc):
        return
    frame, is_called = gdb.newest_frame(), False
    for _ in range(_FRAMES):
        if frame is None:
            return
        kind = frame.type()
        if kind != gdb.INLINE_FRAME:
            if _may_keep(debuggee, int(frame.pc()) - is_called):
                _watch(debuggee, frames.NativeFrame(frame, debuggee.memory))
            if last is None or int(frame.read_register("sp")) & (1 << 64) - 1 > last:
                return
            is_called = kind == gdb.NORMAL_FRAME
        frame = frame.older()


def _may_keep(debuggee: target.Target, pc: int) -> bool:
    return bool(native.library.js_program_may_keep(debuggee.program, pc))


def _watch(debuggee: target.Target, frame: frames.NativeFrame) -> None:
    native.library.js_program_watch_pending(debuggee.program, frame.pointer)


def connect() -> None:
    target.pending_finder = find
