"""Numbers in the memory of the program that GDB debugs."""

from __future__ import annotations

from typing import Any

WORD = 8  # bytes of a pointer or a size


def integer(inferior: Any, address: int, size: int = WORD) -> int:
    """Return the unsigned little-endian number at this address. Raise gdb.MemoryError if it cannot be read."""
    return int.from_bytes(bytes(inferior.read_memory(address, size)), "little")
