"""A running process as the kernel reports it: its code and its dead children."""

from __future__ import annotations

import pathlib
import re


def code_of(pid: int) -> dict[int, bytes]:
    """Return a process's executable memory, by address."""
    found = {}
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
            match = re.match(r"([0-9a-f]+)-([0-9a-f]+) r.xp .*(?<!\[vdso\])(?<!\[vsyscall\])$", line)
            if match:
                start, end = (int(part, 16) for part in match.groups())
                memory.seek(start)
                found[start] = memory.read(end - start)
    return found


def differences(before: dict[int, bytes], now: dict[int, bytes]) -> list[str]:
    return [
        f"{start + at:#x}: {old:#x} is {new:#x}"
        for start, data in before.items()
        if data != now.get(start)
        for at, (old, new) in enumerate(zip(data, now.get(start, b"")))
        if old != new
    ]


def zombies(pid: int) -> list[int]:
    """Return the process's children that nobody has waited for."""
    found = []
    for each in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = each.read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == pid and state == "Z":
            found.append(int(each.parent.name))
    return found
