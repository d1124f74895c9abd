"""Where the files that GDB loads lie: beside this package when installed, else in the repository."""

from __future__ import annotations

import os
from pathlib import Path

LIBRARY = "libjitscope-inspect.so"


def _package() -> Path:
    return Path(__file__).resolve().parent


def _checkout() -> Path | None:
    """The repository that this package is imported from, or None when it is installed."""
    root = _package().parents[2]
    return root if (root / "gdbext").is_dir() and (root / "meson.build").is_file() else None


def gdb_script() -> Path:
    """The file to `source` in GDB. Raises FileNotFoundError, whose text says what to do."""
    installed = _package() / "gdbext" / "jitscope.py"
    checkout = _checkout()
    if checkout is None:
        found, cure = installed, "run pip install --force-reinstall jitscope"
    else:
        found, cure = checkout / "gdbext" / "jitscope.py", "the checkout is not complete"
    if not found.is_file():
        raise FileNotFoundError(f"{found} is missing: {cure}")
    return found


def library() -> Path:
    """The C library, or what JITSCOPE_INSPECT_LIBRARY names.

    Raises FileNotFoundError, whose text says what to do.
    """
    named = os.environ.get("JITSCOPE_INSPECT_LIBRARY")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"JITSCOPE_INSPECT_LIBRARY names {named}, which is missing")
        return Path(named)
    checkout = _checkout()
    if checkout is None:
        found, cure = _package() / "lib" / LIBRARY, "pip install --force-reinstall jitscope"
    else:
        found, cure = checkout / "build" / "runtime" / "inspect" / LIBRARY, f"{checkout}/scripts/setup"
    if not found.is_file():
        raise FileNotFoundError(f"{found} is missing: run {cure}")
    return found
