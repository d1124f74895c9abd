"""The C library (`runtime/inspect`), through ctypes."""

from __future__ import annotations

import ctypes
from functools import lru_cache

from jitscope.paths import library
from jitscope.version import __version__


class VersionMismatch(RuntimeError):
    """The C library was built from another version of jitscope than this package."""


@lru_cache(maxsize=1)
def load() -> ctypes.CDLL:
    """Return the C library of exactly this version, loaded once.

    Raise FileNotFoundError if it is not built, OSError if the loader refuses it, and VersionMismatch if it belongs to
    another version; each text says in one line what to do."""
    path = library()
    loaded = ctypes.CDLL(str(path))
    try:
        get_version = loaded.js_version
    except AttributeError:
        raise VersionMismatch(f"{path} is no library of jitscope {__version__}: build it again") from None
    get_version.restype = ctypes.c_char_p
    get_version.argtypes = []
    found = get_version().decode("ascii", "replace")
    if found != __version__:
        raise VersionMismatch(f"{path} is of jitscope {found}, this package of {__version__}: build it again")
    return loaded
