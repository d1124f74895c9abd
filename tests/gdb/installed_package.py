"""A package that is installed, for programs whose functions call compiled code that is not the user's own."""

from __future__ import annotations

import pathlib

_PACKAGE = """from numba import njit

@njit
def packaged(n):
    more = n + 1
    return more * 2
"""


def install(folder: pathlib.Path) -> pathlib.Path:
    """Install `installed_kernels` below the folder, and return the folder of its packages."""
    installed = folder / "lib" / "site-packages"
    installed.mkdir(parents=True, exist_ok=True)
    (installed / "installed_kernels.py").write_text(_PACKAGE)
    return installed


def results(text: str) -> str:
    """Return the only line with results that the program has printed."""
    (line,) = [line for line in text.splitlines() if line.startswith("results ")]
    return line
