"""Structures that a program publishes in its libjitscope.so (jitscope_descriptor.h), by their fields. `kind`: a class
of contract.py with the field `size`."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Iterator


def structure(read: Callable[[int, int], "bytes | None"], address: int, kind: Any) -> Any:
    """Return the structure at the address; None if it cannot be read. Fields that the program's version lacks are 0."""
    size = read(address + kind.size.offset, kind.size.size)
    found = read(address, min(int.from_bytes(size, "little"), ctypes.sizeof(kind))) if size is not None else None
    return None if found is None else kind.from_buffer_copy(found.ljust(ctypes.sizeof(kind), b"\0"))


def fields(kind: Any, values: dict[str, int]) -> Iterator[tuple[int, bytes]]:
    """Yield the place in the structure, and the bytes, of each of these integer fields."""
    for name, value in values.items():
        field = getattr(kind, name)
        yield field.offset, value.to_bytes(field.size, "little")
