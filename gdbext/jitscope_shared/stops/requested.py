"""The functions that a program calls in order to stop for its debugger, and the text of a stop in Python code."""

from __future__ import annotations

import linecache
from typing import Any

# Each function, and the name of a stop in it.
NAMES = {"jitscope_stopped": "jitscope.breakpoint", "numba_gdb_breakpoint": "numba.gdb_breakpoint"}


def python_lines(entry: dict[str, Any]) -> list[str]:
    """Return the place of a Python frame (docs/schema/bt.json), and its line of the source if that is found."""
    shown = [f"{entry['name']} () at {entry['file']}:{entry['line']} [py]"]
    line = linecache.getline(entry["file"] or "", entry["line"] or 0)
    return [*shown, f"{entry['line']}\t{line.rstrip()}"] if line else shown
