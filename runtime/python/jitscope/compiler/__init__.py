"""What Numba calls when it starts: the entry point `init` of the group `numba_extensions`."""

from __future__ import annotations

_present = False


def init() -> None:
    """Called once by Numba, before it compiles anything. Imports nothing and changes nothing of Numba."""
    global _present
    _present = True


def is_present() -> bool:
    """Whether Numba has called `init` in this process."""
    return _present
