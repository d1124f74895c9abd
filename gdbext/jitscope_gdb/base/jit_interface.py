"""The in-memory objects that the target has registered by GDB's JIT interface, read from the target's memory.

Source of the layout: GDB manual, "JIT Compilation Interface", struct jit_descriptor and jit_code_entry."""

from __future__ import annotations

import re
import struct
from typing import Any, Iterator, NamedTuple

import gdb

from . import console

REGISTER = "__jit_debug_register_code"
DESCRIPTOR = "__jit_debug_descriptor"
MAX_ENTRIES = 1_000_000
REGISTERED = 1  # a value of action_flag

_HEAD = struct.Struct("<IIQQ")
_ENTRY = struct.Struct("<QQQQ")


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


def symbol_at(address: int) -> str:
    """Return the name of the symbol at the address, "" if there is none. Only symbol tables are used, so GDB need not
    read debug information."""
    said: str = console.text_of(f"info symbol {address}")
    return "" if said.startswith("No symbol") else said.split(None, 1)[0]


def find_in_registers(inferior: Any) -> list[int]:
    """Return the descriptor's address in a list, where the caller of __jit_debug_register_code still has it in a
    register; else an empty list."""
    for register in inferior.architecture().registers("general"):
        try:
            address = int(gdb.parse_and_eval(f"(unsigned long)${register.name}"))
        except gdb.error:
            continue
        head = read_head(inferior, address)
        if head is not None and head.action == REGISTERED and symbol_at(address) == DESCRIPTOR:
            return [address]
    return []


def find_first() -> list[int]:
    """Return, in a list, the descriptor that an expression gives in the current program space, which may be one of
    several."""
    try:
        return [int(gdb.parse_and_eval(f"(unsigned long)&{DESCRIPTOR}"))]
    except (gdb.error, gdb.MemoryError):
        return []


def find_all() -> list[int]:
    """Return all descriptors of the current program space, one for each JIT library. GDB looks at every symbol for
    this."""
    found = find_first()
    if found:
        listing = console.text_of(f"info variables -q ^{DESCRIPTOR}$")
        for match in re.finditer(r"^(0x[0-9a-f]+) +" + DESCRIPTOR, listing, re.M):
            address = int(match[1], 16)
            if address not in found:
                found.append(address)
    return found


def read_head(inferior: Any, address: int) -> Head | None:
    try:
        head = Head(*_HEAD.unpack(bytes(inferior.read_memory(address, _HEAD.size))))
    except (gdb.error, gdb.MemoryError, struct.error):
        return None
    return head if head.version == 1 else None


def read_entry(inferior: Any, address: int) -> Entry | None:
    try:
        following, _, symfile, size = _ENTRY.unpack(bytes(inferior.read_memory(address, _ENTRY.size)))
    except (gdb.error, gdb.MemoryError, struct.error):
        return None
    return Entry(address, following, symfile, size)


def walk(inferior: Any, head: Head) -> Iterator[Entry]:
    """Yield the entries in list order; end at an entry that cannot be read and at a cycle."""
    seen = set()
    address = head.first
    while address and address not in seen and len(seen) < MAX_ENTRIES:
        seen.add(address)
        entry = read_entry(inferior, address)
        if entry is None:
            return
        yield entry
        address = entry.next
