"""The parts of an array, as a front end unfolds it: an axis at a time, in ranges of at most 1000, and its statistics.
The work and the memory are those of the parts that are unfolded, and not of the whole array."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import gdb
from jitscope_shared import array_ranges
from jitscope_shared.base import contract, native

from ..base import console, progress
from ..frames import frames
from ..target import target
from .printed_values import TextPrinter, Unfolding, ValuePrinter, printed

_NAME = b"array"  # in expressions about the array


class Array(NamedTuple):
    debuggee: target.Target
    name: bytes  # the type's text
    contents: bytes
    view: Any  # a contract.ArrayView
    element: Any  # GDB's type of an element; None: it is not known

    @property
    def shape(self) -> list[int]:
        return list(self.view.shape[: self.view.ndim])

    def element_at(self, index: tuple[int, ...]) -> Any:
        """Return the element as GDB's own value, which can be written and unfolded, or else as its text."""
        if self.element is None:
            return self.part(index)
        offset = sum(i * stride for i, stride in zip(index, self.view.strides))
        address = gdb.Value((self.view.data + offset) % (1 << 64))
        return self.shown_record(address.cast(self.element.pointer()).dereference(), array_ranges.subscript(index))

    def shown_record(self, value: Any, part: str) -> Any:
        """Return the value, with a printer where GDB would show less: it has no text for a structure in DAP, and one
        axis for a field that is an array. `part`: the subscripts that lead to the value."""
        kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_STRUCT:
            needs = console.interpreter() == "dap" or _has_arrays(kind)
            return printed(_Record(self, value, part), "record", value) if needs else value
        if kind.code != gdb.TYPE_CODE_ARRAY or value.address is None:
            return value
        text = self.evaluated(f"{part}.shape")["text"]
        shape = tuple(map(int, re.findall(r"\d+", text))) if text.startswith("(") else ()  # else it is a label
        found = self.evaluated(part)["type"]
        return printed(Rows(_Field(self, value, part, shape), array_ranges.whole(shape)), found) if shape else value

    def part(self, index: tuple[int, ...]) -> Any:
        found = self.evaluated(array_ranges.subscript(index))
        return printed(TextPrinter(found["text"]), found["type"])

    def evaluated(self, part: str) -> dict[str, str]:
        """Return the text and the type of what these subscripts lead to."""
        text = _NAME.decode() + part
        options = frames.render_options()
        given = text.encode(), ctypes.byref(options), native.ProgressFn(), None
        found = native.json_of("js_api_evaluate", *self._variable(), *given)
        shown = found.get("error") and f"<unknown: {found['error']}>"
        return {"text": console.plain(shown or found["text"]), "type": str(found.get("type") or "")}

    def statistics(self, part: str = "") -> dict[str, Any] | None:
        """Return the statistics of docs/schema/array.json, of the part that a subscript gives; None: the elements are
        no numbers. Ctrl-C ends the work, and work that takes longer than a second shows its progress."""
        request, options = contract.ArrayRequest(), frames.render_options()
        with progress.Progress() as shown:
            given = _NAME + part.encode(), ctypes.byref(request), ctypes.byref(options), shown.callback, None
            found = native.json_of("js_api_array", *self._variable(), *given)
        return found.get("statistics")  # type: ignore[no-any-return]

    def _variable(self) -> tuple[Any, ...]:
        """Return the first arguments of the C library's functions that evaluate: the array is their one variable."""
        variable = contract.ApiVariable(_NAME, self.name, self.contents, len(self.contents))
        return self.debuggee.types, self.debuggee.memory, ctypes.byref(variable), 1


class _Field(NamedTuple):
    """A record's field that is an array. To GDB it is an array of one axis, whatever `shape` it has."""

    array: Array
    value: Any
    part: str  # the subscripts that lead to it
    shape: tuple[int, ...]

    def element_at(self, indices: tuple[int, ...]) -> Any:
        number = 0
        for index, length in zip(indices, self.shape):
            number = number * length + index
        low, _ = self.value.type.strip_typedefs().range()
        return self.array.shown_record(self.value[low + number], self.part + array_ranges.subscript(indices))

    def evaluated(self, part: str) -> dict[str, str]:
        return self.array.evaluated(self.part + part)


def _has_arrays(kind: Any) -> bool:
    """True if a field of the structure, or of one in it, is an array."""
    fields = [field.type.strip_typedefs() for field in kind.fields()]
    return any(
        field.code == gdb.TYPE_CODE_ARRAY or field.code == gdb.TYPE_CODE_STRUCT and _has_arrays(field)
        for field in fields
    )


class Parts(Unfolding, ValuePrinter):  # type: ignore[misc]
    """A printer whose children are given by their number. MI before GDB 14 goes through all of them."""

    hint = "array"

    def to_string(self) -> str:
        self.shown = True
        return self.text()

    def text(self) -> str:
        raise NotImplementedError

    def num_children(self) -> int:
        raise NotImplementedError

    def child(self, number: int) -> tuple[str, Any]:
        raise NotImplementedError

    def elements(self) -> Iterator[tuple[str, Any]]:
        for number in range(self.num_children()):
            yield self.child(number)


class Rows(Parts):
    """Elements or rows of an axis."""

    def __init__(self, array: Array | _Field, rows: array_ranges.Rows):
        self._array, self._rows = array, rows

    def text(self) -> str:
        if self._rows.is_whole:
            indices = self._rows.indices
            return self._array.evaluated(array_ranges.subscript(indices) if indices else "")["text"]
        return self._rows.text()

    def num_children(self) -> int:
        return self._rows.num_children()

    def child(self, number: int) -> tuple[str, Any]:
        name, found = self._rows.child(number)
        if not isinstance(found, array_ranges.Rows):
            return name, self._array.element_at(found)
        return name, printed(Rows(self._array, found), "range" if self._rows.step > 1 else "array")


class _Record(Parts):
    """An element that is a record. The fields are GDB's own values, which can be written."""

    hint = None

    def __init__(self, array: Array, value: Any, part: str):
        self._array, self._value, self._part = array, value, part
        self._fields = [field for field in value.type.strip_typedefs().fields() if field.name]

    def text(self) -> str:
        return self._array.evaluated(self._part)["text"]

    def num_children(self) -> int:
        return len(self._fields)

    def child(self, number: int) -> tuple[str, Any]:
        field = self._fields[number]
        part = f"{self._part}[{field.name!r}]"
        return field.name, self._array.shown_record(self._value[field], part)


class Whole(Parts):
    """All parts of an array: its rows, and the statistics of numbers after them."""

    def __init__(self, array: Array):
        self._rows = Rows(array, array_ranges.whole(tuple(array.shape)))
        self._statistics = Statistics(array) if array.statistics("[:0]") is not None else None

    def num_children(self) -> int:
        return self._rows.num_children() + (self._statistics is not None)

    def child(self, number: int) -> tuple[str, Any]:
        if number < self._rows.num_children() or self._statistics is None:
            return self._rows.child(number)
        return "statistics", printed(self._statistics, "statistics")


class Scalar(Parts):
    """The element of an array without axes."""

    def __init__(self, array: Array):
        self._array = array

    def num_children(self) -> int:
        return 1

    def child(self, number: int) -> tuple[str, Any]:
        return "[()]", self._array.element_at(())


class Statistics(Parts):
    """The statistics of an array. Those of a large one are computed when they are unfolded."""

    hint = None

    def __init__(self, array: Array):
        self._array = array
        self._found: dict[str, Any] | None = None

    def text(self) -> str:
        if self._found is None and self._array.view.nitems > array_ranges.SMALL:
            return array_ranges.LATER
        return array_ranges.statistics_text(self._figures())

    def num_children(self) -> int:
        return len(array_ranges.STATISTICS)

    def child(self, number: int) -> tuple[str, Any]:
        name, shown = list(array_ranges.STATISTICS.items())[number]
        return shown, printed(_Figure(self, name), "number")

    def figure(self, name: str) -> str:
        return array_ranges.figure(self._figures(), name)

    def _figures(self) -> dict[str, Any]:
        if self._found is None:
            self._found = self._array.statistics() or {}
        return self._found


class _Figure:
    """A printer of one of the statistics, which is computed when it is shown."""

    def __init__(self, statistics: Statistics, name: str):
        self._statistics, self._name = statistics, name

    def to_string(self) -> str:
        return self._statistics.figure(self._name)


class Nothing(Parts):
    """The parts of an array that is not known."""

    def num_children(self) -> int:
        return 0


def of_array(array: Array) -> Parts:
    return Whole(array) if array.view.ndim else Scalar(array)
