"""Which function a library has the code of, and what that was made of."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

from numba.core import types

from jitscope.compiler.recompiled import cached

MADE = "_jitscope_made"  # attribute of a dispatcher's compiler: by the argument types, the MadeOf and the return type
RESETS = "_jitscope_resets"  # attribute of a dispatcher: how often its code was dropped (Dispatcher.recompile)

# By a library: its dispatcher, and how often the program had the dispatcher compile everything again before it
made_for: weakref.WeakKeyDictionary[Any, tuple[weakref.ref[Any], int]] = weakref.WeakKeyDictionary()


class Version(NamedTuple):
    """A function as it is compiled for argument types."""

    dispatcher: Any
    arguments: tuple[Any, ...]

    @property
    def compiled(self) -> Any:
        return self.dispatcher.overloads[self.arguments]

    @property
    def name(self) -> str:
        return str(self.dispatcher.py_func.__qualname__).replace("<locals>.", "")


def note(dispatcher: Any, compiled: Any) -> None:
    made_for[compiled.library] = weakref.ref(dispatcher), vars(dispatcher).get(RESETS, 0)


def is_entangled(version: Version) -> bool:
    """True if the version calls a version that was being compiled, unless that is itself. Numba binds such a call by a
    name that depends on the flags of both (numba/core/lowering.py, _lower_call_RecursiveCall; 0.57-0.68), and they
    would differ."""
    annotation = version.compiled.type_annotation
    recursive = [each for each in getattr(annotation, "typemap", {}).values() if isinstance(each, types.RecursiveCall)]
    return any(tuple(arguments) != version.arguments for each in recursive for arguments in each._overloads or ())


def record_of(library: Any) -> cached.Record | None:
    """Return what the function with this code, and all that it contains, was made of; None: it is not known."""
    record = _own_record(library)
    if record is None or cached.of(library) is not None:
        return record
    linked, left, looked = [], [library], {id(library)}
    for each in left:
        for below in getattr(each, "_linking_libraries", ()):
            if id(below) in looked:
                continue
            looked.add(id(below))
            left.append(below)
            if below in made_for:
                linked += _linked(below)
    return record._replace(linked=linked)


def _linked(library: Any) -> list[cached.Linked]:
    """Return the function with this code, and those whose code it has from the cache."""
    version = version_of(library)
    if version is None or any(isinstance(one, (types.Callable, types.FunctionType)) for one in version.arguments):
        return [cached.Linked("", "", (), None)]
    function, record = version.dispatcher.py_func, _own_record(library)
    if function.__module__.partition(".")[0] == "numba":
        return []  # the cache's index has Numba's version
    inner = record.linked if record is not None else []
    own = record._replace(linked=[]) if record is not None else None
    return [cached.Linked(function.__module__, function.__qualname__, version.arguments, own), *inner]


def _own_record(library: Any) -> cached.Record | None:
    """Like record_of(), but only code from the cache has what it contains."""
    version = version_of(library)
    if version is None:
        return None
    if (record := cached.of(library)) is not None:
        return record
    made, return_type = vars(version.dispatcher._compiler).get(MADE, {}).get(version.arguments, (None, None))
    if made is None:
        return None
    typemap = getattr(version.compiled.type_annotation, "typemap", {}).values()
    if not all(map(cached.is_type_of_numba, typemap)):
        return None
    return cached.record(made, return_type, is_entangled(version))


def version_of(library: Any) -> Version | None:
    owner = made_for.get(library, (None, 0))[0]
    dispatcher = owner() if owner is not None else None
    for arguments, compiled in list(dispatcher.overloads.items()) if dispatcher is not None else ():
        if compiled.library is library:
            return Version(dispatcher, arguments)
    return None
