"""A process's memory as a callback, with changes to it."""

from __future__ import annotations

import ctypes
import os
import random
import struct

from tests.oracle.python_stacks.reader import EFAULT
from tests.oracle.python_stacks.target import Target


class Memory:
    """The memory that a reader reads, damaged where `words` says, or at random."""

    def __init__(self, pid: int) -> None:
        self.file = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
        self.pages: dict[int, bytes | None] = {}
        self.words: dict[int, int] = {}
        self.random: random.Random | None = None
        self.rate = 0.0

    def page(self, page: int) -> bytes | None:
        if page not in self.pages:
            try:
                self.pages[page] = os.pread(self.file, 4096, page * 4096)
            except (OSError, OverflowError):
                self.pages[page] = None
        return self.pages[page]

    def get(self, address: int, size: int) -> bytes | None:
        parts = [self.page(page) for page in range(address >> 12, (address + size - 1 >> 12) + 1)]
        if None in parts:
            return None
        return b"".join(part for part in parts if part is not None)[address & 4095 :][:size]

    def word(self, address: int) -> int:
        data = self.get(address, 8)
        assert data is not None
        return int.from_bytes(data, "little")

    def spoil(self, data: bytearray, rand: random.Random) -> None:
        for _ in range(rand.randrange(1, 4)):
            at = rand.randrange(len(data))
            how = rand.randrange(4)
            if how == 0 or len(data) < 16:
                data[at] ^= 1 << rand.randrange(8)
            elif how == 1:
                data[at] = rand.randrange(256)
            else:  # a pointer elsewhere into the same data, or an extreme value
                at = at & ~7 if at & ~7 <= len(data) - 8 else 0
                other = rand.randrange(0, len(data) - 7) & ~7
                extremes = [bytes(8), b"\xff" * 8, struct.pack("<q", 2**63 - 1), bytes(data[other : other + 8])]
                data[at : at + 8] = rand.choice(extremes)

    def read(self, context: int | None, address: int, buffer: int, size: int) -> int:
        if size > 64 << 20:
            return EFAULT
        found = self.get(address, size)
        if found is None:
            return EFAULT
        data = bytearray(found)
        for at, word in self.words.items():
            if address <= at and at + 8 <= address + size:
                data[at - address : at - address + 8] = struct.pack("<Q", word)
        if self.random and self.random.random() < self.rate:
            if self.random.random() < 0.1:
                return EFAULT
            self.spoil(data, self.random)
        ctypes.memmove(buffer, bytes(data), size)
        return 0

    def close(self) -> None:
        os.close(self.file)


def frame_addresses(target: Target, memory: Memory, o: dict[str, int], runtime: int, thread: str) -> list[int]:
    """Return the addresses of the frames of a thread, by the offsets in use."""
    state = memory.word(memory.word(runtime + o["interpreters_head"]) + o["interp_threads"])
    while memory.word(state + o["thread_pthread"]) != target.ids(thread)[1]:
        state = memory.word(state + o["thread_next"])
    frame = memory.word(state + o["thread_frame"])
    if target.interpreter.minor in (11, 12):
        frame = memory.word(frame + o["cframe_current"])
    addresses = []
    while frame:
        addresses.append(frame)
        frame = memory.word(frame + o["frame_previous"])
    return addresses
