"""The parent, siblings and children of a process of this machine, as proc(5) gives them."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

# PF_FORKNOEXEC of Linux' include/linux/sched.h: the process was forked, and has executed no program since
FORKED = 0x40


class Relative(NamedTuple):
    pid: int
    parent: int
    is_forked: bool
    executable: str | None  # None where this user may not know it


def read(pid: int) -> Relative | None:
    """Return the process; None if there is none with this PID."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            # from field 3 on, as the name before it may contain anything
            fields = stream.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if len(fields) < 7:
        return None
    try:
        executable = os.readlink(f"/proc/{pid}/exe")
    except OSError:
        executable = None
    return Relative(pid, int(fields[1]), bool(int(fields[6]) & FORKED), executable)


def command_line(pid: int) -> str:
    """Return the command line as ps shows it; "" if it cannot be read."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as stream:
            words = stream.read(4096).rstrip(b"\0").split(b"\0")
    except OSError:
        return ""
    text = b" ".join(words).decode("utf-8", "replace")
    return "".join(c if c.isprintable() else "?" for c in text)


def _all() -> list[Relative]:
    found = (read(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return [process for process in found if process is not None]


def of(pid: int) -> dict[str, Any] | None:
    """Return the "family" of `jit status -json`. Relatives are processes of the same program, or forked from this
    one."""
    process = read(pid)
    if process is None:
        return None
    parent = read(process.parent)
    if parent is not None and not _is_kin(process, parent, False):
        parent = None  # it adopted the process, or has executed another program since
    others = [other for other in _all() if other.pid != pid]
    return {
        "forked": process.is_forked,
        "parent": {"pid": parent.pid, "command": command_line(parent.pid)} if parent else None,
        "siblings": _pids(process, [o for o in others if parent and o.parent == parent.pid]),
        "children": _pids(process, [o for o in others if o.parent == pid]),
    }


def _is_kin(process: Relative, other: Relative, is_forked: bool) -> bool:
    return is_forked or (process.executable is not None and other.executable == process.executable)


def _pids(process: Relative, others: list[Relative]) -> list[int]:
    return sorted(other.pid for other in others if _is_kin(process, other, other.is_forked))


def image_owner(pid: int) -> int | None:
    """Return the process that executed the program which `pid` runs: the process itself, or the ancestor that it was
    forked from without executing a program since. None: an ancestor has ended."""
    seen = set()
    process = read(pid)
    while process is not None and process.is_forked and process.pid not in seen:
        seen.add(process.pid)
        parent = read(process.parent)
        # An orphan's parent is another program, which adopted it.
        if parent is None or parent.executable is None or parent.executable != process.executable:
            return None
        process = parent
    return process.pid if process else None
