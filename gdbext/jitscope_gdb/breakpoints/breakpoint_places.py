"""What GDB says of a breakpoint: its kind, and the addresses where it stands."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import console

_ADDRESS = re.compile(r"^\d.* (0x[0-9a-f]+)(?: in .*)?$", re.M)  # in `info breakpoints`

BREAKS = {gdb.BP_BREAKPOINT, getattr(gdb, "BP_HARDWARE_BREAKPOINT", gdb.BP_BREAKPOINT)}
WATCHES = {
    getattr(gdb, name)
    for name in ("BP_WATCHPOINT", "BP_HARDWARE_WATCHPOINT", "BP_READ_WATCHPOINT", "BP_ACCESS_WATCHPOINT")
    if hasattr(gdb, name)
}


def addresses(breakpoint: Any) -> list[int]:
    """Return where GDB has put the breakpoint; GDB before 13 says it in a table only."""
    if hasattr(breakpoint, "locations"):
        return [place.address for place in breakpoint.locations or ()]
    return [int(word, 16) for word in _ADDRESS.findall(console.text_of(f"info breakpoints {breakpoint.number}"))]
