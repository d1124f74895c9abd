"""Assignments that cannot raise and have no effect but their variable: attributes of arrays, lengths, constants,
copies, tuples of those, and arithmetic that never fails. Code that is compiled for stepping unasked keeps them where
Numba would remove them as dead, and keeps nothing else that Numba removes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from numba.core import ir, types

_ATTRIBUTES = frozenset(("shape", "size", "ndim", "itemsize", "nbytes", "strides"))
_CONSTANTS = (int, float, complex, str, bytes, type(None))
_ALWAYS_DEFINED = frozenset(
    (
        *(operator.add, operator.sub, operator.mul, operator.iadd, operator.isub, operator.imul),
        *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.neg, operator.pos),
    )
)
_NUMBERS = (types.Integer, types.Float, types.Boolean)


class Needs(NamedTuple):
    """What a harmless assignment is made of. `read`: the variables in it. `computed`: the variables that these come
    from by other harmless assignments, and that have to be computed anyway."""

    read: frozenset[str]
    computed: frozenset[str]


def needs(assignments: Iterable[Any], typemap: Mapping[str, Any] | None) -> dict[str, Needs]:
    """Return what the assignments need, by the name of each variable that has only harmless ones. `assignments`: all of
    the function; `typemap`: None where types are not inferred yet, when keeping an assignment may be an error of its
    types."""
    if typemap is None:
        return {}
    values: dict[str, list[Any]] = {}
    for each in assignments:
        values.setdefault(each.target.name, []).append(each.value)
    direct = {name: _all_of([_reads(value, values, typemap) for value in every]) for name, every in values.items()}
    harmless = {name: reads for name, reads in direct.items() if reads is not None}
    needed = {name: frozenset(reads - harmless.keys()) for name, reads in harmless.items()}
    is_growing = True
    while is_growing:
        is_growing = False
        for name, reads in harmless.items():
            more = needed[name].union(*(needed[each] for each in reads if each in harmless))
            is_growing |= more != needed[name]
            needed[name] = more
    # A variable with several assignments would have some of them alone.
    return {
        name: Needs(frozenset(harmless[name]), more)
        for name, more in needed.items()
        if not more or len(values[name]) == 1
    }


def _all_of(found: list[set[str] | None]) -> set[str] | None:
    reads = [each for each in found if each is not None]
    return set().union(*reads) if len(reads) == len(found) else None


def _reads(value: Any, values: Mapping[str, list[Any]], typemap: Mapping[str, Any]) -> set[str] | None:
    """Return the variables that the value is made of; None where making it may raise."""
    if isinstance(value, ir.Arg):
        return set()
    if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
        return set() if isinstance(value.value, _CONSTANTS) or value.value is len else None
    if isinstance(value, ir.Var):
        return {value.name}
    if not isinstance(value, ir.Expr):
        return None
    read = [each for each in value.list_vars() if each is not ir.UNDEFINED]
    kinds = [typemap.get(each.name) for each in read]
    return {each.name for each in read} if _is_harmless(value, kinds, values) else None


def _is_harmless(value: Any, kinds: list[Any], values: Mapping[str, list[Any]]) -> bool:
    """True if the expression never raises. `kinds`: the types of its variables."""
    op = value.op
    if op in ("build_tuple", "phi"):
        return True
    if op == "getattr":
        return isinstance(kinds[0], types.Array) and value.attr in _ATTRIBUTES
    if op == "exhaust_iter":
        return isinstance(kinds[0], types.BaseTuple) and len(kinds[0]) == value.count
    if op == "static_getitem":
        return isinstance(kinds[0], types.BaseTuple) and isinstance(value.index, int)
    if op in ("binop", "inplace_binop", "unary"):
        return value.fn in _ALWAYS_DEFINED and all(isinstance(each, _NUMBERS) for each in kinds)
    if op == "call":
        called = values.get(value.func.name, [])
        is_len = len(called) == 1 and getattr(called[0], "value", None) is len
        takes_one = len(value.args) == 1 and not value.kws and not value.vararg
        return is_len and takes_one and isinstance(kinds[-1], (types.Array, types.BaseTuple))
    return False
