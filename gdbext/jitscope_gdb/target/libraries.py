"""The symbols of the process's libraries, for a GDB that the program has started: it reads all but the compiler's.

LLVM has a quarter of a million symbols, which take GDB longer than everything else together. Only two are of use here,
those of the JIT interface; so a file with only these replaces the library until its symbols are needed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from typing import Any, Iterator, NamedTuple

import gdb
from jitscope_shared.base import native, private_files

from ..base import console, events, jit_interface, symbol_file
from . import target

_COMPILER = re.compile(r"/lib(llvmlite|LLVM)[^/]*$")
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
_lazy = False  # True if some libraries have not been read
_replacements: list[str] = []  # files that replace libraries
_read = False  # True if GDB has read the compiler's own symbols


class Mapped(NamedTuple):
    path: str
    base: int  # the address of offset 0 of the file


def mapped(pid: int) -> list[Mapped]:
    """Return the libraries of the process."""
    found: dict[str, Mapped] = {}
    with open(f"/proc/{pid}/maps", errors="surrogateescape") as file:
        for line in file:
            fields = line.split(None, 5)
            if len(fields) == 6 and int(fields[2], 16) == 0 and ".so" in fields[5]:
                path = fields[5].rstrip("\n")
                found.setdefault(path, Mapped(path, int(fields[0].split("-")[0], 16)))
    return list(found.values())


def start(pid: int) -> None:
    """Read the symbols that a stop in compiled code needs; finish() reads the others."""
    global _lazy
    _lazy = True
    for library in mapped(pid):
        if _COMPILER.search(library.path):
            _replace_library(library)
    if not _replacements:
        gdb.execute("sharedlibrary llvm", False, True)
        gdb.execute("sharedlibrary LLVM", False, True)
    _symbols([name for name in _unread() if _FIRST.search(name)])


def is_lazy() -> bool:
    """True if finish() has something to read."""
    return _lazy


def finish(event: object = None) -> None:
    """Read all symbols that have not been read, except the compiler's."""
    global _lazy
    if _lazy and gdb.selected_inferior().pid:
        _lazy = False
        with quick_settings():
            _symbols([name for name in _unread() if not (_replacements and _COMPILER.search(name))])
        target.current().forget(target.OBJECT)  # a symbol that was not found before may be there now


def _unread() -> list[str]:
    """Return the libraries whose symbols have not been read, as GDB names them."""
    listed = console.text_of("info sharedlibrary")
    return re.findall(r"^0x\w+ +0x\w+ +No +(/.*)$", listed, re.M)


def _symbols(names: list[str]) -> None:
    if names:
        patterns = (re.sub(r"([.*^$\[\]\\])", r"\\\1", name) + "$" for name in names)
        gdb.execute("sharedlibrary " + r"\|".join(patterns), False, True)


@contextlib.contextmanager
def quick_settings() -> Iterator[None]:
    """Switch off, while symbols are read, settings that cost a second, or ask a question that no one would answer."""
    before = {}
    for name, value in _QUICK:
        try:
            was = gdb.parameter(name)
            gdb.execute(f"set {name} {value}", False, True)
        except (gdb.error, RuntimeError):
            continue  # this GDB does not have the setting
        before[name] = ("on" if was else "off") if isinstance(was, bool) else str("unlimited" if was is None else was)
    try:
        yield
    finally:
        for name, value in before.items():
            gdb.execute(f"set {name} {value}", False, True)


def _replace_library(library: Mapped) -> bool:
    """Give GDB the library's two symbols of the JIT interface. Return False where that fails."""
    if native.library is None:
        return False
    names = [jit_interface.REGISTER.encode(), jit_interface.DESCRIPTOR.encode()]
    values = (ctypes.c_uint64 * 2)()
    words = (ctypes.c_char_p * 2)(*names)
    if native.library.js_elf_find_symbols(os.fsencode(library.path), words, 2, values) or not all(values):
        return False
    code, variable = (value + library.base for value in values)

    def put(path: str) -> None:
        status = native.library.js_elf_write_symbols(os.fsencode(path), names[0], code, names[1], variable)
        native.check_system(status, "js_elf_write_symbols")

    try:
        path = private_files.write(f"{os.path.basename(library.path)}.symbols", put)
    except private_files.Unwritable:
        return False
    try:
        gdb.execute(f"add-symbol-file {path}", False, True)
    except gdb.error:
        return False
    _replacements.append(path)
    return True


@events.on("library_loaded", order=10)
def loaded(filename: str | None) -> None:
    """Note that GDB has read a library, which may be the compiler's."""
    global _read
    _read = _read or (bool(_replacements) and _COMPILER.search(filename or "") is not None)


@events.on("stop", order=30)
def settle(_event: Any) -> None:
    """Remove the replacements at a stop, if GDB has read the library's own symbols, which must not be there twice."""
    global _read
    if _read:
        _read = False
        while _replacements:
            symbol_file.remove(_replacements.pop())
