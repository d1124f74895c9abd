"""Wraps functions of Numba."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def wrap(owner: Any, name: str, around: Callable[..., Any]) -> None:
    """Replace a function of a class or module by one that calls `around` with the original and all arguments."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapped(*args: Any, **named: Any) -> Any:
        return around(original, *args, **named)

    setattr(owner, name, wrapped)
