"""The in-memory objects that a program has registered by GDB's JIT interface, read from its memory.

Source of the layout: GDB manual, "JIT Compilation Interface", struct jit_descriptor and jit_code_entry."""

from __future__ import annotations

import struct
from typing import Callable, Iterator, NamedTuple, Optional

REGISTER = "__jit_debug_register_code"
DESCRIPTOR = "__jit_debug_descriptor"
MAX_ENTRIES = 1_000_000
REGISTERED = 1  # a value of action_flag

_HEAD = struct.Struct("<IIQQ")
_ENTRY = struct.Struct("<QQQQ")

# Returns bytes of the program's memory, by address and size; None where they cannot be read.
Read = Callable[[int, int], Optional[bytes]]


class Head(NamedTuple):
    version: int
    action: int
    relevant: int
    first: int


class Entry(NamedTuple):
    address: int
    next: int
    symfile: int
    size: int


def read_head(read: Read, address: int) -> Head | None:
    data = read(address, _HEAD.size)
    head = None if data is None else Head(*_HEAD.unpack(data))
    return head if head is not None and head.version == 1 else None


def read_entry(read: Read, address: int) -> Entry | None:
    data = read(address, _ENTRY.size)
    if data is None:
        return None
    following, _, symfile, size = _ENTRY.unpack(data)
    return Entry(address, following, symfile, size)


def walk(read: Read, head: Head) -> Iterator[Entry]:
    """Yield the entries in list order; end at an entry that cannot be read and at a cycle."""
    seen: set[int] = set()
    address = head.first
    while address and address not in seen and len(seen) < MAX_ENTRIES:
        seen.add(address)
        entry = read_entry(read, address)
        if entry is None:
            return
        yield entry
        address = entry.next
