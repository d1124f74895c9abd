"""The files that a user works on, as against installed packages and the standard library."""

from __future__ import annotations

import functools
import linecache
import os
import sysconfig

_INSTALLED = {"site-packages", "dist-packages"}  # folders of packages: of pip, and of Debian's own


def has_source(path: str) -> bool:
    """True for a Python file that is there, and for a notebook's cell. path: a code object's co_filename."""
    # a cell is a line cache's entry, or a file that is written for the debugger only
    return os.path.isfile(path) or path in linecache.cache and not path.startswith("<string>")


@functools.cache
def is_written(path: str) -> bool:
    """True for a Python file of any package but Numba, and for a notebook's cell. path: a code object's co_filename."""
    return has_source(path) and "numba" not in os.path.realpath(path).split(os.sep)[:-1]


@functools.cache
def is_own(path: str) -> bool:
    """True for a Python file that is neither installed nor of the standard library, and for a notebook's cell. path:
    a code object's co_filename."""
    if not os.path.isfile(path):
        return has_source(path)
    real = os.path.realpath(path)
    return not _INSTALLED.intersection(real.split(os.sep)) and not real.startswith(_standard_library())


@functools.cache
def _standard_library() -> tuple[str, ...]:
    paths = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
    return tuple(os.path.join(os.path.realpath(path), "") for path in paths if path)
