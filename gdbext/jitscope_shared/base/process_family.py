"""The parent, siblings and children of a process of this machine, as proc(5) gives them. Plain Python,
usable outside of GDB."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, NamedTuple, Optional

# PF_FORKNOEXEC of Linux' include/linux/sched.h: the process was forked, and has executed no program since
FORKED = 0x40


class Relative(NamedTuple):
    pid: int
    parent: int
    is_forked: bool
    executable: Optional[str]  # None where this user may not know it


def read(pid: int) -> Optional[Relative]:
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


def has_ended(pid: int) -> bool:
    """True if there is no such process, or only what its parent has not yet waited for."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b") ")[2][:1] in (b"Z", b"X")
    except OSError:
        return True


def children(pid: int) -> List[int]:
    """Return the children of a process, whatever program they run."""
    found: List[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as stream:
                found.extend(int(word) for word in stream.read().split())
    except OSError:
        pass  # it has ended meanwhile
    return sorted(found)


def _all() -> List[Relative]:
    found = (read(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return [process for process in found if process is not None]


def of(pid: int) -> Optional[Dict[str, Any]]:
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


def _pids(process: Relative, others: List[Relative]) -> List[int]:
    return sorted(other.pid for other in others if _is_kin(process, other, other.is_forked))


def image_owner(pid: int) -> Optional[int]:
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


def start_time(pid: int) -> Optional[float]:
    """Return when the program that runs in the process started, in seconds since the epoch; None: it is not known. A
    forked child has code of its parent, which may be older than the child."""
    owner = image_owner(pid)
    return None if owner is None else own_start_time(owner)


def own_start_time(pid: int) -> Optional[float]:
    """Return when the process started, in seconds since the epoch; None: there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
        with open("/proc/stat", "rb") as stream:
            boot = re.search(rb"^btime (\d+)", stream.read(), re.M)
    except OSError:
        return None
    if boot is None or len(fields) < 20:
        return None
    # The start time is field 22 of proc(5)'s stat, counted from 1; the boot time is cut to a second.
    return float(boot[1]) + int(fields[19]) / os.sysconf("SC_CLK_TCK") + 1


def root_of(pid: int) -> str:
    """Return the folder below which this process sees the files of that one: /proc/PID/root where that one has other
    mounts or another root folder, else ""."""
    try:
        mounts = [os.readlink(f"/proc/{process}/ns/mnt") for process in (pid, "self")]
        is_same = mounts[0] == mounts[1] and os.readlink(f"/proc/{pid}/root") == os.readlink("/proc/self/root")
    except OSError:
        return ""
    return "" if is_same else f"/proc/{pid}/root"
