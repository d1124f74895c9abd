"""Guarded memory of the program (JITSCOPE_GUARD), by the tables of its libjitscope.so: jitscope_guard of
jitscope_guard.h."""

from __future__ import annotations

import ctypes
from typing import Any, Iterator

import gdb
from jitscope_shared.base import contract

from ..base import memory
from . import published
from .target import Target

_FILE_LONGEST = 4096


def guard(debuggee: Target) -> contract.Guard | None:
    """Return the program's jitscope_guard; None: it guards nothing."""
    descriptor = published.descriptor(debuggee)
    if descriptor is None or not published.has(descriptor, "guard") or not descriptor.guard:
        return None
    return published.read(debuggee, descriptor.guard, contract.Guard)  # type: ignore[no-any-return]


def at(debuggee: Target, address: int) -> contract.Guarded | None:
    """Return the block in which the address is, or in the memory-less pages after which it is; None: neither."""
    known = guard(debuggee)
    if known is None or not known.low <= address < known.high or not known.page:
        return None
    return _block(debuggee, known, _number(debuggee, known, address))


def damaged(debuggee: Target) -> tuple[contract.Guard, contract.Guarded | None] | None:
    """Return the block that the program has found to be damaged, with the damage; None: it has found none."""
    known = guard(debuggee)
    if known is None or not known.damage:
        return None
    return known, _block(debuggee, known, known.damaged)


def before(debuggee: Target, block: contract.Guarded) -> contract.Guarded | None:
    """Return the block at the lower addresses next to this one."""
    known = guard(debuggee)
    return _block(debuggee, known, block.prev) if known is not None else None


def after(debuggee: Target, block: contract.Guarded) -> contract.Guarded | None:
    """Return the block at the higher addresses next to this one."""
    known = guard(debuggee)
    return _block(debuggee, known, block.next) if known is not None else None


def file_of(debuggee: Target, place: contract.GuardPlace) -> str | None:
    """Return the file of the Python code that ran there; None: none is known."""
    known = guard(debuggee)
    if known is None or not 0 < place.file <= known.nfiles:
        return None
    try:
        text = memory.integer(debuggee.inferior, known.files + (place.file - 1) * 8)
        return bytes(_bytes(debuggee, text)).decode("utf-8", "replace")
    except gdb.MemoryError:
        return None


def _bytes(debuggee: Target, address: int) -> Iterator[int]:
    for offset in range(_FILE_LONGEST):
        byte = memory.integer(debuggee.inferior, address + offset, 1)
        if not byte:
            return
        yield byte


def _number(debuggee: Target, known: contract.Guard, address: int) -> int:
    try:
        return memory.integer(debuggee.inferior, known.index + (address - known.low) // known.page * 4, 4)
    except gdb.MemoryError:
        return 0


def _block(debuggee: Target, known: contract.Guard, number: int) -> contract.Guarded | None:
    if not 0 < number <= known.nblocks:
        return None
    size = min(known.block_size, ctypes.sizeof(contract.Guarded))
    try:
        found = bytes(debuggee.inferior.read_memory(known.blocks + (number - 1) * known.block_size, size))
    except gdb.MemoryError:
        return None
    block: Any = contract.Guarded.from_buffer_copy(found.ljust(ctypes.sizeof(contract.Guarded), b"\0"))
    return block if block.state in (contract.GUARD_LIVE, contract.GUARD_FREED) else None
