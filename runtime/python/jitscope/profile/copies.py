"""Addresses at which a process has nothing, so that a profiler can have copies of its code there."""

from __future__ import annotations

from typing import NamedTuple

REACH = 1 << 31  # entries of .eh_frame_hdr have distances of 4 bytes with a sign
SLACK = 1 << 28  # code may be this far above the first and have its copies in the same room
LEAST = 1 << 26  # bytes of a room
LOWEST = 1 << 16


class _Room(NamedTuple):
    low: int
    high: int

    @property
    def size(self) -> int:
        return self.high - self.low


class Copies:
    """Room for copies of a process's code, below the code and within reach of it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._room = _Room(0, 0)

    def place(self, address: int, size: int) -> int | None:
        """Return an address for `size` bytes; None if there is no room."""
        size = (size + 63) & ~63
        if not max(address - REACH, 0) + size < self._room.low <= min(self._room.high, address) - size:
            self._room = self._find(address)
        low, high = self._room
        if size > self._room.size:
            return None
        self._room = _Room(low + size, high)
        return low

    def _find(self, address: int) -> _Room:
        """Return the largest room below an address. The process itself takes its upper end first."""
        end, found = max(address - REACH + SLACK, LOWEST), _Room(0, 0)
        try:
            with open(f"/proc/{self.pid}/maps", "rb") as stream:
                for line in stream:
                    low, high = (int(word, 16) for word in line.split(b" ", 1)[0].split(b"-"))
                    if low >= address:
                        break
                    found = max(found, _Room(end, low), key=lambda room: room.size)
                    end = max(end, high)
        except OSError:  # the process has ended
            return _Room(0, 0)
        return found if found.size >= LEAST else _Room(0, 0)
