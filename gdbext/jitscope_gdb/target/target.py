"""The process (or core) of one program space, a Target (jitscope_shared/debugged_process.py)."""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import Any, Callable, Iterator

import gdb
from jitscope_shared.base import native
from jitscope_shared.debugged_process import OBJECT, PROCESS, STOP, DebuggedProcess  # noqa: F401  (for those that use it)

from . import sources
from .object_feed import Feed

_targets: dict[Any, "Target"] = {}

# Calls js_program_watch_pending for the frames of a target (pending.py).
pending_finder: Callable[["Target"], None] | None = None


class Target(DebuggedProcess):
    """The process (or core) of one program space, with caches of what was read from it."""

    def __init__(self, progspace: Any):
        super().__init__()
        self.progspace = progspace
        self._pid = 0
        self._is_writing = False
        self.has_ended = False  # True if GDB's files for the process are still to be removed
        # GDB's objfile of the program, as long as the process runs it; False: it was not found
        self._executable: Any = None
        self.feed = Feed(self)

    # -- the inferior

    @property
    def inferior(self) -> Any:
        """Return the inferior of this program space, or the selected one if several share it."""
        selected = gdb.selected_inferior()
        if selected.progspace == self.progspace:
            return selected
        for inferior in gdb.inferiors():
            if inferior.progspace == self.progspace:
                return inferior
        return selected

    @property
    def is_current(self) -> bool:
        return bool(gdb.current_progspace() == self.progspace)

    @property
    def has_process(self) -> bool:
        """True if there is a live process or a core."""
        return bool(self.inferior.is_valid() and self.inferior.pid != 0)

    @property
    def is_live(self) -> bool:
        """True if this is a live process, which can run on."""
        connection = getattr(self.inferior, "connection", None)
        return getattr(connection, "type", "") != "core"

    @property
    def is_native(self) -> bool:
        """True if this GDB itself traces the process."""
        return getattr(getattr(self.inferior, "connection", None), "type", "") == "native"

    @property
    def is_in_another_namespace(self) -> bool:
        """True if the process has other numbers for itself and its threads than GDB has, so that it cannot see GDB."""
        connection = getattr(self.inferior, "connection", None)
        if getattr(connection, "type", "") != "native":
            return False
        try:
            return os.readlink(f"/proc/{self.inferior.pid}/ns/pid") != os.readlink("/proc/self/ns/pid")
        except OSError:
            return False

    @property
    def has_lost_program(self) -> bool:
        """True if another program was executed, or the user named another file, since the caches were filled."""
        return bool(self._executable and not self._executable.is_valid())

    def notice_program(self) -> None:
        """Drop the caches that belong to another process, or to another program."""
        pid = self.inferior.pid
        if pid != self._pid and self._pid and pid:
            # GDB has followed a fork: the program space is the child's now, and its memory has the compiled code, too.
            self.destroy("_python", "_data")
            self.forget(PROCESS)
        self._pid = pid
        if self.has_lost_program:
            self.feed.clear()
        name = self.progspace.filename if self._executable is None and pid else None
        if name:
            self._executable = next((o for o in self.progspace.objfiles() if o.filename == name), False)

    # -- what DebuggedProcess asks

    def read(self, address: int, size: int) -> bytes:
        return bytes(self.inferior.read_memory(address, size))

    def address_of(self, symbol: str) -> int | None:
        return address_of(symbol)

    def source_flow(self, path: str, line: int, name: str) -> str | None:
        return sources.flow(self, path, line, name)

    def pass_pending(self) -> None:
        if pending_finder is not None:
            pending_finder(self)

    def local_pid(self) -> int | None:
        return int(self.inferior.pid) if self.is_native else None

    def files(self) -> list[str]:
        return [objfile.filename or "" for objfile in self.progspace.objfiles()]

    def missing_runtime(self) -> str | None:
        return "GDB finds no symbol _PyRuntime in this process" if self.may_run_python() else None

    def python(self) -> ctypes.c_void_p | None:
        self.notice_program()
        return super().python()

    # -- memory

    def write(self, address: int, data: bytes) -> None:
        """Write to libjitscope.so's memory. No cache of this stop depends on it, so none is dropped."""
        with self.writing():
            self.inferior.write_memory(address, data)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Mark the `with` block as a change of memory or registers by jitscope, and not by the user."""
        self._is_writing = True
        try:
            yield
        finally:
            self._is_writing = False

    @property
    def is_writing(self) -> bool:
        """True while jitscope itself makes a change of memory or registers that GDB reports."""
        return self._is_writing

    def may_run_python(self) -> bool:
        """Return False for a program that has no interpreter, so that its frames are not reported as missing."""
        names = [os.path.basename(os.path.realpath(o.filename or "")) for o in self.progspace.objfiles()]
        return self.progspace.filename is None or any("python" in name for name in names)

    def data(self, address: int, size: int) -> bytes:
        """Read data_memory. Raise gdb.MemoryError if some of it cannot be read."""
        buffer = ctypes.create_string_buffer(size)
        if native.library.js_bytes_read(self.data_memory(), address, buffer, size):
            raise gdb.MemoryError(f"Cannot access memory at address {address:#x}")
        return buffer.raw

    def end_process(self) -> None:
        """Drop everything that was known of the process, because it is gone."""
        self.forget(PROCESS)
        self._pid, self._executable = 0, None
        self.destroy()


def address_of(symbol: str) -> int | None:
    """Return the symbol's address in the program; None if it has no such symbol."""
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))
    except (gdb.error, gdb.MemoryError):
        return None


def of(progspace: Any) -> Target:
    """Return the Target of a program space, made at the first call."""
    found = _targets.get(progspace)
    if found is None:
        for known in [p for p in _targets if not p.is_valid()]:
            _targets.pop(known).end_process()
        found = _targets[progspace] = Target(progspace)
    return found


def current() -> Target:
    """Return the Target of the selected inferior."""
    return of(gdb.current_progspace())


def known() -> list[Target]:
    return [target for progspace, target in _targets.items() if progspace.is_valid()]
