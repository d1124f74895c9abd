"""Replaces what a tool writes where it has no name for an address, such as `???`, by the name that a perf map has."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

_LINE = re.compile(rb"(?:0x)?([0-9a-fA-F]{1,16}) (?:0x)?([0-9a-fA-F]{1,16}) (.+)")
# An address as valgrind, GDB and bpftrace write it, or one that `perf script` has no name for, and what stands there
# instead of the name.
_ADDRESS = re.compile(
    rb"(?<![\w.])(?:0x(?P<marked>[0-9a-fA-F]{4,16})(?![\w.])"
    rb"(?:(?P<before>: |:? in | )(?:\?\?\?|\?\? \(\)|\[unknown\])|(?!: \w|:? in \w))"  # or: no other name
    rb"|(?P<bare>[0-9a-f]{4,16}) \[unknown\])"
)


class _Named(NamedTuple):
    low: int
    high: int
    order: int  # place of the line in the map
    name: bytes


class NamedAddresses:
    """The names of a perf map. Where two lines have the same address, the later one is the newer one."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        found = []
        for order, line in enumerate(lines):
            fields = _LINE.fullmatch(line.rstrip(b"\r\n"))
            if fields:
                low = int(fields[1], 16)
                found.append(_Named(low, low + int(fields[2], 16), order, fields[3]))
        self._found = sorted(found)
        self._starts = [each.low for each in self._found]
        self._reach: list[int] = []  # the highest end of each and all before it
        for each in self._found:
            self._reach.append(max(each.high, self._reach[-1] if self._reach else 0))

    def __len__(self) -> int:
        return len(self._found)

    def name(self, address: int) -> bytes | None:
        """Return the name of the code that holds the address."""
        place, best = bisect_right(self._starts, address) - 1, None
        while place >= 0 and self._reach[place] > address:
            each = self._found[place]
            if each.high > address and (best is None or each.order > best.order):
                best = each
            place -= 1
        return best.name if best else None

    def fill(self, text: bytes) -> bytes:
        """Return the text with the names."""
        return _ADDRESS.sub(self._filled, text)

    def _filled(self, found: re.Match[bytes]) -> bytes:
        digits = found["marked"] or found["bare"]
        name = self.name(int(digits, 16))
        if name is None:
            return found[0]
        if found["bare"]:
            return digits + b" " + name
        before = found["before"]
        return b"0x" + digits + (before + name if before else b" <" + name + b">")
