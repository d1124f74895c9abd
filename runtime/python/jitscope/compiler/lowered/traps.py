"""Traps of one function at `steps`: places where an integer does not fit in its type, or where a NaN is made of
numbers, and where a debugger stops (`jit trap`).

Numba decides the types (numba/core/typing/builtins.py, 0.57-0.68): an integer of less than 64 bits is computed in 64,
and the check is of the exact result and of the type that the statement has. Only what the source itself says is
checked: its operators and conversions, its calls of a few functions, and what it stores in arrays of integers. What
Numba computes by itself (indices, loops, its own library) is not."""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import json
import math
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir as llvm_ir
from numba.core import cgutils, ir, types
from numba.cpython import numbers

from jitscope.compiler.base import wanted
from jitscope.compiler.base.emit import INT64, POINTER, trap_marker
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.lowered import checks
from jitscope.published import NAN, OVERFLOW

_BINARY = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.lshift: "<<",
}
# Functions of integers that are checked as operators are, and conversions.
_CALLS = {
    builtins.abs: "abs",
    np.abs: "abs",
    builtins.pow: "**",
    builtins.divmod: "//",
    np.negative: "neg",
    np.add: "+",
    np.subtract: "-",
    np.multiply: "*",
    np.true_divide: "/",
    np.floor_divide: "//",
    np.remainder: "%",
}
SIGNS: dict[Any, str] = {**_BINARY, **_CALLS, operator.neg: "neg"}
_ROUNDING = {builtins.int, builtins.round, math.floor, math.ceil, math.trunc}
_OF_TWO_TYPES = re.compile(r"if\s+invert\s+else\s+r\b")  # a result that is a float64 or an integer


@functools.cache
def _rounds_powers() -> bool:
    """Return whether this Numba converts the power of two integers to a float64 and back, as 0.57 does, so that it is
    not what the exact one wraps to. True if that is not known."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        return _OF_TWO_TYPES.search(inspect.getsource(numbers.int_power_impl)) is not None
    return True


def asked(lower: Any) -> int:
    """Return what the function that is being lowered stops at: OVERFLOW, NAN, both or 0."""
    kernel = getattr(lower, "kernel", None)
    return int(kernel.traps) if kernel is not None else wanted.traps_in(lower.func_ir.func_id.func)


class Operation(NamedTuple):
    """An operation whose operands are loaded. `name`: an operator's sign, "neg", "convert", "store", a function's name,
    or "elements" for several operations of an array expression; `names`: the user's names of the operands, None for
    others; `array`: the one that is stored to."""

    name: str
    names: list[str | None]
    kinds: list[Any]
    values: list[llvm_ir.Value]
    array: str | None = None
    is_element: bool = False

    @property
    def is_of_integers(self) -> bool:
        return all(map(checks.is_integer, self.kinds))

    @property
    def is_of_numbers(self) -> bool:
        return all(checks.is_integer(each) or checks.is_float(each) for each in self.kinds)


class Traps:
    """The traps of the function that `lower` lowers. `base`: returns the user's name of a version, or None."""

    def __init__(self, lower: Any, base: Callable[[str], str | None], debug: Any) -> None:
        self._lower = lower
        self._base = base
        self._debug = debug
        self.kinds = asked(lower)
        kernel = getattr(lower, "kernel", None)
        self._owner = kernel.owner if kernel is not None else lower.func_ir.func_id

    # -- statements

    def at_statement(self, inst: Any) -> None:
        """Check what a statement stores in an array of integers, or in an integer attribute of a jitclass."""
        if not self.kinds & OVERFLOW or not isinstance(inst, (ir.SetItem, ir.StaticSetItem, ir.SetAttr)):
            return
        target = self._lower.typeof(inst.target.name)
        if isinstance(target, types.Array) and isinstance(target.dtype, types.Integer):
            self._fit(inst.value, target.dtype, "store", self._base(inst.target.name))
        attributes = getattr(target, "struct", {}) if isinstance(inst, ir.SetAttr) else {}
        to = attributes.get(inst.attr) if isinstance(target, types.ClassInstanceType) else None
        if isinstance(to, types.Integer):
            self._fit(inst.value, to, "store", None)

    def before(self, kind: Any, value: Any) -> None:
        """Check the integers of an assignment, before it is computed. `kind`: the type of its variable."""
        if not self.kinds & OVERFLOW:
            return
        if isinstance(value, ir.Var) or isinstance(value, ir.Expr) and value.op == "cast":
            source = value if isinstance(value, ir.Var) else value.value
            if isinstance(kind, types.Integer):
                self._fit(source, kind, "convert", None)
            return
        found = self._operation(value)
        if found is None:
            return
        operation, operands = found
        signature = self._lower.fndesc.calltypes[value]
        # Numba negates before it makes the integer longer (numba/cpython/numbers.py, int_negate_impl)
        to = signature.args[0] if operation == "neg" else types.unliteral(signature.return_type)
        if isinstance(to, types.BaseTuple) and operation == "//":  # divmod() has two results
            to = to[0]
        if not isinstance(to, types.Integer):
            return
        if isinstance(kind, types.Integer) and kind.bitwidth < to.bitwidth:
            to = kind
        if operation == "convert":
            self._fit(operands[0], to, operation, None)
            return
        made = self._loaded(operation, operands)
        if made.is_of_integers:
            for operand in operands if operation in ("//", "%") else ():
                self._fit(operand, to, "convert", None)  # the result is of other numbers if an operand wraps
            self._check_overflow(made, to)

    def after(self, kind: Any, value: Any, result: llvm_ir.Value) -> None:
        """Check whether an assignment has made a NaN."""
        if not self.kinds & NAN or not checks.is_float(kind) or not isinstance(value, ir.Expr):
            return
        found = self._operation(value)
        if found is None or found[0] == "convert":
            return
        made = self._loaded(*found)
        if made.is_of_numbers:
            self._check_nan(made, result, kind)

    # -- operations

    def name_of(self, version: str) -> str | None:
        """Return the user's name of a version of a variable, or None."""
        return self._base(version)

    def check(
        self,
        name: str,
        names: list[str | None],
        kinds: list[Any],
        values: list[llvm_ir.Value],
        result: llvm_ir.Value,
        to: Any,
    ) -> None:
        """Check an operation that Numba computes by itself, on numbers, with its result of the type `to`."""
        made = Operation(name, names, kinds, values)
        if self.kinds & OVERFLOW and isinstance(to, types.Integer):
            self._check_overflow(made, to)
        if self.kinds & NAN and checks.is_float(to):
            self._check_nan(made, result, to)

    def _operation(self, value: Any) -> tuple[str, list[Any]] | None:
        """Return an expression's operation, and its operands; None: it is not checked. The operation is an operator's
        sign, "neg", "convert", or the name of a function."""
        op = value.op if isinstance(value, ir.Expr) else None
        if op in ("binop", "inplace_binop"):
            sign = _BINARY.get(value.fn if op == "binop" else value.immutable_fn)
            return (sign, [value.lhs, value.rhs]) if sign else None
        if op == "unary":
            return ("neg", [value.value]) if value.fn is operator.neg else None
        if op != "call" or value.kws or value.vararg or not 1 <= len(value.args) <= 2:
            return None
        function = self._lower.typeof(value.func.name)
        if isinstance(function, types.NumberClass):
            return "convert", list(value.args)
        called = getattr(function, "typing_key", None) if isinstance(function, types.Function) else None
        try:
            if called in _ROUNDING:
                return "convert", list(value.args)
            name = _CALLS.get(called) or getattr(called, "__name__", None)
        except TypeError:  # what is called has no hash
            return None
        return (str(name), list(value.args)) if name else None

    def _loaded(self, name: str, operands: list[Any], array: str | None = None) -> Operation:
        kinds = [types.unliteral(self._lower.typeof(each.name)) for each in operands]
        names, values = zip(*((self._base(each.name), self._lower.loadvar(each.name)) for each in operands))
        return Operation(name, list(names), kinds, list(values), array)

    def _fit(self, source: Any, to: Any, name: str, array: str | None) -> None:
        """Check whether the number fits in the integer type `to`. `array`: the name of the array that it goes into."""
        made = self._loaded(name, [source], array)
        if made.is_of_numbers:
            condition = checks.misfit(self._lower.builder, made.values[0], made.kinds[0], to)
            self._trap(condition, OVERFLOW, made, to)

    def _check_overflow(self, made: Operation, to: Any) -> None:
        condition = checks.overflows(self._lower.builder, made.name, made.values, made.kinds, to)
        self._trap(condition, OVERFLOW, made, to)

    def _check_nan(self, made: Operation, result: llvm_ir.Value, to: Any) -> None:
        condition = checks.is_made_nan(self._lower.builder, result, made.values, made.kinds)
        self._trap(condition, NAN, made, to)

    # -- the places

    def _trap(self, condition: llvm_ir.Value | None, kind: int, made: Operation, to: Any) -> None:
        """Stop where the condition is true. `kind`: OVERFLOW or NAN; `to`: the type of the result."""
        if condition is None:
            return
        lower, builder = self._lower, self._lower.builder
        line = lower.loc.line
        text = json.dumps(
            {
                "kind": "nan" if kind == NAN else "overflow",
                "operation": made.name,
                "operands": [{"name": name, "type": str(each)} for name, each in zip(made.names, made.kinds)],
                "type": str(to),
                "array": made.array,
                "element": made.is_element,
                "wraps": made.name != "**" or not _rounds_powers(),
                "module": self._owner.modname,
                "function": self._owner.func_qualname.replace("<locals>.", ""),
                "line": line,
            }
        )
        # for the debugger (gdbext/jitscope_gdb/stops/trapped.py): the description's address, and the operands' bits
        form = llvm_ir.LiteralStructType([POINTER] + [INT64] * len(made.values))
        record = cgutils.alloca_once(builder, form, name="jitscope.trap")
        with builder.if_then(condition, likely=False):
            parts = [builder.bitcast(lower.context.insert_const_string(builder.module, text), POINTER)]
            parts += [checks.bits(builder, value, each) for value, each in zip(made.values, made.kinds)]
            for index, part in enumerate(parts):
                builder.store(part, cgutils.gep_inbounds(builder, record, 0, index))
            places = self._debug.location(line, dibuilder.RAISE), self._debug.location(line, dibuilder.OTHER)
            trap_marker(builder, places, f"trap {builder.function.name} {line}", builder.bitcast(record, POINTER))
