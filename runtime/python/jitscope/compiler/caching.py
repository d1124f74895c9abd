"""Cached code is used only where it is what the compiler would make today: the index of numba.core.caching (0.57-0.68)
knows nothing of debug information."""

from __future__ import annotations

from typing import Any

from numba.core import caching

from jitscope.compiler import dibuilder, levels
from jitscope.version import __version__


def check() -> str | None:
    """Why the index can't be told, or None."""
    return None if hasattr(caching.Cache, "_index_key") else "numba.core.caching.Cache has no _index_key"


def index_key(original: Any, self: Any, sig: Any, codegen: Any) -> Any:
    """Around Cache._index_key."""
    what = (dibuilder.PRODUCER, __version__, levels.level_of(self._py_func), levels.debugs_all(), levels.loops())
    return (*original(self, sig, codegen), what)
