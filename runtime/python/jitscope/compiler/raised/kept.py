"""The sites of functions from Numba's cache, which are kept with their code.

This module wraps numba.core.caching.CompileResultCacheImpl (0.57-0.68)."""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import pickle
import zlib
from typing import Any

from numba.core import caching

from jitscope.compiler.raised import sites
from jitscope.compiler.raised.sites import Function, Sites

_TEXT = 6  # index of the type annotation, a text that nothing computes with, in CompileResult._reduce()
_MARK = "\n# jitscope raises, with stamps of files: "


@functools.lru_cache(maxsize=1024)
def _digest(file: str, *_: int) -> str:
    with open(file, "rb") as opened:
        return hashlib.sha256(opened.read()).hexdigest()


def _stamp(file: str) -> str | None:
    """Return what differs when a file has other contents; None if there is none of this name."""
    try:
        found = os.stat(file)
        return _digest(file, found.st_mtime_ns, found.st_size)
    except (OSError, ValueError):
        return None


def _text(known: dict[str, Sites]) -> str:
    """Return the sites as a line of text. Tuples hold them, so that no class of jitscope's has to be found when it is
    read."""
    functions = [(symbol, tuple(each.function) if each.function else None, *each[1:]) for symbol, each in known.items()]
    files = {each.function.file for each in known.values() if each.function}
    plain = functions, {file: _stamp(file) for file in files}
    return _MARK + base64.b85encode(zlib.compress(pickle.dumps(plain))).decode()


def _sites(text: str) -> dict[str, Sites]:
    """Return the sites. Functions whose files have other contents by now have no lines: Numba compares the file of the
    cached function only, and not those of the functions that its code contains."""
    functions, stamps = pickle.loads(zlib.decompress(base64.b85decode(text)))
    is_same = {file: _stamp(file) == stamp for file, stamp in stamps.items()}
    found = {}
    for symbol, plain, *rest in functions:
        function = Function(*plain) if plain else None
        if function is not None and not is_same[function.file]:
            function = function._replace(lines=frozenset())
        found[symbol] = Sites(function, *rest)
    return found


def _has_text(payload: Any) -> bool:
    return isinstance(payload, tuple) and len(payload) > _TEXT and isinstance(payload[_TEXT], str)


def _reduce(original: Any, self: Any, compiled: Any) -> Any:
    payload = original(self, compiled)
    if not _has_text(payload):
        return payload
    return *payload[:_TEXT], payload[_TEXT] + _text(sites.of(compiled.library)), *payload[_TEXT + 1 :]


def _rebuild(original: Any, self: Any, target_context: Any, payload: Any) -> Any:
    text = ""
    if _has_text(payload):
        annotation, _, text = payload[_TEXT].partition(_MARK)
        payload = (*payload[:_TEXT], annotation, *payload[_TEXT + 1 :])
    compiled = original(self, target_context, payload)
    if text:
        sites.set_known(compiled.library, _sites(text))
    return compiled


def check() -> str | None:
    """Return why nothing can be kept in this Numba's cache, or None."""
    names = ("reduce", "rebuild")
    missing = [name for name in names if not hasattr(caching.CompileResultCacheImpl, name)]
    return f"numba.core.caching.CompileResultCacheImpl has no {missing[0]}" if missing else None


def install() -> None:
    """Wrap Numba's cache, once for each process, after check()."""
    for name, around in (("reduce", _reduce), ("rebuild", _rebuild)):
        original = getattr(caching.CompileResultCacheImpl, name)

        @functools.wraps(original)
        def method(self: Any, *args: Any, _original: Any = original, _around: Any = around) -> Any:
            return _around(_original, self, *args)

        setattr(caching.CompileResultCacheImpl, name, method)
