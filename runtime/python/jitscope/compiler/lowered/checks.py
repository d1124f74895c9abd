"""Conditions in LLVM's code: an exact result does not fit in an integer type, or a result is a NaN that is made of
numbers. They only read, so that the program computes what it computes without them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types

INT64 = ir.IntType(64)
# It holds sums and differences of numbers of 64 bits, and their products where a factor has a sign.
_WIDE = ir.IntType(128)
_POWER = "jitscope.power_fits"


def is_integer(kind: Any) -> bool:
    return isinstance(kind, (types.Integer, types.Boolean))


def is_float(kind: Any) -> bool:
    return isinstance(kind, types.Float) and kind.bitwidth in (32, 64)


def is_signed(kind: Any) -> bool:
    return isinstance(kind, types.Integer) and bool(kind.signed)


def extended(builder: ir.IRBuilder, value: ir.Value, kind: Any, to: ir.Type) -> ir.Value:
    """Return a value of a Python type, which is an integer or a bool, as a wider integer."""
    if value.type.width == to.width:
        return value
    return (builder.sext if is_signed(kind) else builder.zext)(value, to)


def bits(builder: ir.IRBuilder, value: ir.Value, kind: Any) -> ir.Value:
    """Return a number as 64 bits: an integer by its sign, or a float's bits as a float64."""
    if is_integer(kind):
        return extended(builder, value, kind, INT64)
    wide = value if isinstance(value.type, ir.DoubleType) else builder.fpext(value, ir.DoubleType())
    return builder.bitcast(wide, INT64)


def limits(kind: Any) -> tuple[int, int]:
    """Return the least and the greatest value of an integer type."""
    width = kind.bitwidth
    return (-(1 << width - 1), (1 << width - 1) - 1) if kind.signed else (0, (1 << width) - 1)


def _outside(builder: ir.IRBuilder, value: ir.Value, kind: Any) -> ir.Value:
    """Return whether an integer of _WIDE is outside of the type."""
    least, greatest = (_WIDE(limit) for limit in limits(kind))
    return builder.or_(builder.icmp_signed("<", value, least), builder.icmp_signed(">", value, greatest))


def misfit(builder: ir.IRBuilder, value: ir.Value, kind: Any, to: Any) -> ir.Value | None:
    """Return whether a number does not fit in the integer type `to`, to which it is converted; None: it always fits. A
    float loses its fraction, which is no misfit."""
    if is_integer(kind):
        own = limits(kind) if isinstance(kind, types.Integer) else (0, 1)
        least, greatest = limits(to)
        if least <= own[0] and own[1] <= greatest:
            return None
        return _outside(builder, extended(builder, value, kind, _WIDE), to)
    if not is_float(kind):
        return None
    wide = value if isinstance(value.type, ir.DoubleType) else builder.fpext(value, ir.DoubleType())
    least, greatest = limits(to)
    # `least - 1` is no float64 where the type has 64 bits: floats there are whole, and the next one is below it
    low = ("<=", float(least - 1)) if abs(least) < 1 << 53 else ("<", float(least))
    below = builder.fcmp_unordered(low[0], wide, wide.type(low[1]))
    return builder.or_(below, builder.fcmp_unordered(">=", wide, wide.type(float(greatest + 1))))


def overflows(
    builder: ir.IRBuilder, operation: str, values: list[ir.Value], kinds: list[Any], to: Any
) -> ir.Value | None:
    """Return whether the exact result of the operation on integers is outside of the type `to`; None: it is not
    checked, or cannot be."""
    if operation == "**":
        return _power(builder, values, kinds, to)
    if operation == "<<":
        return _shift(builder, values, kinds, to)
    if operation == "*" and not any(map(is_signed, kinds)):
        whole = builder.umul_with_overflow(*(extended(builder, v, k, INT64) for v, k in zip(values, kinds)))
        product = builder.zext(builder.extract_value(whole, 0), _WIDE)
        return builder.or_(builder.extract_value(whole, 1), _outside(builder, product, to))
    if operation in ("+", "-", "*") and all(kind == to for kind in kinds) and to.bitwidth == 64:
        sign = "s" if to.signed else "u"
        name = {"+": "add", "-": "sub", "*": "mul"}[operation]
        return builder.extract_value(getattr(builder, f"{sign}{name}_with_overflow")(*values), 1)
    wide = [extended(builder, value, kind, _WIDE) for value, kind in zip(values, kinds)]
    if operation == "neg":
        return _outside(builder, builder.neg(wide[0]), to)
    if operation == "abs":
        negative = builder.icmp_signed("<", wide[0], _WIDE(0))
        return _outside(builder, builder.select(negative, builder.neg(wide[0]), wide[0]), to)
    if operation == "//":
        is_minus_one = builder.icmp_signed("==", wide[1], _WIDE(-1))
        return builder.and_(is_minus_one, _outside(builder, builder.neg(wide[0]), to))
    made = {"+": builder.add, "-": builder.sub, "*": builder.mul}.get(operation)
    return _outside(builder, made(*wide), to) if made is not None else None


def computed(builder: ir.IRBuilder, operation: str, values: list[ir.Value]) -> ir.Value:
    """Return the result of "+", "-", "*" or "neg" on integers of one type, which wraps."""
    if operation == "neg":
        return builder.neg(values[0])
    return {"+": builder.add, "-": builder.sub, "*": builder.mul}[operation](*values)


def _shift(builder: ir.IRBuilder, values: list[ir.Value], kinds: list[Any], to: Any) -> ir.Value:
    value = extended(builder, values[0], kinds[0], _WIDE)
    count = extended(builder, values[1], kinds[1], _WIDE)
    is_far = builder.icmp_signed(">=", count, _WIDE(64))
    is_near = builder.icmp_unsigned("<", count, _WIDE(64))
    shifted = builder.shl(value, builder.select(is_near, count, _WIDE(0)))
    lost = builder.and_(is_near, _outside(builder, shifted, to))
    return builder.or_(lost, builder.and_(is_far, builder.icmp_signed("!=", value, _WIDE(0))))


def _power(builder: ir.IRBuilder, values: list[ir.Value], kinds: list[Any], to: Any) -> ir.Value | None:
    if to.bitwidth != 64 or is_signed(kinds[0]) and not to.signed:
        return None
    function = _power_function(builder.module, to.signed)
    base, exponent = (extended(builder, value, kind, INT64) for value, kind in zip(values, kinds))
    if not is_signed(kinds[1]):  # more than 64 is as good as any greater exponent of the same parity
        is_great = builder.icmp_unsigned(">", exponent, INT64(1 << 32))
        exponent = builder.select(is_great, builder.or_(builder.and_(exponent, INT64(1)), INT64(64)), exponent)
    fits = builder.call(function, [base, exponent])
    if to.signed and not is_signed(kinds[0]):  # a factor that does not fit itself
        is_great = builder.and_(builder.icmp_signed("<", base, INT64(0)), builder.icmp_signed(">", exponent, INT64(0)))
        return builder.or_(is_great, builder.not_(fits))
    return builder.not_(fits)


def _power_function(module: ir.Module, is_signed: bool) -> ir.Function:
    """Return a function of the module that says whether the power of two integers of 64 bits fits in 64 bits. A
    negative exponent has no integer as its result, and nothing that would not fit."""
    name = _POWER + ("" if is_signed else ".unsigned")
    if (found := module.globals.get(name)) is not None:
        return found
    function = ir.Function(module, ir.FunctionType(ir.IntType(1), [INT64, INT64]), name)
    function.linkage = "internal"
    entry, loop, odd, rest, square, good, bad = (
        function.append_basic_block(each) for each in ("entry", "loop", "odd", "rest", "square", "good", "bad")
    )
    ir.IRBuilder(entry).branch(loop)
    builder = ir.IRBuilder(loop)
    result, base, exponent = (builder.phi(INT64) for _ in range(3))
    for phi, value in zip((result, base, exponent), (INT64(1), *function.args)):
        phi.add_incoming(value, entry)
    goes_on = builder.icmp_signed(">", exponent, INT64(0))
    step = function.append_basic_block("step")
    builder.cbranch(goes_on, step, good)
    builder.position_at_end(step)
    builder.cbranch(builder.trunc(exponent, ir.IntType(1)), odd, rest)
    multiply = "smul_with_overflow" if is_signed else "umul_with_overflow"
    builder.position_at_end(odd)
    made = getattr(builder, multiply)(result, base)
    product = builder.extract_value(made, 0)
    builder.cbranch(builder.extract_value(made, 1), bad, rest)
    builder.position_at_end(rest)
    now = builder.phi(INT64)
    now.add_incoming(result, step)
    now.add_incoming(product, odd)
    half = builder.lshr(exponent, INT64(1))
    builder.cbranch(builder.icmp_signed("==", half, INT64(0)), good, square)
    builder.position_at_end(square)
    made = getattr(builder, multiply)(base, base)
    for phi, value in zip((result, base, exponent), (now, builder.extract_value(made, 0), half)):
        phi.add_incoming(value, square)
    builder.cbranch(builder.extract_value(made, 1), bad, loop)
    for block, value in ((good, 1), (bad, 0)):
        ir.IRBuilder(block).ret(ir.IntType(1)(value))
    return function


def is_made_nan(builder: ir.IRBuilder, result: ir.Value, values: list[ir.Value], kinds: list[Any]) -> ir.Value:
    """Return whether the result is a NaN, and none of the operands is one."""
    found = builder.fcmp_unordered("uno", result, result)
    for value, kind in zip(values, kinds):
        if is_float(kind):
            found = builder.and_(found, builder.fcmp_ordered("ord", value, value))
    return found
