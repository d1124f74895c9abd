"""Internal breakpoints that a thread hits while a user's command runs; GDB shows nothing of such a stop."""

from __future__ import annotations

import gdb

from ..frames import frames


class Passed(gdb.Breakpoint):
    """A breakpoint for the selected thread, or for the one with this global number, at an address, with this stack
    pointer, or in the frame with this canonical address (0: any)."""

    def __init__(self, address: int, stack: int = 0, cfa: int = 0, thread: int = 0):
        super().__init__(f"*{address:#x}", gdb.BP_BREAKPOINT, internal=True)
        self.silent = True
        self.thread = thread or gdb.selected_thread().global_num
        self.was_hit = False
        self._stack, self._cfa = stack, cfa

    def stop(self) -> bool:
        frame = gdb.newest_frame()
        is_stack = self._stack in (0, int(frame.read_register("sp")) & (1 << 64) - 1)
        self.was_hit = is_stack and self._cfa in (0, frames.cfa(frame))
        return self.was_hit


def remove(*places: Passed | None) -> None:
    """Delete the places that still exist."""
    for place in places:
        if place is not None and place.is_valid():
            place.delete()
