"""Structures that a program publishes in its libjitscope.so (jitscope_descriptor.h), read and written by their
fields."""

from __future__ import annotations

import ctypes
from typing import Any

import gdb
from jitscope_shared.base import contract

from .target import Target


def descriptor(debuggee: Target) -> contract.Descriptor | None:
    """Return the process's jitscope_descriptor; None if the process has no libjitscope.so."""
    found: contract.Descriptor | None = (
        read(debuggee, debuggee.descriptor, contract.Descriptor) if debuggee.descriptor else None
    )
    return found


def read(debuggee: Target, address: int, kind: Any) -> Any:
    """Return the structure at the address; None if it cannot be read. Fields that the program's version lacks are 0.
    `kind`: a class of contract.py with the field `size`."""
    memory, begin = debuggee.inferior.read_memory, kind.size.offset
    try:
        size = int.from_bytes(bytes(memory(address + begin, kind.size.size)), "little")
        found = bytes(memory(address, min(size, ctypes.sizeof(kind))))
    except gdb.MemoryError:
        return None
    return kind.from_buffer_copy(found.ljust(ctypes.sizeof(kind), b"\0"))


def has(structure: Any, name: str) -> bool:
    """True if the program's version of the structure has this field."""
    field = getattr(type(structure), name)
    return bool(structure.size >= field.offset + field.size)


def write(debuggee: Target, address: int, kind: Any, **values: int) -> None:
    """Write integer fields of the structure at the address, in this order."""
    for name, value in values.items():
        field = getattr(kind, name)
        debuggee.write(address + field.offset, value.to_bytes(field.size, "little"))
