"""Removal of symbol files that GDB has read."""

from __future__ import annotations

import gdb

from . import console, events


def remove(path: str) -> None:
    """Remove the file from GDB, which also deletes all displays (symfile.c, clear_symtab_users)."""
    listed = console.text_of("info display")
    gdb.execute(f"remove-symbol-file {console.quoted(path)}", False, True)
    if console.text_of("info display") != listed:
        events.emit("displays_taken", listed)
