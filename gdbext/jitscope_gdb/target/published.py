"""Structures that a program publishes in its libjitscope.so (jitscope_descriptor.h), read and written by their
fields."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared import published
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

    def read(address: int, size: int) -> bytes | None:
        try:
            return debuggee.read(address, size)
        except gdb.MemoryError:
            return None

    return published.structure(read, address, kind)


def has(structure: Any, name: str) -> bool:
    """True if the program's version of the structure has this field."""
    field = getattr(type(structure), name)
    return bool(structure.size >= field.offset + field.size)


def write(debuggee: Target, address: int, kind: Any, **values: int) -> None:
    """Write integer fields of the structure at the address, in this order."""
    for offset, data in published.fields(kind, values):
        debuggee.write(address + offset, data)
