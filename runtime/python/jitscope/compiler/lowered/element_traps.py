"""Traps at the elements of arrays that one statement computes, writes or converts. Numba computes them in loops of its
own, for which the functions that compute one element are replaced while the statement is lowered."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir as llvm_ir
from numba.core import ir, types

from jitscope.compiler.base import levels
from jitscope.compiler.linked import wrapping
from jitscope.compiler.lowered import checks
from jitscope.compiler.lowered.traps import SIGNS, Operation, Traps
from jitscope.published import NAN, OVERFLOW

_OPERANDS = 16  # at most, in an array expression
_EXACT_TERMS = ("+", "-", "*", "neg")  # in array expressions


@contextlib.contextmanager
def _replaced(context: Any, name: str, value: Any) -> Iterator[None]:
    """Replace an attribute of Numba's target context, of this instance alone, within the `with` block."""
    before = vars(context).get(name)
    setattr(context, name, value)
    try:
        yield
    finally:
        if before is None:
            delattr(context, name)
        else:
            setattr(context, name, before)


class _Term(NamedTuple):
    """A part of an array expression: the user's name of the array, or None, and one element."""

    name: str | None
    kind: Any
    value: llvm_ir.Value


def _stored_as(kind: Any, to: Any) -> Any:
    """Return the type in which a result of `kind` must fit to be stored as `to`."""
    return to if isinstance(to, types.Integer) and to.bitwidth <= kind.bitwidth else kind


class ElementTraps(Traps):
    """The traps of a function, those at elements of arrays among them."""

    @contextlib.contextmanager
    def of_all(self, kind: Any, value: Any) -> Iterator[None]:
        """Check the elements that an assignment computes, within the `with` block, which lowers it. `kind`: the type of
        its variable."""
        with self._of_elements(value), self._of_outputs(kind, value), self._of_astype(kind, value):
            yield

    @contextlib.contextmanager
    def of_copies(self, inst: Any) -> Iterator[None]:
        """Check each element of an array that the statement copies to an array of integers (`a[:] = b`), which Numba
        converts one by one (numba/np/arrayobj.py, setitem_array, 0.57-0.68)."""
        is_item = isinstance(inst, (ir.SetItem, ir.StaticSetItem)) and self.kinds & OVERFLOW
        source, target = (
            (self._lower.typeof(each.name) for each in (inst.value, inst.target)) if is_item else (None, None)
        )
        if not (isinstance(source, types.Array) and isinstance(target, types.Array)) or (
            not isinstance(target.dtype, types.Integer) or self._has_wide_index(inst)
        ):
            yield
            return
        with self._casts("store", inst.value, self._base(inst.target.name), (source.dtype, target.dtype)):
            yield

    @contextlib.contextmanager
    def _of_astype(self, kind: Any, value: Any) -> Iterator[None]:
        """Check each element of a copy of another type (numba/np/arrayobj.py, array_astype, 0.57-0.68)."""
        is_call = isinstance(value, ir.Expr) and value.op == "call" and self.kinds & OVERFLOW
        function = self._lower.typeof(value.func.name) if is_call else None
        source = function.this if isinstance(function, types.BoundFunction) else None
        if not isinstance(source, types.Array) or getattr(function, "typing_key", None) != "array.astype":
            yield
            return
        if not isinstance(kind, types.Array) or not isinstance(kind.dtype, types.Integer):
            yield
            return
        with self._casts("convert", None, None, (source.dtype, kind.dtype)):
            yield

    @contextlib.contextmanager
    def _casts(self, name: str, source: Any, array: str | None, pair: tuple[Any, Any]) -> Iterator[None]:
        """Check the conversions between this pair of types within the `with` block. `source`: the variable with the
        elements, if it is known."""
        names = [self._base(source.name) if source is not None else None]
        context = self._lower.context
        original = context.cast

        def cast(builder: llvm_ir.IRBuilder, value: llvm_ir.Value, kind: Any, to: Any) -> llvm_ir.Value:
            if builder is self._lower.builder and (kind, to) == pair:
                made = Operation(name, names, [kind], [value], array, is_element=True)
                if made.is_of_numbers:
                    self._trap(checks.misfit(builder, value, kind, to), OVERFLOW, made, to)
            return original(builder, value, kind, to)

        with _replaced(context, "cast", cast):
            yield

    def _has_wide_index(self, inst: Any) -> bool:
        """Return whether the index of an item has an unsigned part, which Numba converts, too."""
        index = self._lower.fndesc.calltypes[inst].args[1]
        return any(
            isinstance(each, types.Integer) and not each.signed for each in (index, *getattr(index, "types", ()))
        )

    # -- array expressions (numba/np/ufunc/array_exprs.py, _lower_array_expr, 0.57-0.68)

    @contextlib.contextmanager
    def _of_elements(self, value: Any) -> Iterator[None]:
        """Check each element of an array expression within the `with` block, which lowers it. Numba calls a function
        that it has made of the expression, whose arguments are the elements of its operands."""
        if not isinstance(value, ir.Expr) or value.op != "arrayexpr":
            yield
            return
        context = self._lower.context
        original = context.call_internal

        def call(builder: llvm_ir.IRBuilder, fndesc: Any, signature: Any, values: Any) -> Any:
            result = original(builder, fndesc, signature, values)
            if fndesc.qualname.startswith(levels.ARRAY_EXPRESSION) and builder is self._lower.builder:
                self._element(value, signature, list(values), result)
            return result

        with _replaced(context, "call_internal", call), _replaced(context, wrapping.ELEMENTS, True):
            yield

    def _element(self, value: Any, signature: Any, values: list[llvm_ir.Value], result: llvm_ir.Value) -> None:
        operands = sorted(set(value.list_vars()), key=lambda each: each.name)
        kinds, to = [types.unliteral(each) for each in signature.args], signature.return_type
        if len(kinds) != len(operands):
            return
        if self.kinds & OVERFLOW:
            leaves = {each.name: (kind, item) for each, kind, item in zip(operands, kinds, values)}
            self._check_terms(value.expr, leaves, to)
        function, inner = value.expr
        operation = "elements"
        if all(isinstance(each, ir.Var) for each in inner) and len(inner) <= 2:
            order = [operands.index(each) for each in inner]
            operands, values, kinds = ([each[at] for at in order] for each in (operands, values, kinds))
            operation = SIGNS.get(function) or function.__name__
        made = Operation(operation, [self._base(each.name) for each in operands], kinds, values, is_element=True)
        if self.kinds & NAN and checks.is_float(to) and made.is_of_numbers and len(kinds) <= _OPERANDS:
            self._check_nan(made, result, to)

    def _check_terms(self, term: Any, leaves: dict[str, tuple[Any, llvm_ir.Value]], to: Any = None) -> _Term | None:
        """Check the operations on integers in an array expression, the inner ones first. Return the term's type and
        value; None: it is not computed here, because it is no integer. `leaves`: the elements by the names of their
        variables; `to`: the type of what is stored."""
        if isinstance(term, ir.Var):
            return _Term(self._base(term.name), *leaves[term.name])
        if isinstance(term, ir.Const):
            fits = type(term.value) is int and -1 << 63 <= term.value < 1 << 63
            return _Term(None, types.literal(term.value), checks.INT64(term.value)) if fits else None
        function, inner = term
        terms = [self._check_terms(each, leaves) for each in inner]
        operands = [each for each in terms if each is not None and checks.is_integer(types.unliteral(each.kind))]
        name = SIGNS.get(function)
        if len(operands) != len(terms) or name not in _EXACT_TERMS:
            return None
        names, kinds, values = (list(each) for each in zip(*operands))
        made = Operation(name, names, [types.unliteral(each) for each in kinds], values, is_element=True)
        context = self._lower.context
        signature = context.typing_context.resolve_function_type(function, kinds, {})
        kind = types.unliteral(signature.return_type)
        if not isinstance(kind, types.Integer):
            return None
        # Numba negates before it makes the integer longer, as in before()
        own = types.unliteral(signature.args[0]) if name == "neg" else kind
        self._check_overflow(made, _stored_as(own, to))
        builder = self._lower.builder
        whole = [context.cast(builder, value, each, own) for value, each in zip(made.values, made.kinds)]
        return _Term(None, kind, context.cast(builder, checks.computed(builder, name, whole), own, kind))

    @contextlib.contextmanager
    def _of_outputs(self, kind: Any, value: Any) -> Iterator[None]:
        """Check each element that a universal function puts in an array of the program, by its argument `out` or by an
        operator such as `+=`. Numba computes them with the function of the loop that NumPy's rules choose, whose
        operands have the loop's types (numba/np/npyimpl.py, _ufunc_db_function, 0.57-0.68)."""
        operands = self._written_to(value) if isinstance(kind, types.Array) else None
        if operands is None:
            yield
            return
        names = [self._base(each.name) for each in operands]
        context = self._lower.context
        original = context.get_ufunc_info

        def computed(function: Any, compute: Any) -> Any:
            def run(own: Any, builder: llvm_ir.IRBuilder, signature: Any, values: Any) -> Any:
                if builder is self._lower.builder:
                    self._before_output(SIGNS.get(function), names, signature, list(values), kind.dtype)
                result = compute(own, builder, signature, values)
                if builder is self._lower.builder:
                    self._after_output(SIGNS.get(function), names, signature, list(values), result)
                return result

            return run

        def loops(function: Any) -> dict[Any, Any]:
            return {form: computed(function, compute) for form, compute in original(function).items()}

        with _replaced(context, "get_ufunc_info", loops):
            yield

    def _written_to(self, value: Any) -> list[Any] | None:
        """Return the operands of a universal function that puts its results in an array of the program; None: the
        value is something else."""
        if isinstance(value, ir.Expr) and value.op == "inplace_binop":
            return [value.lhs, value.rhs]
        if not isinstance(value, ir.Expr) or value.op != "call" or value.kws or value.vararg:
            return None
        kind = self._lower.typeof(value.func.name)
        function = getattr(kind, "typing_key", None) if isinstance(kind, types.Function) else None
        if not isinstance(function, np.ufunc) or len(value.args) != function.nin + 1:
            return None
        return list(value.args)[: function.nin]

    def _before_output(self, name: str | None, names: list[Any], signature: Any, values: list[Any], to: Any) -> None:
        made = Operation(name or "", names[: len(values)], list(signature.args), values, is_element=True)
        kind = signature.return_type
        if self.kinds & OVERFLOW and name in _EXACT_TERMS and made.is_of_integers and isinstance(kind, types.Integer):
            self._check_overflow(made, _stored_as(kind, to))

    def _after_output(self, name: str | None, names: list[Any], signature: Any, values: list[Any], result: Any) -> None:
        made = Operation(name or "elements", names[: len(values)], list(signature.args), values, is_element=True)
        if self.kinds & NAN and checks.is_float(signature.return_type) and made.is_of_numbers:
            self._check_nan(made, result, signature.return_type)
