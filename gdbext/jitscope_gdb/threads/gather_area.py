"""What the program says of a gathering of workers, in its libjitscope.so: jitscope_gather (jitscope.h)."""

from __future__ import annotations

import struct
from typing import Any

import gdb

from ..target import target

_GATHER = 144  # jitscope_descriptor.gather
_MET = 2
_ALL = 1
_FIELDS = struct.Struct("<IIIIQIIQII")


def address(of: target.Target) -> int | None:
    """Return where it is; None: the program has none."""
    descriptor = of.descriptor
    if not descriptor:
        return None
    try:
        size = struct.unpack("<I", bytes(of.inferior.read_memory(descriptor + 12, 4)))[0]
        if size < _GATHER + 8:
            return None
        return struct.unpack("<Q", bytes(of.inferior.read_memory(descriptor + _GATHER, 8)))[0] or None
    except gdb.MemoryError:
        return None


def met(of: target.Target) -> dict[str, Any] | None:
    """The meeting that the program has stopped for: {"reason", "launch", "expected", "arrived"}."""
    at = address(of) if of.is_live else None
    if at is None:
        return None
    fields = _FIELDS.unpack(bytes(of.inferior.read_memory(at, _FIELDS.size)))
    if fields[2] != _MET:
        return None
    reason = "all" if fields[6] == _ALL else "timeout"
    return {"reason": reason, "launch": fields[7], "expected": fields[8], "arrived": fields[9]}
