"""What a compiled function was made of: Numba takes globals, closure variables, options and settings as they are when
it compiles. A function may be compiled anew only if all of that is as it was."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import numpy
from numba.core import config

# Settings of numba.core.config that code depends on (numba/core/config.py, codegen.py; 0.57-0.68).
_SETTINGS = (
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "CPU_NAME",
    "CPU_FEATURES",
    "BOUNDSCHECK",
    "CAPTURED_ERRORS",
    "DISABLE_JIT",
    "DEBUG_NRT",
)
_VALUES = (bool, int, float, complex, str, bytes, type(None))  # types whose repr() is the whole value


class Changed(Exception):
    """The text says what is no longer as it was."""


class MadeOf(NamedTuple):
    """`values`: by the name in the source, such as `np.pi`, what keep() returned for it."""

    code: CodeType
    defaults: Any
    values: dict[str, Any]
    options: dict[str, Any]
    settings: dict[str, Any]


def take(function: Any, options: dict[str, Any]) -> MadeOf:
    """Return what the Python function is made of now. `options`: those of its decorator."""
    return MadeOf(
        function.__code__,
        _keep((function.__defaults__, function.__kwdefaults__ and tuple(function.__kwdefaults__.items()))),
        {name: _keep(value) for name, value in _read(function)},
        {name: _keep(value) for name, value in options.items()},
        {name: getattr(config, name, None) for name in _SETTINGS},
    )


def check(before: MadeOf, now: MadeOf) -> None:
    """Raise Changed if something differs, or was not kept."""
    if now.code is not before.code:
        raise Changed("its code has been replaced since it was compiled")
    if now.defaults != before.defaults:
        raise Changed("its default arguments have changed since it was compiled")
    for name, value in before.values.items():
        if value is None:
            raise Changed(f"the value that `{name}` had when it was compiled was not kept")
        if now.values.get(name) != value:
            raise Changed(f"`{name}` has changed since it was compiled")
    for name in now.values.keys() - before.values.keys():
        raise Changed(f"`{name}` has come since it was compiled")
    for name in before.options.keys() | now.options.keys():
        if now.options.get(name) != before.options.get(name):
            raise Changed(f"its option `{name}` has changed since it was compiled")
    for name, value in before.settings.items():
        if now.settings[name] != value:
            raise Changed(f"numba.config.{name} has changed since it was compiled")


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _read(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield what the function's code may read from outside of it: globals, attributes of modules, closure variables,
    each with its name in the source."""
    names = sorted({name for code in _codes(function.__code__) for name in code.co_names})
    found = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:  # the variable has no value yet
            continue
    seen: set[int] = set()
    while found:
        name, value = found.pop()
        yield name, value
        if isinstance(value, ModuleType) and id(value) not in seen:
            seen.add(id(value))
            found += [(f"{name}.{each}", vars(value)[each]) for each in names if each in vars(value)]


class _Same:
    """An object that must be the same one. It is held only if it has no weak references."""

    def __init__(self, value: Any) -> None:
        self._found: Callable[[], Any]
        try:
            self._found = weakref.ref(value)
        except TypeError:
            self._found = lambda: value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._found() is other._found() is not None

    __hash__ = None  # type: ignore[assignment]


def _keep(value: Any) -> Any:
    """Return what is enough to recognise the value later; None: that is not possible."""
    if type(value) in _VALUES:
        return type(value), repr(value)
    if isinstance(value, tuple):
        kept = [_keep(each) for each in value]
        return (type(value), *kept) if None not in kept else None
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        if value.dtype.hasobject:
            return None
        digest = hashlib.blake2b(numpy.ascontiguousarray(value).tobytes(), digest_size=16).digest()
        return type(value), value.dtype, value.shape, value.flags.f_contiguous, digest
    if callable(value) or isinstance(value, ModuleType) or hasattr(value, "__weakref__"):
        return _Same(value)
    if isinstance(value, (list, set, dict, frozenset)):
        items = list(value.items()) if isinstance(value, dict) else sorted(value, key=repr)
        kept = [_keep(each) for each in (value if isinstance(value, list) else items)]
        return (type(value), *kept) if None not in kept else None
    return None
