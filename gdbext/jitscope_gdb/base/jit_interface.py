"""GDB's side of the JIT interface: where the descriptors of the program are, and jit_entries.py over GDB's memory."""

from __future__ import annotations

import re
from typing import Any, Iterator

import gdb
from jitscope_shared import jit_entries
from jitscope_shared.jit_entries import DESCRIPTOR, REGISTER, REGISTERED, Entry, Head  # noqa: F401

from . import console


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


def _reader(inferior: Any) -> jit_entries.Read:
    def read(address: int, size: int) -> bytes | None:
        try:
            return bytes(inferior.read_memory(address, size))
        except (gdb.error, gdb.MemoryError):
            return None

    return read


def read_head(inferior: Any, address: int) -> Head | None:
    return jit_entries.read_head(_reader(inferior), address)


def read_entry(inferior: Any, address: int) -> Entry | None:
    return jit_entries.read_entry(_reader(inferior), address)


def walk(inferior: Any, head: Head) -> Iterator[Entry]:
    """Yield the entries in list order; end at an entry that cannot be read and at a cycle."""
    return jit_entries.walk(_reader(inferior), head)
