"""How a copy of a function's area is read: the variables in it, as plain data that Numba's cache keeps with the code.
Values are read whose bytes are all in the area: numbers, and tuples of them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Union

from llvmlite import ir
from numba.core import types

from jitscope.compiler.base.emit import leaves
from jitscope.compiler.slots.area import ASSIGNED, UNASSIGNED
from jitscope.compiler.slots.variables import Variable

# a code of the module struct and an offset, "complex" with the parts, "tuple" with the elements, or "none"
Form = tuple[str, Union[int, tuple["Form", ...]]]
_CODES = {"i": {8: "b", 16: "h", 32: "i", 64: "q"}, "u": {8: "B", 16: "H", 32: "I", 64: "Q"}, "f": {32: "f", 64: "d"}}
UNASSIGNED_TEXT, UNKNOWN_TEXT = "unassigned", "unknown"
ELSEWHERE = "not kept: it refers to memory that may have changed since"


class Kept(NamedTuple):
    """A variable. `word`: the offset of its state, None if it is always assigned. `tag`: the offset of the number of
    its current type, None if there is one. `forms`: of a value of each type, None if it is not all in the area."""

    name: str
    word: int | None
    tag: int | None
    forms: tuple[Form | None, ...]


def of(variables: Iterable[Variable], value_type: Any) -> tuple[Kept, ...]:
    """Return how the variables are read. `value_type`: returns LLVM's type for one of Numba's."""
    return tuple(
        Kept(
            each.name,
            each.word,
            each.tag,
            tuple(_form_at(kind, slot, value_type(kind)) for kind, slot in zip(each.kinds, each.slots)),
        )
        for each in variables
    )


def _form_at(kind: Any, slot: int, layout: ir.Type) -> Form | None:
    return _form(kind, iter([slot + place for _, place, _ in leaves(layout)]))


def _form(kind: Any, places: Iterator[int]) -> Form | None:
    if isinstance(kind, types.Boolean):
        return "?", next(places)
    if isinstance(kind, types.Integer):
        return _number(_CODES["i" if kind.signed else "u"], kind.bitwidth, places)
    if isinstance(kind, types.Float):
        return _number(_CODES["f"], kind.bitwidth, places)
    if isinstance(kind, types.Complex):
        parts = [_number(_CODES["f"], kind.bitwidth // 2, places) for _ in range(2)]
        return _together("complex", parts)
    if isinstance(kind, types.NoneType):
        return "none", next(places)
    if isinstance(kind, (types.Tuple, types.UniTuple)):
        return _together("tuple", [_form(each, places) for each in kind.types])
    return None


def _number(codes: dict[int, str], bits: int, places: Iterator[int]) -> Form | None:
    place = next(places)
    return (codes[bits], place) if bits in codes else None


def _together(name: str, parts: list[Form | None]) -> Form | None:
    known = tuple(each for each in parts if each is not None)
    return (name, known) if len(known) == len(parts) else None


def read(kept: Iterable[Kept], area: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values in a copy of the area, and the labels of variables that have none, by name."""
    values: dict[str, Any] = {}
    labels: dict[str, str] = {}
    for each in kept:
        state = ASSIGNED if each.word is None else _word(area, each.word)
        number = 0 if each.tag is None else _word(area, each.tag)
        form = each.forms[number] if 0 <= number < len(each.forms) else None
        if state != ASSIGNED:
            labels[each.name] = UNASSIGNED_TEXT if state == UNASSIGNED else UNKNOWN_TEXT
        elif form is None:
            labels[each.name] = ELSEWHERE
        else:
            values[each.name] = _value(form, area)
    return values, labels


def _word(area: bytes, offset: int) -> int:
    return int(struct.unpack_from("=q", area, offset)[0])


def _value(form: Form, area: bytes) -> Any:
    name, where = form
    if isinstance(where, int):
        return None if name == "none" else struct.unpack_from(f"={name}", area, where)[0]
    parts = [_value(each, area) for each in where]
    return complex(*parts) if name == "complex" else tuple(parts)
