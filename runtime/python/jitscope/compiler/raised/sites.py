"""Where each compiled function raises and what it calls, noted while Numba compiles it: plain data that Numba's cache
keeps with the code. The code stays as it is.

This module wraps numba.core.callconv.CPUCallConv and numba.core.codegen.CPUCodeLibrary (0.57-0.68)."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple, Optional

from llvmlite import ir
from numba.core import callconv, codegen

from jitscope.compiler.base import levels
from jitscope.compiler.base.wrapped import wrap
from jitscope.compiler.followed import programs
from jitscope.compiler.numba_ir import bytecode
from jitscope.compiler.raised import blocks, constants, handled, marks, places
from jitscope.compiler.slots.kept_values import Kept

SITES = "_jitscope_sites"  # attribute of a library: the Sites of its functions, by their symbols
_OWNERS = "_jitscope_owners"  # attribute of a library: the Function of each symbol that has one
_DRAFTS = "_jitscope_drafts"  # attribute of a library: what the function of each symbol that has an owner computes
_VARIABLES = "_jitscope_kept"  # attribute of a library: how the variables of each symbol's function are read
_METHODS = ("set_static_user_exc", "set_dynamic_user_exc")
_EXCEPTION = callconv.excinfo_ptr_t.as_pointer()  # the second argument of all functions that may raise
UNKNOWN = ""  # in place of a symbol: a call through a pointer

# the exception's class, Numba's location of it, and the symbol of the constant that describes it, "" if not known
Key = tuple[str, Optional[tuple[str, str, int]], str]


class Function(NamedTuple):
    """The Python function of a symbol, as a code object has it. `lines`: those that belong to it alone; on others,
    Numba may have inlined another function."""

    module: str
    name: str
    qualname: str
    file: str
    first_line: int
    lines: frozenset[int]


# the way to inlined code, the outermost function first; None for the one that has a symbol
Inlined = tuple[tuple[Optional[Function], int], ...]


class Sites(NamedTuple):
    """`function`: None for one of Numba's own. `calls`: place and symbol of each call that may raise. `raises`: place
    and exception of each place that raises. `is_marked`: its code calls libjitscope.so at all of them (marks.py).
    `variables`: how copies of its variables are read. `inlined`: what the places from places.INLINED on stand for;
    other places are lines. `program`: what it computes (followed/programs.py), b"" if that is not known."""

    function: Function | None
    calls: tuple[tuple[int, str], ...]
    raises: tuple[tuple[int, Key], ...]
    is_marked: bool
    variables: tuple[Kept, ...] = ()
    inlined: tuple[Inlined, ...] = ()
    program: bytes = b""


class _Raise(NamedTuple):
    """`statement`: of Numba's IR, or None. `is_caught`: a handler of the function follows."""

    place: int
    key: Key
    block: Any
    statement: Any
    is_caught: bool


class _Test(NamedTuple):
    """What follows a call. `place`: of the call. `handler`: of the test whether there is a handler. `statement`: as in
    _Raise."""

    place: int
    handler: handled.Place | None
    statement: Any


class _CallSite(NamedTuple):
    """`leaves`: no handler follows. `is_caught`: one follows; if both are false, one may."""

    place: int
    symbol: str
    statement: Any
    leaves: bool
    is_caught: bool


# what each function of a module that is being written raises, and in which block, by its symbol
_raised: weakref.WeakKeyDictionary[Any, dict[str, list[_Raise]]] = weakref.WeakKeyDictionary()
# by module: what follows calls that return exceptions, by the call's id
_called: weakref.WeakKeyDictionary[Any, dict[int, _Test]] = weakref.WeakKeyDictionary()

_noted: weakref.WeakSet[Any] = weakref.WeakSet()  # libraries that have sites of their own


def check() -> str | None:
    """Return why the sites cannot be noted in this Numba, or None."""
    missing = [name for name in (*_METHODS, "return_status_propagate") if not hasattr(callconv.CPUCallConv, name)]
    return f"numba.core.callconv.CPUCallConv has no {missing[0]}" if missing else constants.check()


def key_of(exc: Any, location: Any, constant: str) -> Key:
    """Return what identifies an exception among those that compiled code raises. `location`: of Numba, or None."""
    return f"{getattr(exc, '__module__', '')}.{getattr(exc, '__qualname__', exc)}", location, constant


def is_same(one: Key, other: Key) -> bool:
    """True if both may be keys of the same exception."""
    return one[:2] == other[:2] and (one[2] == other[2] or "" in (one[2], other[2]))


def _own_lines(code: CodeType) -> frozenset[int]:
    *inner, own = ({line for line, _ in bytecode.instructions(each)} for each in bytecode.codes(code))
    return frozenset(own.difference(*inner))


def _set_exception(
    original: Any, self: Any, builder: Any, exc: Any, exc_args: Any = None, *rest: Any, **named: Any
) -> None:
    loc, name = named.get("loc"), named.get("func_name")
    if rest:  # nb_types comes first where values are computed
        loc = next((each for each in rest if hasattr(each, "line")), loc)
        name = next((each for each in rest if isinstance(each, str)), name)
    described = self.build_excinfo_struct(exc, exc_args, loc, name)
    with constants.naming(builder, described):
        original(self, builder, exc, exc_args, *rest, **named)
    found = _raised.setdefault(builder.module, {}).setdefault(builder.function.name, [])
    constant = "" if rest else constants.name_of(builder, described)
    key = key_of(exc, described[2], constant)
    found.append(_Raise(places.of(builder), key, builder.block, places.statement(builder), handled.is_in_try(builder)))


def _propagate(original: Any, self: Any, builder: Any, status: Any) -> None:
    test = _Test(places.of(builder), handled.before(self, builder), places.statement(builder))
    _called.setdefault(builder.module, {})[id(status.code)] = test
    original(self, builder, status)


def note_variables(lower: Any, variables: tuple[Kept, ...]) -> None:
    """Note how copies of the variables of the LLVM function are read that has been lowered."""
    vars(lower.library).setdefault(_VARIABLES, {})[lower.builder.function.name] = variables


def note_owner(lower: Any) -> None:
    """Note the Python function of the LLVM function that has been lowered."""
    function = lower.func_ir.func_id.func
    if not levels.has_lines(function):
        return
    owner = _function(function.__code__, function.__module__ or "", function.__qualname__)
    vars(lower.library).setdefault(_OWNERS, {})[lower.builder.function.name] = owner
    if (drafted := programs.draft(lower)) is not None:
        vars(lower.library).setdefault(_DRAFTS, {})[lower.builder.function.name] = drafted


def _function(code: CodeType, module: str, qualname: str) -> Function:
    qualname = getattr(code, "co_qualname", qualname)
    return Function(module, code.co_name, qualname, code.co_filename, code.co_firstlineno, _own_lines(code))


def _inlined(owner: Function, calls: places.Calls) -> Inlined:
    return tuple((_function(code, owner.module, code.co_name) if code else None, line) for code, line in calls)


def _calls(function: Any, reachable: set[Any], known: dict[int, _Test]) -> Iterator[_CallSite]:
    handlers = handled.Handlers(function)
    for block in reachable:
        for each in block.instructions:
            if isinstance(each, ir.CallInstr):
                callee = each.callee
                kind = callee.function_type
                if len(kind.args) > 1 and kind.args[1] == _EXCEPTION:
                    name = callee.name if isinstance(callee, ir.Function) else UNKNOWN
                    test = known.get(id(each)) or _Test(places.line_of(each.metadata.get("dbg")), None, None)
                    leaves = test.handler is not None and handlers.are_none(test.handler)
                    is_caught = test.handler is not None and handlers.follow(test.handler)
                    yield _CallSite(test.place, marks.symbol_of(name), test.statement, leaves, is_caught)


def _program(drafted: programs.Draft | None, found: list[_CallSite], raised: list[_Raise], its: Sites) -> bytes:
    """Return what a function computes, with the sites of its statements."""
    if drafted is None:
        return b""
    calls = {(place, symbol): number for number, (place, symbol) in enumerate(its.calls)}
    raises = {pair: number for number, pair in enumerate(its.raises)}
    noted = programs.Noted()
    for one in found:
        if one.is_caught:
            noted.add_caught(one.statement, one.symbol)
        else:
            noted.add_call(one.statement, calls[one.place, one.symbol], one.leaves)
    for other in raised:
        if other.is_caught:
            noted.add_caught(other.statement, programs.RAISE)
        else:
            noted.add_raise(other.statement, raises[other.place, other.key])
    return programs.finish(drafted, noted)


def _add_module(original: Any, self: Any, module: Any) -> Any:
    raised, called, inlined = _raised.pop(module, {}), _called.pop(module, {}), places.take_calls(module)
    owners, found = vars(self).get(_OWNERS, {}), vars(self).setdefault(SITES, {})
    drafts = vars(self).get(_DRAFTS, {})
    _noted.add(self)
    for function in module.functions:
        kind, name = function.function_type, function.name
        if function.blocks and len(kind.args) > 1 and kind.args[1] == _EXCEPTION:
            owner, reachable = owners.get(name), blocks.reachable(function)
            calls = list(_calls(function, reachable, called))
            raises = [each for each in raised.get(name, ()) if each.block in reachable]
            its = Sites(
                owner,
                tuple(dict.fromkeys((each.place, each.symbol) for each in calls if not each.is_caught)),
                tuple(dict.fromkeys((each.place, each.key) for each in raises if not each.is_caught)),
                marks.is_marked(name),
                vars(self).get(_VARIABLES, {}).get(name, ()),
                tuple(_inlined(owner, each) for each in inlined.get(name, ())) if owner is not None else (),
            )
            found[name] = its._replace(program=_program(drafts.pop(name, None), calls, raises, its))
    return original(self, module)


def set_known(library: Any, known: dict[str, Sites]) -> None:
    """Set the sites of a library that comes from a cache, with those of all that were linked to it."""
    setattr(library, SITES, known)
    _noted.add(library)
    for symbol, its in known.items():
        marks.note(symbol, its.is_marked)


def of(library: Any) -> dict[str, Sites]:
    """Return the sites of a library's functions and of all that are linked to it."""
    found: dict[str, Sites] = {}
    waiting, seen = [library], {id(library)}
    while waiting:
        each = waiting.pop(0)
        for symbol, sites in vars(each).get(SITES, {}).items():
            found.setdefault(symbol, sites)
        for linked in getattr(each, "_linking_libraries", ()):
            if id(linked) not in seen:
                seen.add(id(linked))
                waiting.append(linked)
    return found


def libraries() -> list[Any]:
    """Return all libraries that have sites of their own. Numba asks for no pointer to the wrapper of a generator, which
    is in the library of the function that makes it, and reads that of a gufunc from a cache without the function."""
    return list(_noted)


def install() -> None:
    """Wrap Numba's calling convention and its libraries, once for each process, after check()."""
    for name in _METHODS:
        wrap(callconv.CPUCallConv, name, _set_exception)
    wrap(callconv.CPUCallConv, "return_status_propagate", _propagate)
    constants.install()
    wrap(codegen.CPUCodeLibrary, "add_ir_module", _add_module)
