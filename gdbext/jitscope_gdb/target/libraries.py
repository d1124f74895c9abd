"""What GDB reads of the process's libraries when the program starts it: all but the compiler's symbols.

LLVM has a quarter of a million of them, which take GDB longer than everything else together. Two are of use here,
those of the JIT interface; a file that has only these stands for the library until somebody reads it."""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import struct
from typing import Any, Iterator, NamedTuple

import gdb

from ..base import console, events, jit_interface, private_files
from . import target

_COMPILER = re.compile(r"/lib(llvmlite|LLVM)[^/]*$")
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")  # Elf64_Ehdr; elf(5) for this and the following
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_PT_LOAD, _SHT_SYMTAB, _SHT_STRTAB, _SHT_NOBITS, _SHT_DYNSYM = 1, 2, 3, 8, 11


_FIRST = re.compile(r"/(libc\.so|libpthread|ld-linux|libjitscope\.so|_helperlib)")
_QUICK = (
    ("debug-file-directory", ""),
    ("auto-load python-scripts", "off"),
    ("auto-load gdb-scripts", "off"),
    ("debuginfod enabled", "off"),
    ("auto-solib-add", "off"),
    ("confirm", "off"),
    ("suppress-cli-notifications", "on"),
    ("width", "0"),
)
_lazy = False  # there are libraries that have not been read
_stand_ins: list[str] = []  # files
_read = False  # the compiler's own symbols have come


class Mapped(NamedTuple):
    path: str
    base: int  # where offset 0 is


def mapped(pid: int) -> list[Mapped]:
    """The libraries of the process."""
    found: dict[str, Mapped] = {}
    with open(f"/proc/{pid}/maps", errors="surrogateescape") as file:
        for line in file:
            fields = line.split(None, 5)
            if len(fields) == 6 and int(fields[2], 16) == 0 and ".so" in fields[5]:
                path = fields[5].rstrip("\n")
                found.setdefault(path, Mapped(path, int(fields[0].split("-")[0], 16)))
    return list(found.values())


def start(pid: int) -> None:
    """Reads what a stop in compiled code takes; `finish` reads the rest."""
    global _lazy
    _lazy = True
    for library in mapped(pid):
        if _COMPILER.search(library.path):
            _stand_in(library)
    if not _stand_ins:
        gdb.execute("sharedlibrary llvm", False, True)
        gdb.execute("sharedlibrary LLVM", False, True)
    _symbols([name for name in _unread() if _FIRST.search(name)])


def is_lazy() -> bool:
    """Is there something for `finish` to read?"""
    return _lazy


def finish(event: object = None) -> None:
    """Reads all that has not been read, but the compiler's symbols."""
    global _lazy
    if _lazy and gdb.selected_inferior().pid:
        _lazy = False
        with quick_settings():
            _symbols([name for name in _unread() if not (_stand_ins and _COMPILER.search(name))])
        target.current().forget(target.OBJECT)  # what was not found then may be there now


def _unread() -> list[str]:
    """The libraries whose symbols have not been read, as GDB names them."""
    listed = console.text_of("info sharedlibrary")
    return re.findall(r"^0x\w+ +0x\w+ +No +(/.*)$", listed, re.M)


def _symbols(names: list[str]) -> None:
    if names:
        patterns = (re.sub(r"([.*^$\[\]\\])", r"\\\1", name) + "$" for name in names)
        gdb.execute("sharedlibrary " + r"\|".join(patterns), False, True)


@contextlib.contextmanager
def quick_settings() -> Iterator[None]:
    """For the time of reading symbols: without what costs a second, or asks a question that nobody would answer."""
    before = {}
    for name, value in _QUICK:
        try:
            was = gdb.parameter(name)
            gdb.execute(f"set {name} {value}", False, True)
        except (gdb.error, RuntimeError):
            continue  # not in this GDB
        before[name] = ("on" if was else "off") if isinstance(was, bool) else str("unlimited" if was is None else was)
    try:
        yield
    finally:
        for name, value in before.items():
            gdb.execute(f"set {name} {value}", False, True)


def _stand_in(library: Mapped) -> bool:
    """Gives GDB the library's two symbols of the JIT interface. False when that cannot be."""
    try:
        values = find_symbols(library.path, (jit_interface.REGISTER, jit_interface.DESCRIPTOR))
    except (OSError, ValueError, struct.error):
        return False
    if values is None:
        return False
    contents = _file({name: value + library.base for name, value in values.items()})

    def put(path: str) -> None:
        with open(path, "wb") as file:
            file.write(contents)

    try:
        path = private_files.write(f"{os.path.basename(library.path)}.symbols", put)
    except private_files.Unwritable:
        return False
    try:
        gdb.execute(f"add-symbol-file {path}", False, True)
    except gdb.error:
        return False
    _stand_ins.append(path)
    return True


@events.on("library_loaded", order=10)
def loaded(filename: str | None) -> None:
    """A library has been read."""
    global _read
    _read = _read or (bool(_stand_ins) and _COMPILER.search(filename or "") is not None)


@events.on("stop", order=30)
def settle(_event: Any) -> None:
    """At a stop: the library itself has its symbols now, and two of each would be one too many."""
    global _read
    if _read:
        _read = False
        while _stand_ins:
            gdb.execute(f"remove-symbol-file {_stand_ins.pop()}", False, True)


def find_symbols(path: str, names: tuple[str, ...]) -> dict[str, int] | None:
    """The symbols' addresses from where offset 0 is mapped; None when one is missing."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        header = _HEADER.unpack_from(data)
        if header[0][:6] != b"\x7fELF\x02\x01":
            return None
        segments = (_SEGMENT.unpack_from(data, header[5] + n * header[9]) for n in range(header[10]))
        bias = min(s[3] - s[2] for s in segments if s[0] == _PT_LOAD and s[2] == 0)
        sections = [_SECTION.unpack_from(data, header[6] + n * header[11]) for n in range(header[12])]
        found: dict[str, int] = {}
        for section in sections:
            if section[1] in (_SHT_SYMTAB, _SHT_DYNSYM):
                strings = sections[section[6]]
                for name in names:
                    value = _find_symbol(data, section[4], section[5], strings[4], strings[5], name)
                    if value is not None:
                        found[name] = value - bias
    return found if len(found) == len(names) else None


def _find_symbol(data: mmap.mmap, at: int, size: int, strings: int, strings_size: int, name: str) -> int | None:
    place = data.find(b"\0" + name.encode() + b"\0", strings, strings + strings_size)
    if place < 0:
        return None
    pattern = struct.pack("<I", place + 1 - strings)
    entry = data.find(pattern, at, at + size)
    while entry >= 0:
        if (entry - at) % _SYMBOL.size == 0:
            _, _, _, section, value, _ = _SYMBOL.unpack_from(data, entry)
            if section:
                return int(value)
        entry = data.find(pattern, entry + 1, at + size)
    return None


def _file(symbols: dict[str, int]) -> bytes:
    """An ELF file with a function and a variable at these addresses, and nothing else."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in symbols)
    labels = b"\0.text\0.data\0.symtab\0.strtab\0"
    code, variable = symbols.values()
    table = _SYMBOL.pack(0, 0, 0, 0, 0, 0)
    for index, name in enumerate(symbols):
        kind = 0x12 if index == 0 else 0x11  # STB_GLOBAL with STT_FUNC, STT_OBJECT
        table += _SYMBOL.pack(names.index(name.encode()), kind, 0, index + 1, symbols[name], 16)
    body = table + names + labels
    start = _HEADER.size
    sections = [
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (1, _SHT_NOBITS, 6, code, start, 16, 0, 0, 16, 0),  # SHF_ALLOC | SHF_EXECINSTR
        (7, _SHT_NOBITS, 3, variable, start, 32, 0, 0, 8, 0),  # SHF_WRITE | SHF_ALLOC
        (13, _SHT_SYMTAB, 0, 0, start, len(table), 4, 1, 8, _SYMBOL.size),
        (21, _SHT_STRTAB, 0, 0, start + len(table), len(names), 0, 0, 1, 0),
        (0, _SHT_STRTAB, 0, 0, start + len(table) + len(names), len(labels), 0, 0, 1, 0),
    ]
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    machine = 62 if os.uname().machine == "x86_64" else 183  # EM_X86_64, EM_AARCH64
    header = _HEADER.pack(ident, 2, machine, 1, 0, 0, start + len(body), 0, start, 56, 0, _SECTION.size, 6, 5)
    return header + body + b"".join(_SECTION.pack(*section) for section in sections)
