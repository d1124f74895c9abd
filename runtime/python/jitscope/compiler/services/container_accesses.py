"""Lists, sets and dicts that a statement reads or changes, for services/accesses.py.

A container is known by the address of its meta data (NRT's MemInfo), which it keeps for life. Its elements are not
looked at: a change counts as a write of the whole container, everything else as a read of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import cgutils, ir, types

# Numba's types, and their names in messages. typed.Set is there from Numba 0.66 on.
_NAMES = {"List": "list", "Set": "set", "ListType": "typed List", "DictType": "typed Dict", "SetType": "typed Set"}
_KINDS = tuple(getattr(types, name) for name in _NAMES if hasattr(types, name))
_CHANGES = frozenset(
    (
        *("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort"),
        *("add", "discard", "update", "difference_update", "intersection_update", "symmetric_difference_update"),
        *("popitem", "setdefault"),
    )
)
# Expressions whose first operand is the container that they read.
_READS = ("getitem", "static_getitem", "typed_getitem", "getiter", "exhaust_iter")


def is_container(kind: Any) -> bool:
    return type(kind) in _KINDS


def is_dict(kind: Any) -> bool:
    return isinstance(kind, types.DictType)


def name_of(kind: Any) -> str:
    """Return the name of a container's type, as messages have it."""
    return _NAMES[type(kind).__name__]


def meminfo(lower: Any, kind: Any, value: Any) -> Any:
    """Return the address of the container's MemInfo, a pointer to bytes."""
    return cgutils.create_struct_proxy(kind)(lower.context, lower.builder, value=value).meminfo


def used(lower: Any, inst: Any) -> Iterator[tuple[str, Any, bool]]:
    """Yield each container that a statement uses: the variable in the IR that has it, its type, and whether the
    statement changes it."""
    for name, changes in _operands(lower, inst):
        kind = lower.typeof(name)
        if isinstance(kind, types.BoundFunction):  # has the value of the container that it is bound to
            kind = kind.this
        if is_container(kind):
            yield name, kind, changes(kind) if callable(changes) else changes


def _operands(lower: Any, inst: Any) -> Iterator[tuple[str, Any]]:
    """Yield variables, and whether they change where they are containers, or a function of the type that says so."""
    if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
        yield inst.target.name, lambda kind: is_dict(kind) or _is_slice(lower, inst)
    elif isinstance(inst, ir.DelItem):
        yield inst.target.name, True
    value = inst.value if isinstance(inst, ir.Assign) else None
    if not isinstance(value, ir.Expr):
        return
    if value.op in _READS:
        yield value.value.name, False
    elif value.op in ("binop", "inplace_binop"):
        yield value.lhs.name, value.op == "inplace_binop"
        yield value.rhs.name, False
    elif value.op == "call":
        function = lower.typeof(value.func.name)
        if isinstance(function, types.BoundFunction):
            yield value.func.name, _method(function) in _CHANGES
        elif not isinstance(function, types.Dispatcher):  # which reports what it does itself
            yield from ((argument.name, False) for argument in value.args)


def _is_slice(lower: Any, inst: Any) -> bool:
    if isinstance(inst, ir.StaticSetItem):
        return isinstance(inst.index, slice)
    return isinstance(lower.typeof(inst.index.name), types.SliceType)


def _method(function: Any) -> str:
    """Return the name of a method: the key is `"list.append"`, or a class and `"append"`."""
    key = function.typing_key
    return str(key[-1] if isinstance(key, tuple) else key).rpartition(".")[2]
