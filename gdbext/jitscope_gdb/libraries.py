"""Shared libraries whose symbols GDB has not read."""

from __future__ import annotations

import gdb


def read_needed() -> None:
    gdb.execute("sharedlibrary", False, True)
