"""The source files of a process or a core, which are used only if they are older than it."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from jitscope.paths import gdb_script


class Sources:
    """Facts of the sources that a process runs, for the C library (js_flow_fn)."""

    def __init__(self, pid: int, written: float | None = None) -> None:
        """`written`: for a core, when it was written, in seconds since the epoch; `pid` is 0 then."""
        self.pid = pid
        self._flows = _module("jitscope_source.flow_json")
        family = _module("jitscope_gdb.base.process_family") if pid else None
        self._start = program_start(pid) if pid else written
        self._root = family.root_of(pid) if family else ""

    def flow(self, path: str, line: int, name: str) -> str | None:
        """Return the facts about the function that is defined there, as JSON (docs/schema/flow.json); None if the
        source is not there, or may have changed since the process has compiled it."""
        if self._flows is None or self._start is None or line == 0:
            return None
        found: str | None = self._flows.flow_for_file(self._readable(path), line, name, self._start)
        return found or None

    def _readable(self, path: str) -> str:
        """Return the path by which this process reads the file that the other one calls so."""
        if not os.path.isabs(path) and self.pid:
            try:
                path = os.path.join(os.readlink(f"/proc/{self.pid}/cwd"), path)
            except OSError:
                return path
        return self._root + path


def _module(name: str) -> Any:
    """Return a module that is installed beside the script for GDB and does not need GDB; None without it."""
    try:
        folder = str(gdb_script().parent)
    except FileNotFoundError:
        return None
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def start_time(pid: int) -> float | None:
    """Return when the process started, in seconds since the epoch; None if that is not known."""
    family = _module("jitscope_gdb.base.process_family")
    found: float | None = family.own_start_time(pid) if family else None
    return found


def program_start(pid: int) -> float | None:
    """Return when the program was started that the process runs: a forked process has code of its parent, which may be
    older than it. None if that is not known, as where the parent has ended."""
    family = _module("jitscope_gdb.base.process_family")
    found: float | None = family.start_time(pid) if family else None
    return found
