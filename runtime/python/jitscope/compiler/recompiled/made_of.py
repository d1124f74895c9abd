"""What a compiled function was made of: Numba takes globals, closure variables, options and settings as they are when
it compiles. A function may be compiled anew only if all of that is as it was."""

from __future__ import annotations

import dis
import functools
import hashlib
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy
from numba.core import config
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

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
_MOST = 4096  # values within one value that are compared
_LARGEST = 1 << 28  # bytes of an array that are compared
_VALUES = (bool, int, float, complex, str, bytes, type(None))  # types whose repr() is the whole value


INLINED = "inlined"  # instead of what _keep() returns: code that is part of the function


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
        {name: _keep(value) for name, value in read(function)},
        {name: _keep(value) for name, value in options.items()},
        {name: getattr(config, name, None) for name in _SETTINGS},
    )


def inlined_now(function: Any) -> Iterator[CodeType]:
    """Yield the code of the functions that Numba would write into the Python function."""
    yield from (value for name, value in read(function) if name.endswith(".__code__"))


def inlined(made: MadeOf) -> Iterator[CodeType]:
    """Yield the code of the functions that Numba has written into the function (inline="always")."""
    for name, kept in made.values.items():
        code = kept.value() if name.endswith(".__code__") and isinstance(kept, Same) else None
        if isinstance(code, CodeType):
            yield code


def check(before: MadeOf, now: MadeOf) -> None:
    """Raise Changed if something differs, or was not kept."""
    if now.code is not before.code:
        raise Changed("its code has been replaced since it was compiled")
    if now.defaults != before.defaults:
        raise Changed("its default arguments have changed since it was compiled")
    for name, value in before.values.items():
        if value == INLINED:
            raise Changed(f"Numba writes an overload of `{name}` into it, and nothing of that was kept")
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


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code object and those of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@functools.lru_cache(maxsize=256)
def _names(code: CodeType) -> tuple[list[str], list[str]]:
    """Return the names of the globals and of the attributes that the code reads."""
    found: dict[str, set[str]] = {kind: set() for kind in ("GLOBAL", "NAME", "ATTR", "METHOD")}
    for each in codes(code):
        for instruction in dis.get_instructions(each):
            kind = instruction.opname.rpartition("_")[2]
            if instruction.opname.startswith("LOAD_") and kind in found:
                found[kind].add(instruction.argval)
    return sorted(found["GLOBAL"] | found["NAME"]), sorted(found["ATTR"] | found["METHOD"])


def read(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield what the Python function's code may read from outside of it, each with its name in the source."""
    yield from _read(function, seen=frozenset({id(function)}))


def _is_inlined(function: FunctionType) -> bool:
    """True if the program has an @overload(…, inline=…) of the Python function: Numba writes that into its callers."""
    known = cpu_target.typing_context._lookup_global(function)
    return any(
        not template._inline.is_never_inline and not template._overload_func.__module__.startswith("numba.")
        for template in getattr(known, "templates", ())
        if hasattr(template, "_inline") and hasattr(template, "_overload_func")
    )


def _read(function: Any, prefix: str = "", seen: frozenset[int] = frozenset()) -> Iterator[tuple[str, Any]]:
    """Yield what the function's code may read from outside of it: globals, attributes of modules, closure variables,
    each with its name in the source, and the same for the functions that Numba writes into it (inline="always").
    `prefix`: precedes each name; `seen`: ids of functions that are being looked at."""
    names, attributes = _names(function.__code__)
    found = [(prefix + name, function.__globals__[name]) for name in names if name in function.__globals__]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found.append((prefix + name, cell.cell_contents))
        except ValueError:  # the variable has no value yet
            continue
    modules: set[int] = set()
    while found:
        name, value = found.pop()
        yield name, value
        if issubclass(type(value), ModuleType) and id(value) not in modules:
            modules.add(id(value))
            found += [(f"{name}.{each}", vars(value)[each]) for each in attributes if each in vars(value)]
        elif type(value) is FunctionType and _is_inlined(value):
            yield name, INLINED
        elif issubclass(type(value), Dispatcher) and value.targetoptions.get("inline", "never") != "never":
            inlined = value.py_func
            if id(inlined) not in seen:
                yield f"{name}.__code__", inlined.__code__
                yield f"{name}.__defaults__", (inlined.__defaults__, inlined.__kwdefaults__)
                yield from _read(inlined, f"{name}.", seen | {id(inlined)})


class Same:
    """An object that must be the same one. It is held only if it has no weak references."""

    def __init__(self, value: Any) -> None:
        self._found: Callable[[], Any]
        try:
            self._found = weakref.ref(value)
        except TypeError:
            self._found = lambda: value

    def value(self) -> Any:
        """Return the object, or None if it is gone."""
        return self._found()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._found() is other._found() is not None

    __hash__ = None  # type: ignore[assignment]


def _keep(value: Any) -> Any:
    """Return what is enough to recognise the value later; None: that is not possible. It runs while a program compiles
    its functions, so it raises nothing, calls nothing of the program's, and looks at no more than it has to."""
    try:
        return _kept(value, [_MOST])
    except Exception:  # a list that contains itself, no memory
        return None


def _kept(value: Any, left: list[int]) -> Any:
    """Like _keep(). `left`: how many values may still be looked at."""
    left[0] -= 1
    kind = type(value)  # isinstance() would ask the value for its __class__
    if left[0] < 0:
        return None
    if value is INLINED:
        return value
    if kind in _VALUES:
        return kind, repr(value)
    if issubclass(kind, (numpy.ndarray, numpy.generic)):
        if value.dtype.hasobject or value.nbytes > _LARGEST:
            return None
        digest = hashlib.blake2b(numpy.ascontiguousarray(value).tobytes(), digest_size=16).digest()
        flags = value.flags
        return kind, value.dtype, value.shape, flags.c_contiguous, flags.f_contiguous, digest
    if issubclass(kind, (tuple, list, dict)):
        kept = [_kept(each, left) for each in (dict.items(value) if issubclass(kind, dict) else value)]
        return (kind, *kept) if None not in kept else None
    if kind in (set, frozenset):
        return (kind, *sorted(map(repr, value))) if all(type(each) in _VALUES for each in value) else None
    if issubclass(kind, numpy.dtype):  # a structure may get other names
        return kind, repr(value), value.itemsize, value.alignment
    if callable(value) or issubclass(kind, (ModuleType, CodeType)) or hasattr(kind, "__weakref__"):
        return Same(value)
    return None
