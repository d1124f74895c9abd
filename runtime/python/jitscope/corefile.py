"""The executable of a core, by its notes: NT_AUXV says where the program's headers were mapped, NT_FILE which file was
mapped there.

Source of the layouts: elf(5); Linux fs/binfmt_elf.c (fill_files_note), include/uapi/linux/auxvec.h."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import BinaryIO

NT_AUXV, NT_FILE = 6, 0x46494C45
AT_PHDR, AT_ENTRY = 3, 9
PT_NOTE = 4
ET_CORE = 4
MAX_NOTES = 64 << 20  # bytes; a note of threads' registers has 10 kB for each
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")


class NoCore(ValueError):
    """The file is no core of a 64-bit Linux program; the text says what it is."""


def find_executable(path: str) -> str | None:
    """Return the path of the program's file as the kernel knew it, or None if the core does not contain it. Raise
    NoCore or OSError."""
    auxiliary: dict[int, int] = {}
    mappings: list[tuple[int, int, str]] = []
    with open(path, "rb") as stream:
        for kind, content in _notes(stream, path):
            if kind == NT_AUXV:
                auxiliary = dict(struct.iter_unpack("<QQ", content[: len(content) // 16 * 16]))
            elif kind == NT_FILE:
                mappings = list(_mappings(content))
    for key in (AT_PHDR, AT_ENTRY):
        address = auxiliary.get(key, 0)
        for start, end, name in mappings:
            if start <= address < end:
                return name
    return None


def _notes(stream: BinaryIO, path: str) -> Iterator[tuple[int, bytes]]:
    head = stream.read(_HEADER.size)
    if head[:4] != b"\x7fELF":
        raise NoCore(f"{path} is no core file{_what_else(head)}")
    if len(head) < _HEADER.size or head[4:6] != b"\2\1":
        raise NoCore(f"{path} is a file of another kind of machine")
    _, kind, _, _, _, offset, _, _, _, size, count, _, _, _ = _HEADER.unpack(head)
    if kind != ET_CORE:
        raise NoCore(f"{path} is a program or a library, not a core file")
    if size != _PROGRAM_HEADER.size:
        raise NoCore(f"{path} is damaged: its program headers have an unexpected size")
    stream.seek(offset)
    table = stream.read(size * count)
    for at in range(0, len(table) - size + 1, size):
        segment, _, place, _, _, length, _, _ = _PROGRAM_HEADER.unpack_from(table, at)
        if segment == PT_NOTE:
            stream.seek(place)
            yield from _split(stream.read(min(length, MAX_NOTES)))


def _what_else(head: bytes) -> str:
    if head[:4] == b"\x28\xb5\x2f\xfd":
        return ": it is compressed, unzstd it first"
    if head[:4] == b"\x04\x22\x4d\x18":
        return ": it is compressed, unlz4 it first"
    if head[:2] == b"\x1f\x8b":
        return ": it is compressed, gunzip it first"
    return ""


def _split(notes: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 12 <= len(notes):
        name, length, kind = struct.unpack_from("<III", notes, at)
        start = at + 12 + (name + 3 & ~3)
        yield kind, notes[start : start + length]
        at = start + (length + 3 & ~3)


def _mappings(content: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield the mappings. The note has the count, the page size, count times (start, end, page of the file), then as
    many names."""
    if len(content) < 16:
        return
    count = min(struct.unpack_from("<Q", content)[0], (len(content) - 16) // 24)
    names = content[16 + 24 * count :].split(b"\0")
    for index, name in zip(range(count), names):
        start, end, _ = struct.unpack_from("<QQQ", content, 16 + 24 * index)
        yield start, end, os.fsdecode(name)
