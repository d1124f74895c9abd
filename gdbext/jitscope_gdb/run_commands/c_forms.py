"""The C form of elements of arrays and attributes of instances, which GDB needs to assign and watch them."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import report
from ..frames import frames
from ..target import target

_ATTRIBUTE = re.compile(r"\s*([^\W\d]\w*)\.([^\W\d]\w*)\s*$")
_FIRST = re.compile(r"\s*([^\W\d]\w*)\.([^\W\d]\w*)(?!\w)")
_ITEM = re.compile(r"\s*([^\W\d]\w*)\[([^][]+)\]\s*$")


def expect_c(place: str) -> None:
    """Raise Problem with the form of C if a place in a compiled frame is written as in Python."""
    if form := form_of(place):
        raise report.Problem(f"GDB reads `{place.strip()}` as C here, where `{form}` is its form")


def form_of(place: str) -> str:
    """Return the form of C for a place in a compiled frame that is written as in Python; "" for another. Raise Problem
    where there is none."""
    match = _ATTRIBUTE.match(place) or _ITEM.match(place)
    if match is None:
        return ""
    try:
        frames.selected(target.current())
        value = gdb.parse_and_eval(match[1])
        fields = {field.name for field in value.type.strip_typedefs().fields()}
        form = _element(value, *match.groups()) if "strides" in fields else _attribute(value, *match.groups())
    except (gdb.error, gdb.MemoryError, report.Problem, TypeError, ValueError, KeyError):
        return ""  # GDB itself reports the error
    if not form and "data" in fields and _ITEM.match(place):
        raise report.Problem(f"`{place.strip()}` has no form in C: an item of this container can only be shown")
    return form


def has_other_meaning(place: str) -> bool:
    """True if C reads an attribute of the instance of a jitclass as a member of what refers to the instance: `data` and
    `meminfo`."""
    match = _FIRST.match(place)
    try:
        value = gdb.parse_and_eval(match[1]) if match is not None else None
        return value is not None and match is not None and match[2] in _attributes(value) & _names(value)
    except (gdb.error, gdb.MemoryError, TypeError, KeyError):
        return False


def _attributes(value: Any) -> set[str]:
    """Return the names of the attributes of a jitclass's instance."""
    return {field.name for field in value["data"].type.strip_typedefs().target().strip_typedefs().fields()}


def _attribute(value: Any, name: str, attribute: str) -> str:
    has = not attribute.isdigit() and attribute in _attributes(value)
    return f"{name}.data->{attribute}" if has and attribute not in _names(value) else ""


def _element(value: Any, name: str, subscript: str) -> str:
    indices = [int(gdb.parse_and_eval(each)) for each in subscript.split(",")]
    shape, strides = _integers(value["shape"]), _integers(value["strides"])
    item = int(value["itemsize"])
    if len(indices) != len(shape) or any(stride % item for stride in strides):
        return ""
    indices = [index + size if index < 0 else index for index, size in zip(indices, shape)]
    if any(not 0 <= index < size for index, size in zip(indices, shape)):
        raise report.Problem("out of bounds")
    return f"{name}.data[{sum(index * stride // item for index, stride in zip(indices, strides))}]"


def _integers(value: Any) -> list[int]:
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return [int(value[index]) for index in range(kind.range()[0], kind.range()[1] + 1)]
    return [int(value[field]) for field in kind.fields()]


def _names(value: Any) -> set[str]:
    return {field.name for field in value.type.strip_typedefs().fields()}
