"""Where threads sleep, by proc(5)."""

from __future__ import annotations

import time
from pathlib import Path

FUTEX = 202  # the number of futex(2) on x86-64


def asleep(pid: int, native: int) -> tuple[int, int]:
    """Return the address that a sleeping thread has given futex(2), or 0, and its stack pointer:
    proc_pid_syscall(5)."""
    words = Path(f"/proc/{pid}/task/{native}/syscall").read_text().split()
    if words[0] == "running":
        return 0, 0
    return int(words[1], 16) if int(words[0]) == FUTEX else 0, int(words[-2], 16)


def settle(pid: int, threads: list[int]) -> None:
    """Wait until all threads sleep, and stay where they are."""
    before, end = [(0, 0)], time.monotonic() + 10
    while time.monotonic() < end:
        time.sleep(0.05)
        now = [asleep(pid, native) for native in threads]
        if now == before and all(stack for _, stack in now):
            return
        before = now
