"""The compiled functions of the process, who calls whom, and the exchange of a function's code for other code.

A caller contains the code of those that it calls, so to compile one anew is to compile its callers anew, too."""

from __future__ import annotations

import functools
import gc
import operator
import warnings
import weakref
from collections import deque
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple

from numba.core import dispatcher as dispatchers
from numba.core import types
from numba.core.registry import CPUDispatcher

from jitscope import stops
from jitscope.compiler.base import fast, wanted
from jitscope.compiler.debuginfo import caching
from jitscope.compiler.recompiled import cached, frozen, known, made_of
from jitscope.published import FASTMATH, TRAPS

_BEFORE = "_jitscope_before"  # attribute of a dispatcher: by the argument types, an Exchanged

_known: weakref.WeakSet[Any] = weakref.WeakSet()  # dispatchers that have code
_codes: weakref.WeakSet[CodeType] = weakref.WeakSet()  # what dispatchers were made for, also those that are gone
_retired: list[Any] = []  # code that is no longer called, but may still run


class Refused(Exception):
    """The text says why a function is not compiled anew. `is_caller`: it only calls what an entry is about, which other
    callers may reach."""

    is_caller = False


class Exchanged(NamedTuple):
    """`first`: the code before the first exchange; `asked`: the indices of the entries that want the other code."""

    first: Any
    asked: set[int]


def check() -> str | None:
    """Return why this Numba's functions cannot be compiled anew, or None."""
    for owner, names in (
        (dispatchers._FunctionCompiler, ("_compile_core",)),
        (dispatchers._DispatcherBase, ("add_overload", "_insert", "_clear", "_reset_overloads")),
    ):
        for name in names:
            if not hasattr(owner, name):
                return f"{owner.__module__}.{owner.__name__} has no {name}"
    return None


def install() -> None:
    """Note each function that is compiled, and what it is made of, once for each process, after check()."""
    compile_core, add_overload = dispatchers._FunctionCompiler._compile_core, dispatchers._DispatcherBase.add_overload
    reset_overloads = dispatchers._DispatcherBase._reset_overloads

    @functools.wraps(compile_core)
    def compile(self: Any, args: Any, return_type: Any) -> Any:
        made, constants = made_of.take(self.py_func, _options(self)), frozen.take(self.py_func)
        wanted.path_of(self.py_func.__code__.co_filename)
        compiled = compile_core(self, args, return_type)
        frozen.note(compiled, constants)
        vars(self).setdefault(known.MADE, {})[tuple(compiled.signature.args)] = made, return_type
        return compiled

    @functools.wraps(add_overload)
    def add(self: Any, compiled: Any) -> None:
        add_overload(self, compiled)
        if isinstance(self, CPUDispatcher):
            _known.add(self)
            _codes.add(self.py_func.__code__)
            known.note(self, compiled)
            made = vars(self._compiler).setdefault(known.MADE, {})
            arguments = tuple(compiled.signature.args)
            if arguments not in made and not self._cache_hits:
                # Numba has loaded jitscope while it compiled this first function
                made[arguments] = made_of.take(self.py_func, _options(self._compiler)), None
                frozen.note(compiled, frozen.take(self.py_func))
            stops.library().jitscope_recompilation_changed()

    @functools.wraps(reset_overloads)
    def reset(self: Any) -> None:
        for exchanged in vars(self).pop(_BEFORE, {}).values():
            _retired.append(exchanged.first)
            _old.pop(id(exchanged.first.library), None)
        _retired.extend(self.overloads.values())
        vars(self)[known.RESETS] = vars(self).get(known.RESETS, 0) + 1
        reset_overloads(self)

    cached.install(known.record_of)
    dispatchers._FunctionCompiler._compile_core = compile
    dispatchers._DispatcherBase.add_overload = add
    dispatchers._DispatcherBase._reset_overloads = reset


def _options(maker: Any) -> dict[str, Any]:
    """Return the options of the function's decorator, with the types of `locals=`."""
    return {**maker.targetoptions, "locals": tuple(sorted(maker.locals.items()))}


# -- who calls whom


def affected(dispatcher: Any, index: int, entry: Any) -> list[known.Version]:
    """Return the versions that have to be compiled anew, so that calls of the dispatcher reach what the entry wants:
    the wanted functions, and those between, each after those that it calls. `index`: the entry's."""
    versions = _versions()
    found: list[known.Version] = []
    state: dict[int, bool] = {}  # by a library: whether it has old code; False while it is being looked at
    is_old = functools.partial(_is_old, entry)

    def visit(library: Any) -> bool:
        key = id(library)
        if key in state:
            return state[key]
        state[key] = False
        below = [visit(each) for each in list(getattr(library, "_linking_libraries", ())) if each is not library]
        version = versions.get(key)
        record = cached.of(library) if version is not None else None
        if version is not None and record is not None:
            below.append(visit_parts(version.dispatcher.py_func, record))
        is_exchanged = key in _old and index in _old[key].asked
        state[key] = any(below) or is_exchanged or version is not None and is_old(version)
        if state[key] and version is not None:
            found.append(version)
        return state[key]

    def visit_parts(function: Any, record: cached.Record) -> bool:
        """Visit what the entry is about in code from the cache, which contains that of the functions it calls. Their
        own dispatchers may have none yet."""
        if not any(wanted.is_about(entry, each) for each in cached.functions_in(function, record)):
            return False
        for each in record.linked:
            callee = cached.find(function, each)
            if callee is not None:
                part = _part(callee, each)
                versions[id(part.compiled.library)] = part
                visit(part.compiled.library)
        return True

    for compiled in list(dispatcher.overloads.values()):
        visit(compiled.library)
    return found


def _part(callee: Any, linked: cached.Linked) -> known.Version:
    """Return the version that is linked to a cached function; it gets code if it has none."""
    if linked.arguments not in callee.overloads:
        callee.compile(linked.arguments)
    return known.Version(callee, linked.arguments)


def compiled_for(dispatcher: Any, entry: Any) -> str:
    """Return the names of the functions that the entry is about, and that calls of the dispatcher reach in code that
    was made for another entry."""
    versions, names, seen, left = _versions(), [], set(), [each.library for each in dispatcher.overloads.values()]
    while left:
        library = left.pop()
        if id(library) not in seen:
            seen.add(id(library))
            left += getattr(library, "_linking_libraries", ())
            version = versions.get(id(library))
            is_new = version is not None and version.arguments in vars(version.dispatcher).get(_BEFORE, {})
            if version is not None and is_new and _is_about(entry, version):
                names.append(version.name)
    return ", ".join(dict.fromkeys(names))


_old: dict[int, Exchanged] = {}  # by the id of its first library: code that was exchanged


def _is_old(entry: Any, version: known.Version) -> bool:
    """True if the entry is about the version, and it is compiled at another level."""
    library = version.compiled.library
    choice = getattr(library, caching.CHOICE, None)
    is_there = choice is not None and choice.level == wanted.level_in(entry)
    lacks_traps = entry.flags & TRAPS and wanted.traps() & ~getattr(library, caching.TRAPS, 0)
    is_left = entry.flags & TRAPS and not entry.file and _is_fast(version)
    return (not is_there or bool(lacks_traps)) and not is_left and _is_about(entry, version)


def _is_fast(version: known.Version) -> bool:
    options = version.dispatcher._compiler.targetoptions
    return fast.is_fast(version.dispatcher.py_func, SimpleNamespace(fastmath=options.get("fastmath")))


def _is_about(entry: Any, version: known.Version) -> bool:
    """True if the entry is about the version, or a function that Numba has written into it."""
    if wanted.is_about(entry, version.dispatcher.py_func):
        return True
    if not entry.line:
        return False
    made = vars(version.dispatcher._compiler).get(known.MADE, {}).get(version.arguments)
    codes = made_of.inlined(made[0]) if made is not None else made_of.inlined_now(version.dispatcher.py_func)
    return any(wanted.is_about(entry, SimpleNamespace(__code__=each)) for each in codes)


def is_any_about(entry: Any) -> bool:
    """True if the entry is about a function that has a dispatcher, or had one: a closure may be made again."""
    if any(wanted.is_about(entry, each.py_func) for each in list(_known)):
        return True
    for version in _versions().values():
        record, function = cached.of(version.compiled.library), version.dispatcher.py_func
        if record is not None and any(wanted.is_about(entry, each) for each in cached.functions_in(function, record)):
            return True
    return any(_is_about(entry, each) for each in _versions().values()) or (
        bool(entry.line) and any(wanted.is_about(entry, SimpleNamespace(__code__=each)) for each in list(_codes))
    )


def is_any_cached() -> bool:
    """True if a function's code has come from Numba's cache, with the code of the functions that it calls."""
    return any(each._cache_hits for each in list(_known))


def _versions() -> dict[int, known.Version]:
    """Return the versions that are in use, by the ids of their libraries."""
    return {
        id(compiled.library): known.Version(each, arguments)
        for each in list(_known)
        for arguments, compiled in list(each.overloads.items())
    }


# -- compiling anew


def compile_anew(versions: list[known.Version], index: int, entry: Any) -> None:
    """Compile the versions, in this order, as the entry wants, and have them called from now on. Raise Refused if one
    cannot be, and change nothing. `index`: the entry's."""
    current = versions[-1]
    done: list[tuple[known.Version, Any]] = []
    unresolved = _unresolved(versions)
    try:
        for current in versions:
            _check(current, entry)
        for current in versions:
            old, new = current.compiled, _compile(current, wanted.level_in(entry))
            known.note(current.dispatcher, new)
            done.append((current, old))
            current.dispatcher.overloads[current.arguments] = new
        if _unresolved(versions) - unresolved:
            raise _entangled(versions[-1])
    except BaseException as error:
        for version, old in done:
            _retired.append(version.compiled)
            version.dispatcher.overloads[version.arguments] = old
        if isinstance(error, Refused):
            error.is_caller = not _is_about(entry, current)
        raise
    for version, old in done:
        _keep(version, old, index)
    for each in {id(version.dispatcher): version.dispatcher for version in versions}.values():
        _call_overloads(each)


def _check(version: known.Version, entry: Any) -> None:
    maker, compiled = version.dispatcher._compiler, version.compiled
    function = version.dispatcher.py_func
    if compiled.objectmode or compiled.lifted:
        raise Refused(f"{version.name} is compiled in object mode, or has loops that are")
    if isinstance(compiled.signature.return_type, types.Generator):
        raise Refused(f"{version.name} is a generator function: generators that are there would run on in other code")
    if known.is_entangled(version):
        raise _entangled(version)
    made = vars(maker).get(known.MADE, {}).get(version.arguments)
    now = made_of.take(function, _options(maker))
    try:
        if made is not None:
            made_of.check(made[0], now)
        if made is None or cached.of(compiled.library) is not None:
            _check_cached(version, now)
    except made_of.Changed as error:
        raise Refused(f"{version.name} would not be the same: {error}") from None
    for linked in list(getattr(compiled.library, "_linking_libraries", ())):
        owner, resets = known.made_for.get(linked, (None, 0))
        callee = owner() if owner is not None else None
        if callee is not None and resets != vars(callee).get(known.RESETS, 0):
            raise Refused(f"{version.name} contains {callee.__name__} as it was before the program recompiled it")
    if _is_fast(version) and not entry.flags & FASTMATH:
        raise Refused(f"{version.name} computes with fastmath flags, and its results could differ")


def _check_cached(version: known.Version, now: made_of.MadeOf) -> None:
    """Raise Refused or made_of.Changed unless the version, whose code is from the cache, would be the same."""
    record = cached.of(version.compiled.library)
    if record is None:
        raise Refused(f"{version.name} comes from Numba's cache, which does not keep what it was made of")
    cached.check(record, cached.record(now, None, False))
    if record.is_entangled:
        raise _entangled(version)
    for each in record.linked:
        callee = cached.find(version.dispatcher.py_func, each)
        if callee is None:
            raise made_of.Changed(f"{each.qualname or 'a function'}, which its cached code contains, is not found")
        its = known.record_of(_part(callee, each).compiled.library)
        if its is None or each.record is None:
            raise made_of.Changed(f"Numba's cache does not keep what {each.qualname} was made of")
        try:
            cached.check(each.record, its)
        except made_of.Changed as error:
            raise made_of.Changed(f"{each.qualname}, which is a part of it, is another one: {error}") from None


def _entangled(version: known.Version) -> Refused:
    return Refused(f"{version.name} calls itself with other types, or by way of another function")


def _unresolved(versions: list[known.Version]) -> set[str]:
    """Return the names of functions that are called, and that no code has yet: Numba's code ends the call there."""
    codegen = versions[0].dispatcher.targetctx.codegen()
    return set(getattr(getattr(codegen, "_rtlinker", None), "_unresolved", ()))


def _compile(version: known.Version, level: str) -> Any:
    maker = version.dispatcher._compiler
    made, record = vars(maker).get(known.MADE, {}).get(version.arguments), cached.of(version.compiled.library)
    return_type = made[1] if made is not None else record.return_type if record is not None else None
    try:
        code = version.dispatcher.py_func.__code__
        # the counter lets Numba see that a function calls itself
        with warnings.catch_warnings(), version.dispatcher._compiling_counter, wanted.forcing(code, level):
            warnings.simplefilter("ignore")  # the program had them when it was compiled first
            compiled = maker._compile_core(version.arguments, return_type)
        if compiled.signature != version.compiled.signature:
            raise TypeError(f"its type is {compiled.signature} now")
        return compiled
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        raise Refused(f"{version.name} cannot be compiled anew: {type(error).__name__}: {first}") from error


def _keep(version: known.Version, old: Any, index: int) -> None:
    before = vars(version.dispatcher).setdefault(_BEFORE, {})
    if version.arguments in before:
        _retired.append(old)
        before[version.arguments].asked.add(index)
    else:
        before[version.arguments] = Exchanged(old, {index})
        _old[id(old.library)] = before[version.arguments]


def _call_overloads(dispatcher: Any) -> None:
    """Have calls from Python reach the code in `overloads`. No other thread of Python runs between the steps, since no
    Python code does, not even a finalizer's: a call in between would find nothing to call."""
    steps: list[Any] = [functools.partial(dispatcher._clear)]
    for arguments, compiled in dispatcher.overloads.items():
        codes = [each._code for each in arguments]
        steps.append(functools.partial(dispatcher._insert, codes, compiled.entry_point, compiled.objectmode))
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        deque(map(operator.methodcaller("__call__"), steps), maxlen=0)
    finally:
        if is_collecting:
            gc.enable()


# -- the code as it was


def withdraw(index: int) -> None:
    """Have the first code called again where only the entry with this index wants other code."""
    changed = {}
    for dispatcher in list(_known):
        before = vars(dispatcher).get(_BEFORE, {})
        for arguments, exchanged in list(before.items()):
            exchanged.asked.discard(index)
            if not exchanged.asked and arguments in dispatcher.overloads:
                _retired.append(dispatcher.overloads[arguments])
                dispatcher.overloads[arguments] = exchanged.first
                _old.pop(id(exchanged.first.library), None)
                del before[arguments]
                changed[id(dispatcher)] = dispatcher
    for dispatcher in changed.values():
        _call_overloads(dispatcher)
