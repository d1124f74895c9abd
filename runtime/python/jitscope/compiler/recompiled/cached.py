"""What functions from Numba's cache were made of, in the process that compiled them: a record of it is kept with the
code, and holds texts and digests instead of objects, so that another process can compare them with its own values."""

from __future__ import annotations

import base64
import hashlib
import pickle
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import numpy
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from jitscope.compiler.base import cached_text
from jitscope.compiler.recompiled import made_of

RECORD = "_jitscope_record"  # attribute of a library from the cache: the text of its record
_MARK = "\n# jitscope: "
_LIBRARIES = ("builtins", "math", "cmath", "operator", "numpy", "numba")  # the cache's index has their versions
_KINDS = (types.Number, types.Boolean, types.NoneType)  # types of Numba whose text is the whole type


class Linked(NamedTuple):
    """A compiled function whose code is a part of another one's. `record`: its own without what is linked, or None."""

    module: str
    qualname: str
    arguments: tuple[Any, ...]
    record: Record | None


class Record(NamedTuple):
    """`code`: a digest; `values`, `options`: as in made_of.MadeOf, with texts; `return_type`: the one that was asked
    for, or None; `is_entangled`: it calls itself with other types."""

    code: str
    defaults: Any
    values: dict[str, Any]
    options: dict[str, Any]
    settings: dict[str, Any]
    linked: list[Linked]
    return_type: Any
    is_entangled: bool


def install(record_of: Callable[[Any], Record | None]) -> None:
    """Keep a record with each function that is saved in the cache, once for each process. `record_of` returns that of
    a library."""
    cached_text.keep(
        _MARK, lambda library: _text_of(record_of, library), lambda library, text: setattr(library, RECORD, text)
    )


def _text_of(record_of: Callable[[Any], Record | None], library: Any) -> str:
    """Return what is kept with the code; nothing where the program's own classes raise, as the code is saved then."""
    try:
        record = record_of(library)
        return base64.b64encode(pickle.dumps(_plain(record))).decode() if record is not None else ""
    except Exception:
        return ""


def _plain(record: Record) -> tuple[Any, ...]:
    """Return the record as tuples, so that no class of jitscope's has to be found when it is read."""
    linked = [(*each[:3], _plain(each.record) if each.record is not None else None) for each in record.linked]
    return tuple({**record._asdict(), "linked": linked}.values())


def _from_plain(plain: tuple[Any, ...]) -> Record:
    record = Record._make(plain)
    linked = [
        Linked(module, qualname, arguments, _from_plain(its) if its is not None else None)
        for module, qualname, arguments, its in record.linked
    ]
    return record._replace(linked=linked)


_records: weakref.WeakKeyDictionary[Any, Record | None] = weakref.WeakKeyDictionary()  # by the library


def of(library: Any) -> Record | None:
    """Return the record of a library that has come from the cache, or None."""
    text = getattr(library, RECORD, None)
    if text is None:
        return None
    if library not in _records:
        try:
            _records[library] = _from_plain(pickle.loads(base64.b64decode(text)))
        except Exception:  # a class of the program's is gone
            _records[library] = None
    return _records[library]


# -- what records hold


def record(made: made_of.MadeOf, return_type: Any, is_entangled: bool) -> Record:
    """Return a record of a function without what is linked to it."""
    return Record(
        _digest(made.code),
        _portable(made.defaults),
        {name: _portable(value) for name, value in made.values.items()},
        {name: _portable(value) for name, value in made.options.items()},
        {**made.settings, "numpy": numpy.__version__},
        [],
        return_type,
        is_entangled,
    )


def check(before: Record, now: Record) -> None:
    """Raise made_of.Changed if something differs, or was not kept. What is linked is not compared."""
    if now.code != before.code:
        raise made_of.Changed("its code is another one than in the cache")
    if now.defaults != before.defaults or before.defaults is None:
        raise made_of.Changed("its default arguments may have changed since it was cached")
    for name in before.values.keys() | now.values.keys():
        if before.values.get(name, "") is None or now.values.get(name, "") is None:
            raise made_of.Changed(f"it comes from Numba's cache, and the value that `{name}` had then was not kept")
        if now.values.get(name) != before.values.get(name):
            raise made_of.Changed(f"`{name}` has changed since it was cached")
    for name in before.options.keys() | now.options.keys():
        if before.options.get(name) is None or now.options.get(name) != before.options.get(name):
            raise made_of.Changed(f"its option `{name}` may have changed since it was cached")
    for name in before.settings.keys() | now.settings.keys():
        if now.settings.get(name, "") != before.settings.get(name, ""):
            raise made_of.Changed(f"the setting {name} has changed since it was cached")


def _portable(kept: Any) -> Any:
    """Return a text or tuple for what made_of kept of a value, equal in another process if the value is; None: there is
    none."""
    if kept is None or kept is made_of.INLINED:
        return None
    if isinstance(kept, made_of.Same):
        return _object(kept.value())
    if isinstance(kept, tuple):
        found = tuple(_portable(each) for each in kept)
        return found if None not in found else None
    if isinstance(kept, type):
        return (kept.__module__, kept.__qualname__) if kept.__module__.partition(".")[0] in _LIBRARIES else None
    if isinstance(kept, numpy.dtype):
        return repr(kept) if kept.names is None else None
    return kept if isinstance(kept, (str, bytes, int)) else None


def _object(value: Any) -> Any:
    if isinstance(value, Dispatcher):
        function = value.py_func
        return "dispatcher", function.__module__, function.__qualname__, _digest(function.__code__)
    if isinstance(value, CodeType):
        return "code", _digest(value)
    if isinstance(value, ModuleType):
        return "module", value.__name__
    if isinstance(value, _KINDS):
        return "type", repr(value)
    return _library_function(value)


def _library_function(value: Any) -> Any:
    """Return the names of a function or class of Numba, NumPy or Python; None: it is another one's, or the program has
    told Numba how to compile it."""
    known = cpu_target.typing_context._lookup_global(value)
    if not _are_of_numba(getattr(known, "templates", ())):
        return None
    for name in (getattr(value, "__qualname__", None), getattr(value, "__name__", None)):
        module = getattr(value, "__module__", None) or "numpy"  # a ufunc before NumPy 2 has none
        found = sys.modules.get(module) if isinstance(name, str) and isinstance(module, str) else None
        for part in name.split(".") if found is not None and isinstance(name, str) else ():
            found = getattr(found, part, None)
        if found is value and module.partition(".")[0] in _LIBRARIES:
            return "library", module, name
    return None


def is_type_of_numba(its: Any) -> bool:
    """True if Numba itself says how a value of the type, or a call of it, is compiled."""
    templates = [*getattr(its, "templates", ()), *filter(None, [getattr(its, "template", None)])]
    return type(its).__module__.partition(".")[0] == "numba" and _are_of_numba(templates)


def _are_of_numba(templates: Iterable[Any]) -> bool:
    makers = [getattr(each, "_overload_func", None) or each for each in templates]
    # "abc", or none: a class or function that Numba has made
    return all((each.__module__ or "abc").partition(".")[0] in ("numba", "abc") for each in makers)


def _digest(code: CodeType) -> str:
    found = hashlib.blake2b(digest_size=16)
    for each in made_of.codes(code):
        constants = [
            sorted(map(repr, one)) if isinstance(one, frozenset) else repr(one)
            for one in each.co_consts
            if not isinstance(one, CodeType)
        ]
        names = each.co_names, each.co_varnames, each.co_freevars, each.co_cellvars, each.co_argcount, each.co_flags
        found.update(repr((each.co_code, constants, names, each.co_firstlineno)).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


# -- what is linked


def find(function: Any, linked: Linked) -> Any:
    """Return the dispatcher of a linked function, which the Python function, or a compiled one that it calls, reads by
    a name; None: there is none, or there are several."""
    found, left, seen = {}, [function], {id(function)}
    for each in left:
        for _, value in made_of.read(each):
            if isinstance(value, Dispatcher) and id(value.py_func) not in seen:
                its = value.py_func
                seen.add(id(its))
                left.append(its)
                if (its.__module__, its.__qualname__) == (linked.module, linked.qualname):
                    found[id(value)] = value
    return next(iter(found.values())) if len(found) == 1 else None


def functions_in(function: Any, record: Record) -> Iterator[Any]:
    """Yield the Python functions whose code is a part of the Python function's, which has this record."""
    for each in record.linked:
        callee = find(function, each)
        if callee is not None:
            yield callee.py_func
