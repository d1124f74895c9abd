"""Requests of a DAP client that GDB's server answers with an error of Python's, or with a part of the truth."""

from __future__ import annotations

import os
from typing import Any, Callable

import gdb

from ..frames import frames
from ..target import target
from . import dap_cells, dap_server


def adopt() -> None:
    """Have GDB's DAP server answer them in a sentence, and in full."""
    server = dap_server.module("server")
    if type(getattr(server, "_commands", None)) is dict:
        server._commands = _Requests(server._commands)
    for name in ("frames", "scopes"):
        dap_server.replace(dap_server.module(name), "frame_for_id", _finding)
    dap_server.replace(dap_server.module("locations"), "exec_mi_and_log", _listing)


def _refused(text: str) -> Exception:
    """Return the error that the server sends to the client and does not write to its log."""
    return dap_server.module("startup").DAPException(text)  # type: ignore[no-any-return]


class _Requests(dict):  # type: ignore[type-arg]
    """The server's functions by the names of requests."""

    def __missing__(self, name: str) -> Any:
        raise _refused(f"GDB has no request `{name}`")


def _finding(original: Callable[..., Any]) -> Callable[..., Any]:
    def frame_for_id(number: int) -> Any:
        try:
            if number >= 0:
                return original(number)
        except IndexError:
            pass
        raise _refused(f"no frame has the number {number} at this stop: ask for the stack again")

    return frame_for_id


def _listing(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that lists the lines of a file with those of all compiled functions. GDB lists those of one:
    each has an object of its own."""

    def lines(command: str, path: str) -> dict[str, Any]:
        known = _lines_of(path)
        try:
            found = original(command, path)["lines"]
        except Exception:  # DAP's own errors have no common class with GDB's
            if not known:
                raise
            found = []
        return {"lines": [*found, *({"line": line} for line in known)]}

    return lines


def _lines_of(path: str) -> set[int]:
    """Return the lines at which compiled functions of the file stop."""
    debuggee = target.current()
    try:
        file = os.path.realpath(dap_cells.file_of(path))
        starts = [each["low"] for each in frames.functions(debuggee).all]
    except gdb.error:
        return set()
    tables = [gdb.find_pc_line(low).symtab for low in starts]
    own = [table for table in tables if table is not None and os.path.realpath(table.fullname()) == file]
    return {line for table in own for line in table.linetable().source_lines() if line > 0}
