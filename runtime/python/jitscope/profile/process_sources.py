"""The source files of a running process, which are used only if they are older than it."""

from __future__ import annotations

import importlib
import os
import re
import sys
from typing import Any

from jitscope.paths import gdb_script


class Sources:
    """Facts of the sources that a process runs, for the C library (js_flow_fn)."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._start = start_time(pid)
        self._facts = _facts()

    def flow(self, path: str, line: int, name: str) -> str | None:
        """Return the facts about the function that is defined there, as JSON (docs/schema/flow.json); None if the
        source is not there, or may have changed since the process has compiled it."""
        if self._facts is None or self._start is None or line == 0:
            return None
        found: str | None = self._facts.flow_for_file(self._readable(path), line, name, self._start)
        return found or None

    def _readable(self, path: str) -> str:
        """Return the path by which this process reads the file that the other one calls so."""
        if not os.path.isabs(path):
            try:
                path = os.path.join(os.readlink(f"/proc/{self.pid}/cwd"), path)
            except OSError:
                return path
        below = f"/proc/{self.pid}/root{path}"
        return below if os.path.exists(below) else path


def _facts() -> Any:
    """Return the module jitscope_source.flow_json, which is installed beside the script for GDB; None without it."""
    try:
        folder = str(gdb_script().parent)
    except FileNotFoundError:
        return None
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        return importlib.import_module("jitscope_source.flow_json")
    except ImportError:
        return None


def start_time(pid: int) -> float | None:
    """Return when the process started, in seconds since the epoch, to a second; None without such a process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
        with open("/proc/stat", "rb") as stream:
            boot = re.search(rb"^btime (\d+)", stream.read(), re.M)
    except OSError:
        return None
    if boot is None or len(fields) < 20:
        return None
    # Field 22 of proc_pid_stat(5), counted from 1; the boot time is cut to a second.
    return float(boot[1]) + int(fields[19]) / os.sysconf("SC_CLK_TCK") + 1
