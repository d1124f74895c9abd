"""A core's file: where it is, and the signals that its threads had, which LLDB's API does not give."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

# elf(5) and core(5): the header's beginning, the program headers, and the notes of each thread.
_EHDR = struct.Struct("<4s12xHHIQQQIHHHHHH")
_PHDR = struct.Struct("<IIQQQQQQ")
_NOTE = struct.Struct("<III")
_ET_CORE, _PT_NOTE, _NT_PRSTATUS, _NT_SIGINFO = 4, 4, 1, 0x53494749
_PID = 32  # where elf_prstatus has pr_pid on a 64-bit machine (linux/elfcore.h)
_SIGINFO = struct.Struct("<iii4xQ")  # si_signo, si_errno, si_code, si_addr (linux/asm-generic/siginfo.h)
_LONGEST = 1 << 26  # bytes of notes


class Signal(NamedTuple):
    number: int
    code: int
    address: int  # the one that a fault is about


def path_of(process: Any) -> str | None:
    """Return the path of the core that LLDB has opened; None: it is not known. LLDB before 17 does not say it, but maps
    the file."""
    find = getattr(process, "GetCoreFile", None)
    if find is not None:
        return str(find().fullpath)
    with open("/proc/self/maps", errors="surrogateescape") as maps:
        lines = [line.rstrip("\n").split(None, 5) for line in maps]
    found = {words[5] for words in lines if len(words) == 6 and words[5].startswith("/") and _is_core(words[5])}
    return found.pop() if len(found) == 1 else None


def _is_core(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(18)
        return head[:4] == b"\x7fELF" and head[16:18] == _ET_CORE.to_bytes(2, "little")
    except OSError:
        return False


def signals(path: str) -> dict[int, Signal]:
    """Return the signal that each thread had, by the kernel's number of the thread; {}: the core has none."""
    try:
        return dict(_signals(path))
    except (OSError, struct.error):
        return {}


def _signals(path: str) -> list[tuple[int, Signal]]:
    found = []
    thread = 0
    with open(path, "rb") as file:
        fields = _EHDR.unpack(file.read(_EHDR.size))
        offset, size, count = fields[5], fields[9], fields[10]
        for number in range(count):
            file.seek(offset + number * size)
            kind, _, start, _, _, length, _, _ = _PHDR.unpack(file.read(_PHDR.size))
            if kind != _PT_NOTE or length > _LONGEST:
                continue
            file.seek(start)
            notes, at = file.read(length), 0
            while at + _NOTE.size <= len(notes):
                name, described, kind = _NOTE.unpack_from(notes, at)
                begin = at + _NOTE.size + (name + 3 & ~3)
                if kind == _NT_PRSTATUS:
                    thread = struct.unpack_from("<i", notes, begin + _PID)[0]
                elif kind == _NT_SIGINFO:
                    signal, _, code, address = _SIGINFO.unpack_from(notes, begin)
                    found.append((thread, Signal(signal, code, address)))
                at = begin + (described + 3 & ~3)
    return found
