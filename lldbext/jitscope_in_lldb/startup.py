"""The start of jitscope in LLDB, called by `command script import jitscope_lldb.py`."""

from __future__ import annotations

from typing import Any

from jitscope_shared.base import native

from . import events, threads
from .commands import command_list, of_gdb

_connected: set[int] = set()  # numbers of LLDB's debuggers; an editor may have several in one process


def start(debugger: Any, here: str) -> str | None:
    """Start all parts, once for each debugger. Return the one line to show when something is missing, or None."""
    try:
        native.load(here)
    except native.Unavailable as error:
        return str(error)
    if debugger.GetID() not in _connected:
        _connected.add(debugger.GetID())
        events.connect(debugger)
        command_list.create(debugger)
        of_gdb.create(debugger)
        threads.show_names(debugger)
    return None
