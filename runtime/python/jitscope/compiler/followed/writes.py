"""Which functions may write to arrays that they have not made: elements of an array are what they were when Python has
called the function only if none of the functions that run does.

This module reads Numba's IR of functions (numba/core/ir.py, 0.57-0.68)."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numba.core import ir, types
from numba.parfors.parfor import Parfor

from jitscope.compiler.base import levels

_BUILTINS = ("range", "len", "bool", "int", "float", "abs", "min", "max", "sum", "slice", "enumerate", "zip", "print")
_MAKERS = ("arange", "zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like", "linspace", "eye", "full")
_READERS = ("sum", "mean", "std", "var", "median", "prod", "min", "max", "argmin", "argmax", "any", "all", "where")
_METHODS = ("sum", "mean", "std", "var", "prod", "min", "max", "argmin", "argmax", "any", "all", "copy", "item",
            "reshape", "ravel", "flatten", "astype")  # fmt: skip
# operations of expressions that write to nothing
_READING = ("getitem", "static_getitem", "getattr", "getiter", "iternext", "pair_first", "pair_second", "build_tuple",
            "build_list", "exhaust_iter", "cast", "binop", "unary")  # fmt: skip
_PLAIN = (types.Number, types.Boolean, types.UnicodeType, types.NoneType, types.RangeType, types.Omitted,
          types.SliceType, types.Literal, types.Function, types.DTypeSpec, types.NumberClass, types.Module,
          types.ExceptionClass, types.ExceptionInstance)  # fmt: skip
_CONTAINERS = (types.List, types.ListType, types.DictType, types.Set)
_OTHERS = (types.Array, types.SimpleIteratorType, types.Pair, types.Dispatcher, types.RecursiveCall,
           types.BoundFunction)  # fmt: skip


def may_write(lower: Any) -> bool:
    """True if the function that has been lowered may write to an array that it has not made, or runs without the GIL,
    so that another thread may."""
    return bool(getattr(lower.flags, "release_gil", False)) or _Search(lower).finds()


class _Search:
    def __init__(self, lower: Any) -> None:
        self._typemap = lower.fndesc.typemap
        self._statements = [inst for block in lower.blocks.values() for inst in block.body]
        self._own = self._find_own()

    def finds(self) -> bool:
        return any(self._writes(inst) for inst in self._statements)

    def _find_own(self) -> set[str]:
        """Return the variables that have only arrays that the function has made."""
        assigned: dict[str, list[Any]] = {}
        for inst in self._statements:
            if isinstance(inst, ir.Assign):
                assigned.setdefault(inst.target.name, []).append(inst.value)
        own = {name for name in assigned if isinstance(self._typemap.get(name), types.Array)}
        before: set[str] = set()
        while own != before:
            before = own
            own = {name for name in own if all(self._is_own(value, own) for value in assigned[name])}
        return own

    def _is_own(self, value: Any, own: set[str]) -> bool:
        if isinstance(value, ir.Var):
            return value.name in own
        if not isinstance(value, ir.Expr):
            return False
        if value.op in ("getitem", "static_getitem", "cast"):
            return value.value.name in own
        return value.op == "call" and self._called(value) in _MAKERS

    def _called(self, call: Any) -> str:
        """Return the name of the function of NumPy that is called, "" of another one."""
        called = getattr(self._typemap[call.func.name], "typing_key", None)
        name = getattr(called, "__name__", "")
        return name if name and called is getattr(np, name, None) else ""

    def _writes(self, inst: Any) -> bool:
        if isinstance(inst, ir.Del):
            return False
        if isinstance(inst, Parfor):
            return True
        if not all(_is_known(self._typemap.get(each.name)) for each in inst.list_vars()):
            return True
        if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
            return not isinstance(self._typemap[inst.target.name], _CONTAINERS) and inst.target.name not in self._own
        if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr):
            return self._evaluates(inst.value)
        return False

    def _evaluates(self, value: Any) -> bool:
        if value.op == "inplace_binop":
            return not self._is_plain(value.lhs.name) and value.lhs.name not in self._own
        return self._calls(value) if value.op == "call" else value.op not in _READING

    def _calls(self, call: Any) -> bool:
        function = self._typemap[call.func.name]
        called = getattr(function, "typing_key", None)
        name = getattr(called, "__name__", "")
        if isinstance(function, types.ObjModeDispatcher):
            return True
        if isinstance(function, types.Dispatcher):  # its function is looked at, too
            return not levels.has_lines(function.dispatcher.py_func)
        if isinstance(function, (types.RecursiveCall, types.ExceptionClass)):
            return False
        if isinstance(function, types.BoundFunction):
            is_reader = isinstance(function.this, types.Array) and self._is_reader(function)
            return not (is_reader or isinstance(function.this, (*_CONTAINERS, *_PLAIN)) and self._are_plain(call))
        if not isinstance(function, (types.Function, types.NumberClass)):
            return True
        if name in _BUILTINS and called is getattr(builtins, name):
            return False
        if isinstance(called, np.ufunc):
            return (len(call.args) > called.nin or bool(call.kws)) and not self._are_plain(call)
        if self._called(call) in (*_MAKERS, *_READERS):
            return bool({key for key, _ in call.kws or ()} - {"dtype", "axis"})
        return not self._are_plain(call)

    @staticmethod
    def _is_reader(function: Any) -> bool:
        key = function.template.key
        name = key[1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
        return name in _METHODS

    def _are_plain(self, call: Any) -> bool:
        arguments = [*call.args, *(each for _, each in call.kws or ())]
        return call.vararg is None and all(self._is_plain(each.name) for each in arguments)

    def _is_plain(self, name: str) -> bool:
        """True if a value of the variable's type refers to no array."""
        return _is_plain(self._typemap.get(name))


def _is_known(numba_type: Any) -> bool:
    """True if it is a type of Numba's own whose operators and attributes write to nothing: those of other types may be
    functions of the program."""
    if isinstance(numba_type, types.BaseTuple):
        return all(map(_is_known, numba_type.types))
    if isinstance(numba_type, types.Optional):
        return _is_known(numba_type.type)
    return isinstance(numba_type, (*_PLAIN, *_CONTAINERS, *_OTHERS))


def _is_plain(numba_type: Any) -> bool:
    if isinstance(numba_type, types.BaseTuple):
        return all(map(_is_plain, numba_type.types))
    if isinstance(numba_type, types.Optional):
        return _is_plain(numba_type.type)
    return isinstance(numba_type, (*_PLAIN, types.List)) and (
        not isinstance(numba_type, types.List) or _is_plain(numba_type.dtype)
    )
