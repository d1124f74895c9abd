"""Cores as files: finds the one that is meant, decompressed if need be, and what the C library says of it."""

from __future__ import annotations

import ctypes
import os
from types import TracebackType

from jitscope.cores import coredumps
from jitscope.cores.compressed import Damaged, OtherContents, Says, decompress
from jitscope.native import load

LAST = "last"  # the word for the newest core that systemd keeps


class NoCore(ValueError):
    """The file is no core of a 64-bit Linux program; the text says what it is."""


class OpenCore:
    """A core that is open for reading; a context manager that closes it.

    Attributes:
        descriptor: The file, whose contents are not compressed.
        name: The name for messages.
        path: The path under which this process, and a GDB that replaces it, can open the file.
        warning: A line for the user; "": there is none.
    """

    def __init__(self, descriptor: int, name: str, path: str, warning: str = "") -> None:
        self.descriptor = descriptor
        self.name = name
        self.path = path
        self.warning = warning

    def __enter__(self) -> OpenCore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.descriptor)

    def keep_for_gdb(self) -> str:
        """Return the path for a GDB that replaces this process."""
        os.set_inheritable(self.descriptor, True)
        return self.path


def open_core(word: str, says: Says = lambda text: None) -> OpenCore:
    """Open the core that a user has named: a file, also a compressed one; or, if there is no such file, the core that
    systemd keeps of a process, by its number, or of the last crash ("last").

    A core that was compressed or that systemd keeps is in a temporary file without a name; `says` is called now and
    then while it is written. Raise OSError, whose text is
    one line, or NoCore."""
    is_kept = (word.isascii() and word.isdigit()) or word == LAST
    if is_kept and not os.path.exists(word):
        descriptor = coredumps.dump(None if word == LAST else int(word), says)
        name = "the last core of systemd" if word == LAST else f"the core of process {word}"
        return OpenCore(descriptor, name, f"/proc/self/fd/{descriptor}")
    with open(word, "rb") as file:  # Python refuses folders
        try:
            decompressed = decompress(file, word, b"\x7fELF", says)
        except OtherContents:
            raise NoCore(f"{word} is no core file: it is compressed, and contains something else") from None
        except Damaged as error:
            raise NoCore(f"{word} is damaged or incomplete: {error}") from None
        if decompressed is None:
            return OpenCore(os.dup(file.fileno()), word, word)
    descriptor, reason = decompressed
    warning = f"the end of {word} is missing ({reason}): what could be decompressed is read" if reason else ""
    return OpenCore(descriptor, word, f"/proc/self/fd/{descriptor}", warning)


def find_executable(core: OpenCore) -> str | None:
    """Return the path of the program's file as the kernel knew it, or None if the core does not contain it. Raise
    NoCore, or OSError or VersionMismatch without the library."""
    library = load()
    library.js_core_create_fd.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_void_p)]
    library.js_core_executable.argtypes = library.js_core_destroy.argtypes = [ctypes.c_void_p]
    library.js_core_executable.restype = library.js_core_status_text.restype = ctypes.c_char_p
    library.js_core_destroy.restype = None
    handle = ctypes.c_void_p()
    status: int = library.js_core_create_fd(core.descriptor, ctypes.byref(handle))
    if status != 0:
        text: bytes = library.js_core_status_text(status)
        raise NoCore(f"{core.name} {text.decode('ascii')}")
    try:
        path: bytes | None = library.js_core_executable(handle)
        return None if path is None else os.fsdecode(path)
    finally:
        library.js_core_destroy(handle)
