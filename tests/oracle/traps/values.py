"""What one operation of a generated program computes, and the sentence at its trap, by Numba's typing and Python's
integers."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
}


class Undefined(Exception):
    """What the program computes from here on is not defined."""


@dataclass(frozen=True)
class Value:
    """A number; `name`: the variable's that has it, or "". `literal`: the source has it as it is."""

    kind: str
    number: Any
    name: str = ""
    literal: bool = False

    @property
    def text(self) -> str:
        number = self.number
        if isinstance(number, np.floating):
            return repr(float(str(number))) if self.kind == "float32" else repr(float(number))
        return repr(number)

    @property
    def is_nan(self) -> bool:
        return isinstance(self.number, np.floating) and bool(np.isnan(self.number))


def limits(kind: str) -> tuple[int, int]:
    found = np.iinfo(kind)
    return int(found.min), int(found.max)


def wrapped(number: int, kind: str) -> int:
    least, greatest = limits(kind)
    return (number - least) % (greatest - least + 1) + least


def number(kind: str, given: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.dtype(kind).type(given) if kind in FLOATS else int(given)


@functools.cache
def result_kind(operation: str, *kinds: Any) -> str | None:
    """Return the type of the result by Numba's typing; None: it is no number, or there is none. `kinds`: names of
    types, or integers for literals."""
    from numba import types
    from numba.core.errors import TypingError
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    given = tuple(types.literal(kind) if isinstance(kind, int) else getattr(types, kind) for kind in kinds)
    functions: dict[str, Any] = {"neg": operator.neg, "abs": abs, "sqrt": math.sqrt, "divmod": divmod}
    function = functions.get(operation) or OPERATORS[operation]
    try:
        found = cpu_target.typing_context.resolve_function_type(function, given, {})
    except TypingError:
        return None
    made = found.return_type if found else None
    name = str(made[0] if isinstance(made, types.BaseTuple) else made)
    return name if name in INTEGERS + FLOATS else None


@functools.cache
def _compiled(operation: str) -> Callable[..., Any]:
    """Return a function of Numba's that computes the operation, by NumPy's rules for division by zero."""
    import numba

    names = {"neg": "-x", "abs": "abs(x)", "sqrt": "math.sqrt(x)"}
    one = operation in names
    body = names.get(operation, f"x {operation} y")
    space: dict[str, Any] = {"math": math}
    exec(f"def f({'x' if one else 'x, y'}):\n    return {body}\n", space)
    return numba.njit(error_model="numpy")(space["f"])  # type: ignore[no-any-return]


Said = tuple[str, str]  # the kind ("int64 overflow" or "NaN made"), and what follows the place in the sentence


def compute(operation: str, operands: list[Value]) -> tuple[Value, list[Said]]:
    """Return the operation's result, and its traps."""
    kind = result_kind(operation, *(each.number if each.literal else each.kind for each in operands))
    assert kind is not None
    operation = "//" if operation == "divmod" else operation
    if kind in FLOATS:
        given = [np.dtype(each.kind).type(each.number) for each in operands]
        made = Value(kind, np.dtype(kind).type(_compiled(operation)(*given)))
        is_made = made.is_nan and not any(each.is_nan for each in operands)
        return made, [("NaN made", _terms(operation, operands))] if is_made else []
    if operation in ("//", "%", "&", "|"):  # on operands of the result's type
        converted = [convert(each, kind) for each in operands]
        said = [trap for _, traps in converted for trap in traps if operation in ("//", "%")]
        inner, more = compute_as(operation, [each for each, _ in converted], kind)
        return inner, said + more
    made, said = compute_as(operation, operands, operands[0].kind if operation == "neg" else kind)
    return Value(kind, made.number), said


def compute_as(operation: str, operands: list[Value], kind: str) -> tuple[Value, list[Said]]:
    """Return the result of an operation on integers in the type `kind`, and its traps: the exact result must fit."""
    if operation in ("//", "%") and not operands[1].number:
        raise Undefined
    exact = _exact(operation, [each.number for each in operands])
    least, greatest = limits(kind)
    if least <= exact <= greatest:
        return Value(kind, exact), []
    if operation == "//":
        raise Undefined  # a fault on x86-64
    made = Value(kind, wrapped(exact, kind))
    bits = operands[0].number.bit_length() * (operands[1].number if operation == "**" else 1)
    equals = f" = {exact}" if bits <= 512 else ""  # the sentence has no longer one
    return made, [
        (f"{kind} overflow", f"{_terms(operation, operands)}{equals} does not fit, and wraps to {made.number}")
    ]


def _exact(operation: str, numbers: list[int]) -> int:
    if operation in ("neg", "abs"):
        return -numbers[0] if operation == "neg" else abs(numbers[0])
    return int(OPERATORS[operation](*numbers))


def convert(given: Value, kind: str, array: str = "") -> tuple[Value, list[Said]]:
    """Like compute(), for a conversion to an integer type. `array`: the name of the array that it is stored in."""
    least, greatest = limits(kind)
    into = f"an element of {array}" if array else kind
    said = f"{given.name} = {given.text}" if given.name else given.text
    if isinstance(given.number, np.floating):
        if given.is_nan or np.isinf(given.number) or not least <= int(given.number) <= greatest:
            return Value(kind, None), [(f"{kind} overflow", f"{said} does not fit in {into}")]
        return Value(kind, int(given.number)), []
    if least <= given.number <= greatest:
        return Value(kind, given.number, given.name), []
    made = wrapped(given.number, kind)
    return Value(kind, made), [(f"{kind} overflow", f"{said} does not fit in {into}, and wraps to {made}")]


def _terms(operation: str, operands: list[Value]) -> str:
    both = [_term(operation, [each.name or each.text for each in operands])]
    both.append(_term(operation, [each.text for each in operands]))
    return " = ".join(dict.fromkeys(both))


def _term(operation: str, texts: list[str]) -> str:
    shown = [f"({text})" if text.startswith("-") else text for text in texts]
    if operation in ("abs", "sqrt"):
        return f"{operation}({texts[0]})"
    if operation == "neg":
        return f"-{texts[0]}" if texts[0].isidentifier() else f"-({texts[0]})"
    return f"{shown[0]} {operation} {shown[1]}"
