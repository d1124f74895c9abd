"""Paths of the files that GDB loads: next to this package when installed, otherwise in the repository."""

from __future__ import annotations

import functools
import importlib
import os
import sys
from pathlib import Path
from typing import Any

LIBRARY = "libjitscope-inspect.so"
RUNTIME = "libjitscope.so"


def _package() -> Path:
    return Path(__file__).resolve().parent


def _checkout() -> Path | None:
    """Return the repository that this package is imported from, or None if it is installed."""
    root = _package().parents[2]
    return root if (root / "gdbext").is_dir() and (root / "meson.build").is_file() else None


def gdb_script() -> Path:
    """Return the file to `source` in GDB. Raise FileNotFoundError, whose text says what to do."""
    installed = _package() / "gdbext" / "jitscope.py"
    checkout = _checkout()
    if checkout is None:
        found, cure = installed, "run pip install --force-reinstall jitscope"
    else:
        found, cure = checkout / "gdbext" / "jitscope.py", f"run git -C {checkout} checkout -- gdbext"
    if not found.is_file():
        raise FileNotFoundError(f"{found} is missing: {cure}")
    return found


def lldb_script() -> Path:
    """Return the file to import in LLDB. Raise FileNotFoundError, whose text says what to do."""
    found = gdb_script().parent.with_name("lldbext") / "jitscope_lldb.py"
    if not found.is_file():
        raise FileNotFoundError(f"{found} is missing: install jitscope again")
    return found


@functools.cache
def shared_module(name: str) -> Any:
    """Return a module that is installed beside the script for GDB and does not need GDB. Raise FileNotFoundError, whose
    text says what to do."""
    folder = str(gdb_script().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def handshake_script() -> Path:
    """Return the file that a GDB started by the program has to source. Raise FileNotFoundError, whose text says what to
    do."""
    return gdb_script().parent / "jitscope_gdb" / "app" / "handshake.py"


def library() -> Path:
    """Return the C library that GDB loads, or the file in JITSCOPE_INSPECT_LIBRARY.

    Raise FileNotFoundError, whose text says what to do."""
    return _built("JITSCOPE_INSPECT_LIBRARY", "inspect", LIBRARY)


def runtime_library() -> Path:
    """Return the C library for the program that is debugged, or the file in JITSCOPE_LIBRARY.

    Raise FileNotFoundError, whose text says what to do."""
    return _built("JITSCOPE_LIBRARY", "inferior", RUNTIME)


def _built(variable: str, folder: str, name: str) -> Path:
    named = os.environ.get(variable)
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"{variable} names {named}, which is missing")
        return Path(named)
    checkout = _checkout()
    if checkout is None:
        found, cure = _package() / "lib" / name, "pip install --force-reinstall jitscope"
    else:
        found, cure = checkout / "build" / "runtime" / folder / name, f"{checkout}/scripts/setup"
    if not found.is_file():
        raise FileNotFoundError(f"{found} is missing: run {cure}")
    return found
