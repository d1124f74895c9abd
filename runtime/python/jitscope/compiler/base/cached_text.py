"""Texts that are kept with the code in Numba's cache. They follow the type annotation, a text that nothing computes
with; a process without jitscope reads them as a part of it.

This module wraps numba.core.caching.CompileResultCacheImpl (0.57-0.68)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import caching

from jitscope.compiler.base.wrapped import wrap

_TEXT = 6  # index of the type annotation in CompileResult._reduce()


def check() -> str | None:
    """Return why nothing can be kept in this Numba's cache, or None."""
    names = ("reduce", "rebuild")
    missing = [name for name in names if not hasattr(caching.CompileResultCacheImpl, name)]
    return f"numba.core.caching.CompileResultCacheImpl has no {missing[0]}" if missing else None


def keep(mark: str, text_of: Callable[[Any], str], take: Callable[[Any, str], None]) -> None:
    """Keep a text with each function that is saved in the cache. Call this once for each process and mark, and always
    in the same order of marks.

    Args:
        mark: What the text begins with in the cache.
        text_of: Returns the text for a library, without the mark; nothing is kept if it is "".
        take: Called with a library that comes from the cache, and its text.
    """

    def reduce(original: Any, self: Any, compiled: Any) -> Any:
        payload = original(self, compiled)
        text = text_of(compiled.library) if _has_text(payload) else ""
        return _with_text(payload, payload[_TEXT] + mark + text) if text else payload

    def rebuild(original: Any, self: Any, target_context: Any, payload: Any) -> Any:
        text = ""
        if _has_text(payload):
            annotation, _, text = payload[_TEXT].partition(mark)
            payload = _with_text(payload, annotation)
        compiled = original(self, target_context, payload)
        if text:
            take(compiled.library, text)
        return compiled

    wrap(caching.CompileResultCacheImpl, "reduce", reduce)
    wrap(caching.CompileResultCacheImpl, "rebuild", rebuild)


def _has_text(payload: Any) -> bool:
    return isinstance(payload, tuple) and len(payload) > _TEXT and isinstance(payload[_TEXT], str)


def _with_text(payload: tuple[Any, ...], text: str) -> tuple[Any, ...]:
    return *payload[:_TEXT], text, *payload[_TEXT + 1 :]
