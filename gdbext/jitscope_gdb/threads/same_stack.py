"""Threads that are in the same calls as a thread that GDB has unwound, at this stop or before: the function in which
each waits, or its loop's body, read from its stack.

How a frame is unwound follows from its pc alone (DWARF 5, 6.4.1): its end (CFA) is at a constant distance from the
stack pointer, or from rbp if the frame's size is not constant, and registers are saved at constant distances from it.
So a stack has the same frames as another one if both have the same pc, the same return addresses at the same distances,
the same alignment, and frame pointers that point to the same places. GDB unwinds a stack that differs in anything."""

from __future__ import annotations

import ctypes
import re
import struct
from typing import Any, NamedTuple

import gdb
from jitscope_shared.base import contract, native
from jitscope_shared.library_frame import LibraryFrame
from jitscope_shared.machine_registers import X86_64

from ..base import console
from ..frames import frames
from ..target import target
from . import pools

_MACHINE = "i386:x86-64"
_STEPS = 16  # frames of a sample, at most
_SIZE = 1 << 14  # bytes of its stack, at most
_ALIGNED = 64  # the greatest alignment of the frame of a function without a frame pointer
_SAMPLES = 4  # samples of one pc, at most
_MASK = (1 << 64) - 1
_SLOT = re.compile(r"\b(\w+) at (0x[0-9a-f]+)")


class Sample(NamedTuple):
    """A stack that GDB has unwound; distances are in bytes from the thread's stack pointer."""

    entry: dict[str, Any]  # facts that `workers` has found: function, file, line and starts
    level: int | None  # the level of the body's frame; None: the thread runs no body
    sp: int
    size: int  # bytes of the stack that was unwound
    returns: list[tuple[int, int]]  # places of return addresses, and the addresses
    # places of saved rbp (None: it is in the register), and the places that it points to
    pointers: list[tuple[int | None, int]]
    slots: dict[str, int]  # places of the registers that the body's callees have saved
    pc: int  # the body's pc
    stack: int  # the body's stack pointer; 0: the body is the innermost frame, and has called nothing
    cfa: int


class Body(frames.NativeFrame):
    """The frame of the loop's body in a thread, found without an unwinder."""

    def __init__(self, debuggee: target.Target, sample: Sample, thread: Any, sp: int, words: bytes):
        LibraryFrame.__init__(self, "x86-64", X86_64, sample.stack > 0)
        self._sample, self._thread, self._sp, self._words = sample, thread, sp, words
        self._registers = _registers(debuggee, thread)
        self.describe(sample.pc, sp + sample.cfa, debuggee.data_memory(), 0)

    def read_register(self, name: str, capacity: int) -> bytes | None:
        special = {"rsp": self._sp + self._sample.stack, "rip": self._sample.pc}.get(name)
        if special is not None:
            return special.to_bytes(8, "little")
        slot = self._sample.slots.get(name)
        if slot is None and name in self._registers:
            return self._registers[name].to_bytes(8, "little")
        if slot is None:
            self._thread.switch()
            return frames.register_bytes(gdb.newest_frame(), name, capacity)
        return self._words[slot : slot + 8]


def find(debuggee: target.Target, thread: Any, at: pools.Thread, last: int) -> tuple[Sample, Body | None] | None:
    """Return the sample that has the thread's frames, with the frame of its body, if it has one; None: GDB must unwind
    the thread."""
    for sample in _samples(debuggee).get(at.pc, ()):
        if (at.sp - sample.sp) % _ALIGNED or last >= at.sp + sample.size:
            continue
        try:
            words = bytes(debuggee.inferior.read_memory(at.sp, sample.size))
        except (gdb.error, gdb.MemoryError):
            continue
        is_same = all(_word(words, slot) == to for slot, to in sample.returns)
        if is_same and all(_rbp(debuggee, thread, words, slot) == at.sp + to for slot, to in sample.pointers):
            return sample, Body(debuggee, sample, thread, at.sp, words) if sample.level is not None else None
    return None


def _samples(debuggee: target.Target) -> dict[int, list[Sample]]:
    return debuggee.keep(target.OBJECT, "samples", dict)  # type: ignore[no-any-return]


def _word(words: bytes, at: int) -> int:
    return int(struct.unpack_from("<Q", words, at)[0])


def _rbp(debuggee: target.Target, thread: Any, words: bytes, slot: int | None) -> int:
    if slot is not None:
        return _word(words, slot)
    registers = _registers(debuggee, thread)
    if registers:
        return registers["rbp"]
    thread.switch()
    return _register(gdb.newest_frame(), "rbp")


def _registers(debuggee: target.Target, thread: Any) -> dict[str, int]:
    """Return a stopped thread's general registers from the kernel; {}: only GDB has them."""
    found = (ctypes.c_uint64 * contract.TRACED_REGISTERS)()
    if not debuggee.is_native or native.library.js_traced_registers(thread.ptid[1], found):
        return {}
    return {X86_64[number]: value for number, value in enumerate(found)}


def learn(debuggee: target.Target, thread: pools.Thread, last: int, entry: dict[str, Any]) -> None:
    """Keep a sample of the selected thread, which GDB has unwound: other threads may have the same frames."""
    learnt: dict[int, int] = debuggee.keep(target.STOP, "samples", dict)
    is_described = all(region["function"] is not None for region in entry["regions"])
    if learnt.get(thread.pc, 0) >= _SAMPLES or len(entry["regions"]) + bool(entry["starts"]) != 1 or not is_described:
        return
    try:
        sample = _unwind(thread, last, entry)
    except (gdb.error, gdb.MemoryError):
        return
    if sample is not None:
        known = _samples(debuggee).setdefault(thread.pc, [])
        known.insert(0, sample)
        del known[_SAMPLES:]
        learnt[thread.pc] = learnt.get(thread.pc, 0) + 1


def _unwind(thread: pools.Thread, last: int, entry: dict[str, Any]) -> Sample | None:
    frame, sp = frames.outer(gdb.newest_frame()), thread.sp
    level = entry["regions"][0]["frame"] if entry["regions"] else None
    if frame.architecture().name() != _MACHINE or _register(frame, "sp") != sp:
        return None
    body: tuple[int, int, int] | None = None  # pc, sp, cfa
    saved: dict[str, int] = {}
    slots: dict[str, int] = {}
    returns, pointers = [], []
    for _ in range(_STEPS):
        older = _caller(frame)
        if older is None or {frame.type(), older.type()} != {gdb.NORMAL_FRAME}:
            return None
        end = _register(older, "sp")
        cfa = end - sp
        if not 8 <= cfa <= _SIZE:
            return None
        low, rbp = _register(frame, "sp"), _register(frame, "rbp")
        if low <= rbp < end:
            pointers.append((saved.get("rbp"), rbp - sp))
        if frame.level() == level:
            body, slots = (int(frame.pc()), low - sp, cfa), dict(saved)
        returns.append((cfa - 8, int(older.pc())))
        if end > last:
            break
        frame.select()
        saved.update((name, int(at, 16) - sp) for name, at in _SLOT.findall(_saved_text()))
        frame = older
    else:
        return None
    if (body is None) != (level is None) or not all(0 <= at <= cfa - 8 for at in saved.values()):
        return None
    said = {name: entry[name] for name in ("function", "file", "line", "starts")}
    return Sample(said, level, sp, cfa, returns, pointers, slots, *(body or (0, 0, 0)))


def _caller(frame: Any) -> Any:
    """Return the frame whose part of the stack begins where this frame's ends; frames that GDB puts between follow from
    the pcs."""
    older = frame.older()
    while older is not None and older.type() in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
        older = older.older()
    return older


def _register(frame: Any, name: str) -> int:
    return int(frame.read_register(name)) & _MASK


def _saved_text() -> str:
    return console.text_of("info frame").partition("Saved registers:")[2]
