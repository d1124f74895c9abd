"""The copy of a process that reports itself: it answers reads over a socket (`runtime/include/jitscope_report.h`).

What it answers is put into the form of a core, which the C library reads as it reads any other."""

from __future__ import annotations

import os
import re
import socket
import struct
from typing import NamedTuple

VERSION, THREADS, REGISTERS, ANSWERED = 1, 1024, 27, 2
READ_MEMORY, READ_FILE, LARGEST = 0, 1, 65536
MAPS, AUXILIARY, COMMAND = 0, 1, 2
MEMORY = 1 << 56  # offset in the core from which on the memory begins
PC, SP = 16, 19  # words of the registers (struct user_regs_struct)
MANY_THREADS, LARGE_STACK, LIMITED_STACK, LONGEST_MESSAGE = 100, 1 << 18, 1 << 16, 1024
_REQUEST = struct.Struct("=QQQ")
_COUNT = struct.Struct("=q")
_HEAD = struct.Struct("=IIiiiIQQQ")
_THREAD = struct.Struct(f"=iI16s{REGISTERS}QiiQ")
_MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (...). ([0-9a-f]+) \S+ (\d+) *(.*)")
_PAGE = 4096
# Shared memory without a file, as the kernel names it: SysV's, that of memfd_create(), and that of mmap().
NO_FILES = ("/SYSV", "/memfd:", "/dev/zero (deleted)")
_OF_THE_KERNEL = ("[vvar]", "[vsyscall]")  # cannot be read, or is the same everywhere
# Of the core: Linux include/uapi/linux/elf.h, elfcore.h; fs/binfmt_elf.c (fill_files_note).
_EHDR = struct.Struct("=16sHHIQQQIHHHHHH")
_PHDR = struct.Struct("=IIQQQQQQ")
_ET_CORE, _EM_X86_64, _PT_LOAD, _PT_NOTE = 4, 62, 1, 4
_PRSTATUS, _PRPSINFO, _AUXV, _SIGINFO, _FILE = 1, 3, 6, 0x53494749, 0x46494C45
_PRSTATUS_SIZE, _PRPSINFO_SIZE, _SIGINFO_SIZE = 336, 136, 128


class SnapshotError(Exception):
    """The copy does not answer, or is of another version."""


class Mapping(NamedTuple):
    """A line of /proc/PID/maps; addresses are [start, end)."""

    start: int
    end: int
    access: str
    offset: int
    path: str

    def line(self) -> str:
        """Return it as a line of /proc/PID/maps."""
        return f"{self.start:x}-{self.end:x} {self.access}p {self.offset:x} 00:00 0 {self.path}\n"


class Fault(NamedTuple):
    """A signal that a thread has received (siginfo_t); its number is 0 if there is none."""

    signal: int
    code: int
    address: int


class Thread(NamedTuple):
    """A thread of the process; its registers are known if it has answered."""

    native_id: int
    known: int
    name: str
    registers: tuple[int, ...]
    fault: Fault


class Snapshot:
    """A copy that answers. `address`: of its jitscope_report_process. Raise SnapshotError."""

    def __init__(self, connection: socket.socket, address: int) -> None:
        self.connection = connection
        head = _HEAD.unpack(self.read(address, _HEAD.size))
        version, size, self.pid, self.signal, self.code, count, self.address, self.left_out, message = head
        if version != VERSION or size != _HEAD.size + THREADS * _THREAD.size or count > THREADS:
            raise SnapshotError("the process has another version of jitscope")
        table = self.read(address + _HEAD.size, count * _THREAD.size)
        self.threads = [
            Thread(
                native_id,
                known,
                name.split(b"\0", 1)[0].decode("utf-8", "replace"),
                tuple(rest[:REGISTERS]),
                Fault(*rest[REGISTERS:]),
            )
            for native_id, known, name, *rest in _THREAD.iter_unpack(table)
        ]
        if self.threads:
            self.threads[0] = self.threads[0]._replace(fault=Fault(self.signal, self.code, self.address))
        self.mappings = list(self._mappings())
        if not self.mappings:
            raise SnapshotError("/proc/self/maps cannot be read")
        self.abort_message = self._text(message)
        self.command = self.file(COMMAND)[:4096].rstrip(b"\0").replace(b"\0", b" ").decode("utf-8", "replace")

    def read(self, address: int, size: int) -> bytes:
        """Return bytes of the memory. Raise SnapshotError if it has not all of them."""
        data = b""
        while len(data) < size:
            part = self._ask(READ_MEMORY, address + len(data), min(LARGEST, size - len(data)))
            if not part:
                raise SnapshotError(f"the process has no memory at {address + len(data):#x}")
            data += part
        return data

    def read_some(self, address: int, size: int) -> bytes:
        """Return bytes of the memory; none if it has not all of them."""
        try:
            return self.read(address, size)
        except SnapshotError:
            return b""

    def _text(self, message: int) -> str:
        """Return the text of glibc's struct abort_msg_s (include/stdlib.h: the size of the mapping, the text)."""
        found = self.read_some(message + 4, LONGEST_MESSAGE) if message else b""
        return found.split(b"\0", 1)[0].decode("utf-8", "replace").strip(" *\n")

    def file(self, number: int) -> bytes:
        """Return a file of /proc/self: MAPS, AUXILIARY or COMMAND."""
        data = part = self._ask(READ_FILE, number, 0)
        while part:
            part = self._receive_part()
            data += part
        return data

    def _ask(self, kind: int, address: int, size: int) -> bytes:
        try:
            self.connection.sendall(_REQUEST.pack(kind, address, size))
            return self._receive_part()
        except OSError as error:
            raise SnapshotError(f"the process does not answer: {error.strerror}") from None

    def _receive_part(self) -> bytes:
        (count,) = _COUNT.unpack(self._receive(_COUNT.size))
        return self._receive(count) if count > 0 else b""

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self.connection.recv(size - len(data))
            if not part:
                raise SnapshotError("the process has stopped answering")
            data += part
        return data

    def _mappings(self) -> list[Mapping]:
        found = []
        for line in self.file(MAPS).decode("utf-8", "surrogateescape").splitlines():
            match = _MAPPING.match(line)
            if match:
                start, end, access, offset, _, path = match.groups()
                found.append(Mapping(int(start, 16), int(end, 16), access, int(offset, 16), path))
        return found

    def mapping_at(self, address: int) -> Mapping | None:
        """Return the mapping that has the address."""
        return next((each for each in self.mappings if each.start <= address < each.end), None)

    def stack_of(self, thread: Thread) -> Mapping | None:
        """Return the mapping of its stack: after an overflow, the stack pointer may be below it, in the pages before it
        that no one may access."""
        pointer = thread.registers[SP]
        found = next((each for each in self.mappings if each.end > pointer and "w" in each.access), None)
        return found if found and found.start < pointer + LIMITED_STACK else None

    def is_large(self) -> bool:
        """True if there are many threads, or much on their stacks, so that reading them may take seconds."""
        if len(self.threads) > MANY_THREADS:
            return True
        answered = [each for each in self.threads if each.known == ANSWERED]
        stacks = [(self.stack_of(each), each.registers[SP]) for each in answered]
        return sum(stack.end - pointer for stack, pointer in stacks if stack) > LARGE_STACK

    def _last_of(self, thread: Thread) -> int:
        """Return the end of the newest part of its stack."""
        return (thread.registers[SP] + 2 * LIMITED_STACK) // _PAGE * _PAGE

    def is_limited_stack(self) -> bool:
        """True if core_head(is_limited=True) leaves out a part of the first thread's stack."""
        stack = self.stack_of(self.threads[0])
        return stack is not None and stack.end > self._last_of(self.threads[0])

    def newest_share(self) -> float:
        """Return which part of the first thread's stack core_head(is_limited=True) has."""
        stack, pointer = self.stack_of(self.threads[0]), self.threads[0].registers[SP]
        size = stack.end - pointer if stack else 0
        return min(1.0, (self._last_of(self.threads[0]) - pointer) / size) if size > 0 else 1.0

    def core_head(self, is_limited: bool = False) -> bytes:
        """Return the headers and notes of a core, whose segments are in the memory (js_core_create_served).
        `is_limited`: with the first thread alone, and the newest part of its stack."""
        segments = [each for each in self.mappings if each.access[0] == "r" and each.path not in _OF_THE_KERNEL]
        threads = [each for each in self.threads if each.known == ANSWERED]
        if is_limited:
            del threads[1:]
            stack, last = self.stack_of(threads[0]), self._last_of(threads[0])
            segments = [each._replace(end=min(each.end, last)) if each == stack else each for each in segments]
        notes = self._notes(threads)
        count = len(segments) + 1
        after = _EHDR.size + count * _PHDR.size
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        head = _EHDR.pack(ident, _ET_CORE, _EM_X86_64, 1, 0, _EHDR.size, 0, 0, _EHDR.size, _PHDR.size, count, 0, 0, 0)
        headers = _PHDR.pack(_PT_NOTE, 0, after, 0, 0, len(notes), 0, 4)
        for each in segments:
            flags = sum(bit for bit, letter in ((4, "r"), (2, "w"), (1, "x")) if letter in each.access)
            size = each.end - each.start
            headers += _PHDR.pack(_PT_LOAD, flags, MEMORY + each.start, each.start, 0, size, size, _PAGE)
        return head + headers + notes

    def _notes(self, threads: list[Thread]) -> bytes:
        information = bytearray(_PRPSINFO_SIZE)
        struct.pack_into("=ii", information, 24, self.pid, os.getppid())
        struct.pack_into("=80s", information, 56, os.fsencode(self.command)[:79])
        notes = _note(_PRPSINFO, bytes(information))
        for thread in threads:
            status = bytearray(_PRSTATUS_SIZE)
            struct.pack_into("=h", status, 12, thread.fault.signal)
            struct.pack_into("=i", status, 32, thread.native_id)
            struct.pack_into(f"={REGISTERS}Q", status, 112, *thread.registers)
            notes += _note(_PRSTATUS, bytes(status))
            if thread.fault.signal:
                received = bytearray(_SIGINFO_SIZE)
                number, code, address = thread.fault
                struct.pack_into("=iiiiQ", received, 0, number, 0, code, 0, address)
                notes += _note(_SIGINFO, bytes(received))
        return notes + _note(_AUXV, self.file(AUXILIARY)) + _note(_FILE, self._files())

    def _files(self) -> bytes:
        files = [each for each in self.mappings if each.path.startswith("/") and not each.path.startswith(NO_FILES)]
        table = struct.pack("=QQ", len(files), _PAGE)
        table += b"".join(struct.pack("=QQQ", each.start, each.end, each.offset // _PAGE) for each in files)
        return table + b"".join(each.path.encode("utf-8", "surrogateescape") + b"\0" for each in files)


def _note(kind: int, content: bytes) -> bytes:
    return struct.pack("=III8s", 5, len(content), kind, b"CORE") + content + bytes(-len(content) % 4)
