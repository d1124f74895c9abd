"""Names of the constants that describe exceptions. Each module of LLVM has its own, also where their bytes are equal,
and LLVM keeps them apart when it links modules and inlines their functions, because their addresses may be compared.
With a name that no other module's has, the constant says in which function an exception was raised. Numba's code and
the bytes of the constants stay as they are.

This module wraps numba.core.base.BaseContext.insert_unique_const (0.57-0.68)."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import weakref
from collections.abc import Iterator
from typing import Any

from numba.core import base

from jitscope.compiler.base.wrapped import wrap

_NUMBAS = re.compile(r"\.const\.pickledata\.[^.]*")
_OURS = ".jitscope.raise."  # short, because symbols are a fifth of a small object
_NAME = re.compile(rf"({re.escape(_OURS)}[0-9a-f]{{16}})(?:\.\d+)?")  # LLVM adds a number where it links modules

_owners: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()  # by module: a function that is in no other
# by module: the names of the constants, by what Numba's build_excinfo_struct() returns
_names: weakref.WeakKeyDictionary[Any, dict[Any, str]] = weakref.WeakKeyDictionary()
_made: list[tuple[Any, list[str]]] = []  # what naming() names now, the innermost last: the module, and the names


def check() -> str | None:
    """Return why the constants cannot be named in this Numba, or None."""
    if not callable(getattr(base.BaseContext, "insert_unique_const", None)):
        return "numba.core.base.BaseContext has no insert_unique_const"
    return None


@contextlib.contextmanager
def naming(builder: Any, described: Any) -> Iterator[None]:
    """Name the constants that Numba makes within the `with` block after the builder's module. `described`: what
    build_excinfo_struct() returns for the exception."""
    module, names = builder.module, list[str]()
    _owners.setdefault(module, builder.function.name)
    _made.append((module, names))
    try:
        yield
    finally:
        _made.pop()
    if names:
        _names.setdefault(module, {})[described] = names[0]


def name_of(builder: Any, described: Any) -> str:
    """Return the symbol of the exception's constant in the builder's module, "" if it is not known."""
    return _names.get(builder.module, {}).get(described, "")


def symbol_of(name: str) -> str:
    """Return what naming() has named the constant that LLVM calls so, "" for another constant."""
    found = _NAME.fullmatch(name)
    return found[1] if found else ""


def _insert(original: Any, self: Any, module: Any, name: str, value: Any) -> Any:
    if _made and _made[-1][0] is module and _NUMBAS.fullmatch(name):
        digest = hashlib.sha256(f"{_owners[module]} {name}".encode()).hexdigest()
        name = f"{_OURS}{digest[:16]}"
        _made[-1][1].append(name)
    return original(self, module, name, value)


@functools.lru_cache(maxsize=1)
def install() -> None:
    """Wrap Numba's constants, once for each process, after check()."""
    wrap(base.BaseContext, "insert_unique_const", _insert)
