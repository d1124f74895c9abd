"""Files in perf's format for compiled code with its lines. Source of the format:
linux/tools/perf/Documentation/jitdump-specification.txt."""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections.abc import Iterable
from typing import BinaryIO, Callable

from jitscope.profile.copies import Copies
from jitscope.profile.live_names import Function, Rules
from jitscope.profile.perf_map import Unwritable, escaped, label_of
from jitscope.profile.unwinding import Sections, room_for, sections

MAGIC, VERSION = 0x4A695444, 1
CODE_LOAD, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO = 0, 2, 3, 4
HEADER = struct.Struct("=IIIIIIQQ")  # magic, version, size, machine, padding, pid, time, flags
RECORD = struct.Struct("=IIQ")  # kind, size, time
LOAD = struct.Struct("=IIQQQQ")  # pid, tid, vma, address, size, index
DEBUG_INFO = struct.Struct("=QQ")  # address, number of lines
LINE = struct.Struct("=QII")  # address, line, discriminator
UNWINDING_INFO = struct.Struct("=QQQ")  # size, size of .eh_frame_hdr, size that is mapped behind the code

Read = Callable[[int, int], "bytes | None"]
FindRules = Callable[[int], "Rules | None"]


def _text(text: str) -> bytes:
    return escaped(text).encode("utf-8", "backslashreplace") + b"\0"


class JitDump:
    """A dump that is being written. `path`: a file, or a folder, in which it gets the name that `perf inject` wants,
    as a file mapped by this process. `read` returns bytes at an address of the process `pid`, and `rules` how to find
    the caller of the code there; `copies` has addresses for copies of code."""

    def __init__(self, path: str, pid: int, machine: int, read: Read, rules: FindRules, copies: Copies) -> None:
        is_folder = os.path.isdir(path)
        self.path = os.path.join(path, f"jit-{os.getpid()}.dump") if is_folder else path
        self.pid, self._read, self._rules, self._copies = pid, read, rules, copies
        self._written: dict[int, tuple[int, int]] = {}  # address -> object and end
        self._count = 0
        # The name can be guessed, so that in a folder of all users somebody may have put a link there.
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | (os.O_EXCL | os.O_NOFOLLOW if is_folder else os.O_TRUNC)
        self._file: BinaryIO = os.fdopen(os.open(self.path, flags, 0o600 if is_folder else 0o666), "w+b")
        self._file.write(HEADER.pack(MAGIC, VERSION, HEADER.size, machine, 0, pid, time.monotonic_ns(), 0))
        self._file.flush()
        self._mapping = self._map() if is_folder else None

    def _map(self) -> mmap.mmap:
        """Map the file, which `perf record` notes only if it is mapped as code."""
        try:
            return mmap.mmap(self._file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
        except OSError as error:
            self._file.close()
            os.unlink(self.path)
            why = f"`perf inject` could not find it, as it cannot be mapped as code: {error.strerror}"
            raise Unwritable(f"{self.path}: {why}; choose a folder that is not mounted noexec") from None

    def add(self, functions: Iterable[Function]) -> int:
        """Append the functions that are not in the dump yet, and return their number. Their code is read now."""
        added = 0
        for function in functions:
            if self._written.get(function.low) == (function.object, function.high):
                continue
            code = self._read(function.low, function.high - function.low)
            if code is None:
                continue
            self._written[function.low] = (function.object, function.high)
            self._count += 1
            self._put_function(function, code)
            added += 1
        self._file.flush()
        return added

    def _put_function(self, function: Function, code: bytes) -> None:
        """Put the code, and before it a copy with the rules for its caller. `perf` reads them at addresses right behind
        the code of the first place that it knows for a file. Behind the code itself the next function is."""
        rules = self._rules(function.low)
        copy = self._copies.place(function.low, room_for(rules, len(code))) if rules else None
        found = sections(rules, function.low, len(code), copy) if rules and copy is not None else None
        if found is not None and copy is not None:
            self._put_unwinding(found, len(found.content))
            self._put_code(function, copy, code)
            self._put_unwinding(found, 0)
        self._put_lines(function)
        self._put_code(function, function.low, code)

    def _put_unwinding(self, found: Sections, mapped: int) -> None:
        head = UNWINDING_INFO.pack(len(found.content), found.header_size, mapped)
        self._put(CODE_UNWINDING_INFO, head + found.content)

    def _put_code(self, function: Function, address: int, code: bytes) -> None:
        head = LOAD.pack(self.pid, self.pid, address, address, len(code), self._count)
        self._put(CODE_LOAD, head + _text(label_of(function)) + code)

    def _put_lines(self, function: Function) -> None:
        lines = [
            LINE.pack(part.low, part.frames[0].line, 0) + _text(part.frames[0].file)
            for part in function.ranges
            if part.frames[0].line and part.frames[0].file
        ]
        if lines:
            self._put(CODE_DEBUG_INFO, DEBUG_INFO.pack(function.low, len(lines)) + b"".join(lines))

    def _put(self, kind: int, content: bytes) -> None:
        self._file.write(RECORD.pack(kind, RECORD.size + len(content), time.monotonic_ns()) + content)

    def close(self) -> None:
        self._put(CODE_CLOSE, b"")
        if self._mapping is not None:
            self._mapping.close()
        self._file.close()
