"""The process (or core) of one of LLDB's targets, a Debuggee (jitscope_shared/debugged_process.py)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable

import lldb
from jitscope_shared.base import native, process_family
from jitscope_shared.debugged_process import OBJECT, PROCESS, STOP, DebuggedProcess  # noqa: F401  (for those that use it)

from . import core_files, source_facts

_CORES = ("elf-core", "minidump")  # LLDB's plugins for files

# Calls js_program_watch_pending for the frames of a process (kept_elements.py).
pending_finder: Callable[[Debuggee], None] | None = None

_debuggees: dict[int, Debuggee] = {}  # by the number of LLDB's process, which no other one gets


class Debuggee(DebuggedProcess):
    def __init__(self, process: Any):
        super().__init__()
        self.process = process
        self.target = process.GetTarget()
        self.pid = int(process.GetProcessID())
        self._stop = -1  # LLDB's number of the last stop that was seen
        self.is_explained = False  # True once the fault of a core was explained
        self.objects: Any = None  # jit_objects.Objects

    # -- the process

    @property
    def is_live(self) -> bool:
        """True if this is a live process, which can run on."""
        return self.process.GetPluginName() not in _CORES

    @property
    def is_local(self) -> bool:
        """True for a live process of this machine."""
        return self.is_live and self.target.GetPlatform().GetName() == "host"

    @property
    def core(self) -> str | None:
        """Return the path of the core, if LLDB has opened one and it is known where it is."""
        if self.is_live:
            return None
        return self.keep(PROCESS, "core", lambda: core_files.path_of(self.process))  # type: ignore[no-any-return]

    def born(self) -> float | None:
        """Return when the program started, in seconds since the epoch, or when its core was written."""
        return self.keep(PROCESS, "born", self._born)  # type: ignore[no-any-return]

    def _born(self) -> float | None:
        if self.is_local:
            return process_family.start_time(self.pid)
        try:
            return os.stat(self.core).st_mtime if self.core else None
        except OSError:
            return None

    def folder(self) -> str | None:
        """Return the working directory of the process; None where it is not known."""
        try:
            return os.readlink(f"/proc/{self.pid}/cwd") if self.is_local else None
        except OSError:
            return None

    # -- stops

    def notice_stop(self) -> None:
        """Drop what was read at an earlier stop."""
        stop = int(self.process.GetStopID(True))
        if stop != self._stop:
            self._stop = stop
            self.forget(STOP)

    # -- what DebuggedProcess asks

    def addresses_of(self, symbol: str) -> list[int]:
        """Return the addresses in the process of all symbols of this name."""
        found = []
        for context in self.target.FindSymbols(symbol):
            address = context.GetSymbol().GetStartAddress().GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS and address not in found:
                found.append(int(address))
        return found

    def address_of(self, symbol: str) -> int | None:
        return next(iter(self.addresses_of(symbol)), None)

    def read(self, address: int, size: int) -> bytes | None:
        """Return bytes of the memory; None if some of them cannot be read."""
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error) if size else b""
        if (data is None or error.Fail()) and not self.is_live:  # a core leaves out pages that a file has
            error = lldb.SBError()
            data = self.target.ReadMemory(lldb.SBAddress(address, self.target), size, error)
        return bytes(data) if data is not None and not error.Fail() and len(data) == size else None

    def source_flow(self, path: str, line: int, name: str) -> str | None:
        return source_facts.flow(self, path, line, name)

    def pass_pending(self) -> None:
        if pending_finder is not None:
            pending_finder(self)

    def local_pid(self) -> int | None:
        return self.pid if self.is_local else None

    def files(self) -> list[str]:
        return [module.file.fullpath or "" for module in self.target.module_iter()]

    def prepare(self, program: ctypes.c_void_p) -> None:
        native.library.js_program_set_lldb(program, True)


def of(process: Any) -> Debuggee | None:
    """Return the Debuggee of a process, made at the first call; None: there is no process."""
    if not process.IsValid() or process.GetState() in (lldb.eStateExited, lldb.eStateDetached):
        return None
    if process.GetState() == lldb.eStateUnloaded and process.GetPluginName() not in _CORES:  # a core is being opened
        return None
    number = int(process.GetUniqueID())
    if number not in _debuggees:
        for known in [key for key, each in _debuggees.items() if not each.process.IsValid()]:
            _debuggees.pop(known).destroy()
        _debuggees[number] = Debuggee(process)
    found = _debuggees[number]
    found.notice_stop()
    return found


def known() -> list[Debuggee]:
    return [each for each in _debuggees.values() if each.process.IsValid()]
