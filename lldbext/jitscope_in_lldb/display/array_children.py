"""The parts of an array as LLDB's children: an axis at a time, in ranges of at most 1000, and its statistics."""

from __future__ import annotations

import ctypes
from typing import Any, Union

import lldb
from jitscope_shared import array_ranges
from jitscope_shared.base import contract, native
from jitscope_shared.base.escaping import plain

from .. import debuggee as debuggees
from .. import variables

_NAME = b"array"  # in expressions about the array
_STATISTICS = "statistics"

Part = Union[array_ranges.Rows, str]  # or _STATISTICS


def part_of(debuggee: debuggees.Debuggee, value: Any) -> Part | None:
    """Return the part of an array that a value stands for; None: the value is a variable. LLDB makes children of ranges
    again and again, but with the number of the value that was made here."""
    return _parts(debuggee).get(int(value.GetNonSyntheticValue().GetID()))


def _parts(debuggee: debuggees.Debuggee) -> dict[int, Part]:
    return debuggee.keep(debuggees.PROCESS, "parts of arrays", dict)  # type: ignore[no-any-return]


class Array:
    """The children of an array, or of one of its parts."""

    def __init__(self, debuggee: debuggees.Debuggee, value: Any, contents: bytes):
        self._debuggee, self._value, self._contents = debuggee, value, contents
        self._type = value.GetType().GetName().encode()
        self._view = _view_of(debuggee, self._type, contents)
        self._element = self._element_type()
        self._shape = tuple(self._view.shape[: self._view.ndim])
        self._part = part_of(debuggee, value)
        self._rows = self._part
        if self._part is None and self._shape:
            self._rows = array_ranges.whole(self._shape)
        self._has_statistics = self._part is None and bool(self._shape) and self._statistics("[:0]") is not None

    def num_children(self) -> int:
        if isinstance(self._rows, array_ranges.Rows):
            return self._rows.num_children() + self._has_statistics
        return 1 if self._rows is None else len(array_ranges.STATISTICS)

    def index_of(self, name: str) -> int:
        """Return the number of the child of this name; -1: there is none."""
        if name == _STATISTICS and self._has_statistics:
            return self.num_children() - 1
        rows = self._rows
        if not isinstance(rows, array_ranges.Rows):
            return -1
        first = name[1:-1].partition("..")[0]
        number = (int(first) - rows.low) // rows.step if first.isdigit() else -1
        return number if 0 <= number < rows.num_children() and rows.child(number)[0] == name else -1

    def child(self, number: int) -> Any:
        if self._rows is None:
            return self._element_at("[()]", ())
        if isinstance(self._rows, str):
            name, shown = list(array_ranges.STATISTICS.items())[number]
            return text_value(self._value, shown, array_ranges.figure(self._statistics("") or {}, name))
        if number == self._rows.num_children():
            return self._made(_STATISTICS, _STATISTICS)
        name, found = self._rows.child(number)
        return self._made(name, found) if isinstance(found, array_ranges.Rows) else self._element_at(name, found)

    def _made(self, name: str, part: Part) -> Any:
        """Return a value of the array's type that stands for a part of it."""
        data, error = lldb.SBData(), lldb.SBError()
        data.SetData(error, self._contents, lldb.eByteOrderLittle, 8)
        made = self._value.CreateValueFromData(name, data, self._value.GetType())
        _parts(self._debuggee)[int(made.GetNonSyntheticValue().GetID())] = part
        return made

    def type_name(self) -> str:
        """Return the text that takes the place of a part's type, which is a whole array's; "" for a variable."""
        if isinstance(self._part, array_ranges.Rows):
            return "array" if self._part.is_whole else "range"
        return self._part or ""

    def text(self) -> str:
        """Return the text of a part."""
        if isinstance(self._part, str):
            if self._view.nitems > array_ranges.SMALL:
                return array_ranges.LATER
            return array_ranges.statistics_text(self._statistics("") or {})
        assert self._part is not None
        if self._part.is_whole:
            return self._evaluated(array_ranges.subscript(self._part.indices) if self._part.indices else "")
        return self._part.text()

    def _element_at(self, name: str, indices: tuple[int, ...]) -> Any:
        if self._element is None:
            return text_value(self._value, name, self._evaluated(array_ranges.subscript(indices)))
        offset = sum(index * stride for index, stride in zip(indices, self._view.strides))
        address = lldb.SBAddress((self._view.data + offset) % (1 << 64), self._value.GetTarget())
        return self._value.GetTarget().CreateValueFromAddress(name, address, self._element)

    def _element_type(self) -> Any:
        """Return LLDB's type of an element, from the member that is a pointer to the data; None: it is not known."""
        for index in range(self._value.GetNumChildren()):
            member = self._value.GetChildAtIndex(index)
            kind = member.GetType()
            if kind.IsPointerType() and member.GetValueAsUnsigned() == self._view.data:
                pointed = kind.GetPointeeType()
                is_whole = int(pointed.GetByteSize()) == self._view.itemsize
                if is_whole and pointed.GetBasicType() != lldb.eBasicTypeVoid:
                    return pointed
        return None

    def _evaluated(self, part: str) -> str:
        """Return the text of what these subscripts lead to."""
        options = variables.render_options()
        given = _NAME + part.encode(), ctypes.byref(options), native.ProgressFn(variables.advance), None
        found = native.json_of("js_api_evaluate", *self._variable(), *given)
        return plain(f"<unknown: {found['error']}>" if found.get("error") else found["text"])

    def _statistics(self, part: str) -> dict[str, Any] | None:
        """Return the statistics of docs/schema/array.json, of the part that a subscript gives; None: the elements are
        no numbers."""

        def compute() -> dict[str, Any] | None:
            request, options = contract.ArrayRequest(), variables.render_options()
            callback = native.ProgressFn(variables.advance)
            given = _NAME + part.encode(), ctypes.byref(request), ctypes.byref(options), callback, None
            return native.json_of("js_api_array", *self._variable(), *given).get("statistics")  # type: ignore[no-any-return]

        return self._debuggee.keep(debuggees.STOP, ("statistics", self._type, self._contents, part), compute)  # type: ignore[no-any-return]

    def _variable(self) -> tuple[Any, ...]:
        """Return the first arguments of the C library's functions that evaluate: the array is their one variable."""
        variable = contract.ApiVariable(_NAME, self._type, self._contents, len(self._contents))
        return self._debuggee.types, self._debuggee.memory, ctypes.byref(variable), 1


def text_value(value: Any, name: str, text: str) -> Any:
    """Return a child of the value that LLDB shows as this text: a string of C."""
    encoded, data, error = text.encode() + b"\0", lldb.SBData(), lldb.SBError()
    data.SetData(error, encoded, lldb.eByteOrderLittle, 8)
    byte = value.GetTarget().GetBasicType(lldb.eBasicTypeChar)
    return value.CreateValueFromData(name, data, byte.GetArrayType(len(encoded)))


def _view_of(debuggee: debuggees.Debuggee, name: bytes, contents: bytes) -> contract.ArrayView:
    view, reason = contract.ArrayView(), ctypes.c_void_p()
    status = native.library.js_api_array_view(
        debuggee.types, name, None, contents, len(contents), ctypes.byref(view), ctypes.byref(reason)
    )
    native.library.js_free(reason)
    native.check(status, "js_api_array_view")
    return view
