"""The source files of a process or a core, which are used only if they are older than it."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from jitscope.paths import shared_module

NOT_FOUND = -5  # js_status of bytes/status.h
Flow = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p
)


class Sources:
    """Facts of the sources that a process runs, for the C library (js_flow_fn)."""

    def __init__(self, pid: int, written: float | None = None) -> None:
        """`written`: for a core, when it was written, in seconds since the epoch; `pid` is 0 then."""
        self.pid = pid
        self._flows = module_of("jitscope_source.flow_json")
        family = module_of("jitscope_shared.base.process_family") if pid else None
        self._start = program_start(pid) if pid else written
        self._root = family.root_of(pid) if family else ""

    def flow(self, path: str, line: int, name: str) -> str | None:
        """Return the facts about the function that is defined there, as JSON (docs/schema/flow.json); None if the
        source is not there, or may have changed since the process has compiled it."""
        if self._flows is None or self._start is None or line == 0:
            return None
        found: str | None = self._flows.flow_for_file(self._readable(path), line, name, self._start)
        return found or None

    def callback(self, library: ctypes.CDLL) -> Any:
        """Return the function by which the C library asks for facts (js_flow_fn). The caller keeps it for as long as it
        may be called."""

        def find(_context: object, path: bytes, line: int, name: bytes, out: int) -> int:
            try:
                text = self.flow(os.fsdecode(path), line, name.decode("utf-8", "replace"))
            except Exception:  # a source that cannot be understood is none
                text = None
            if text is None:
                return NOT_FOUND
            data = text.encode()
            library.js_text_putn(out, data, len(data))
            return 0

        return Flow(find)

    def _readable(self, path: str) -> str:
        """Return the path by which this process reads the file that the other one calls so."""
        if not os.path.isabs(path) and self.pid:
            try:
                path = os.path.join(os.readlink(f"/proc/{self.pid}/cwd"), path)
            except OSError:
                return path
        return self._root + path


def module_of(name: str) -> Any:
    """Return a module that GDB's script uses, too; None without it."""
    try:
        return shared_module(name)
    except (FileNotFoundError, ImportError):
        return None


def start_time(pid: int) -> float | None:
    """Return when the process started, in seconds since the epoch; None if that is not known."""
    family = module_of("jitscope_shared.base.process_family")
    found: float | None = family.own_start_time(pid) if family else None
    return found


def program_start(pid: int) -> float | None:
    """Return when the program was started that the process runs: a forked process has code of its parent, which may be
    older than it. None if that is not known, as where the parent has ended."""
    family = module_of("jitscope_shared.base.process_family")
    found: float | None = family.start_time(pid) if family else None
    return found
