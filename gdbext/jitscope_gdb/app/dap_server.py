"""GDB's DAP server (gdb/python/lib/gdb/dap/ of GDB 14 and later), which is Python: jitscope replaces functions of it,
found by name. In a GDB whose functions have other names, they stay as they are."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable

from ..base import console

_MARK = "is_jitscope"


def load() -> bool:
    """Load the server where this GDB is one, so that it can be changed before a client's first request. Return False
    where it is none."""
    if console.interpreter() != "dap":
        return False
    importlib.import_module("gdb.dap")
    return True


def module(name: str) -> Any:
    """Return a module of the server; None if it has none of this name."""
    return sys.modules.get(f"gdb.dap.{name}")


def replace(owner: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Replace a function of a module or a class by what `make` returns for it, once."""
    original = getattr(owner, name, None)
    if callable(original) and not getattr(original, _MARK, False):
        made = make(original)
        setattr(made, _MARK, True)
        setattr(owner, name, made)
