"""Values of compiled functions as a Python programmer writes them, in all of GDB's commands, MI and DAP."""

from __future__ import annotations

import ctypes
import json
import struct
from typing import Any, Iterator

import gdb
import gdb.printing
from jitscope_shared.base import contract, native, private_files

from ..base import console
from ..frames import frames
from ..target import target
from . import array_parts, frame_line
from .printed_values import Unfolding, ValuePrinter, printer_of

# Kinds of js_api_type_json that GDB itself shows well.
_PLAIN = {"int", "opaque", "struct", "pointer", "record"}
# Kinds with parts that are not members of the variable, so the library finds the parts.
_PARTS = {"list", "set", "dict", "object", "iterator"}
_OPTIMIZED_OUT = "<optimized out>"


def register() -> None:
    """Register the one printer, which `info pretty-printer` lists and `disable pretty-printer` switches off."""
    gdb.printing.register_pretty_printer(None, _Lookup("jitscope"), replace=True)


class _Lookup(gdb.printing.PrettyPrinter):
    def __call__(self, value: Any) -> Any:
        try:
            own = printer_of(value)
            if own is not None:
                return own
            name = value.type.name or _counted_name(value.type)
            if name is None:
                return None
            owner = value.type.objfile
            if owner is None or not private_files.is_ours(owner.filename):
                return None
            if has_several_types(value.type):
                if value.is_optimized_out:
                    return VariantPrinter(_OPTIMIZED_OUT)
                member = _active_member(value.type)
                if member is not None:
                    held = value[member]
                    # MI shows {...} for a value with parts
                    own = self(held) if console.interpreter() == "dap" else None
                    return own or VariantPrinter(held)
            debuggee = target.of(owner.progspace)
            layout = debuggee.keep(target.PROCESS, ("layout", name), lambda: _layout(debuggee, name))
            if layout is None or layout["size"] != value.type.sizeof:
                return None
            is_byte = layout["kind"] == "int" and layout["size"] == 1  # GDB would add a character to the number
            is_name = layout["kind"] == "opaque" and layout["shape"] == "pointer"  # a class, whose type says all
            if layout["kind"] in _PLAIN and not is_byte and not is_name and not _is_record(value.type, layout):
                return None
            if layout["kind"] == "array":
                return ArrayPrinter(debuggee, value, name, layout)
            if layout["kind"] in _PARTS:
                return PartsPrinter(debuggee, value, name, layout)
            if layout["kind"] in ("tuple", "optional"):
                return MembersPrinter(debuggee, value, name, layout)
            if _is_record(value.type, layout):
                return RecordPrinter(debuggee, value, name, layout)
            return Printer(debuggee, value, name, layout)
        except Exception:
            return None  # GDB shows the value without a printer


def _counted_name(kind: Any) -> str | None:
    """Return the name of a pointer to counted memory, None for other types; GDB's pointer types have no name."""
    points_to = kind.target().name if kind.code == gdb.TYPE_CODE_PTR else None
    return f"{points_to}*" if points_to == "MemInfo" else None


def _is_record(kind: Any, layout: dict[str, Any]) -> bool:
    """True for a record's variable that is a pointer to the record."""
    points_to = layout.get("target", {})
    is_pointer = kind.strip_typedefs().code == gdb.TYPE_CODE_PTR
    return bool(is_pointer and points_to.get("kind") == "record" and points_to["name"] == layout["name"])


def _layout(debuggee: target.Target, name: str) -> dict[str, Any] | None:
    try:
        return native.json_of("js_api_type_json", debuggee.types, name.encode(), None)  # type: ignore[no-any-return]
    except native.NativeError:
        return None


def has_several_types(kind: Any) -> bool:
    """True for the type of a variable with several types over time: a structure of a number and the value that the
    number selects."""
    return bool(kind.code == gdb.TYPE_CODE_STRUCT and " | " in kind.name)


def _active_member(kind: Any) -> Any:
    """Return the field that holds the present value of a variable of several types, or None."""
    fields = kind.fields()
    if len(fields) == 2 and fields[0].artificial and not fields[1].artificial:
        return fields[1]
    return None


class VariantPrinter:
    """A printer that shows, in place of a variable of several types, the value that it holds now, or a label."""

    def __init__(self, value: Any):
        self.value = value

    def to_string(self) -> Any:
        return self.value


class Printer:
    """A printer of a value that is only text."""

    def __init__(self, debuggee: target.Target, value: Any, name: str, layout: dict[str, Any]):
        self.debuggee = debuggee
        self.value = value
        self.name = name.encode()
        self.layout = layout

    def to_string(self) -> str:
        try:
            contents = contents_of(self.value, self.layout)
        except (gdb.error, gdb.MemoryError, ValueError, OverflowError, struct.error) as error:
            text = str(error)
            return _OPTIMIZED_OUT if "optimized out" in text else f"<unknown: {text}>"
        return render(self.debuggee, self.name, contents)


class _Parent(Printer, Unfolding):
    """A printer of a value with children."""

    def to_string(self) -> str:
        self.shown = True
        return super().to_string()


class MembersPrinter(_Parent):
    """A printer of tuples. The members are GDB's own values, so that a client can unfold their members, too."""

    def _value(self) -> Any:
        """Return the value, or a copy if it is not in memory: GDB would accept a write to a value in pieces, and do
        nothing."""
        if address_of(self.value) is not None:
            return self.value
        try:
            return gdb.Value(contents_of(self.value, self.layout), self.value.type)
        except (gdb.error, ValueError, TypeError, struct.error):
            return self.value

    def elements(self) -> Iterator[tuple[str, Any]]:
        kind, value = self.value.type.strip_typedefs(), self._value()
        if kind.code == gdb.TYPE_CODE_ARRAY:
            low, high = kind.range()
            return iter([(f"[{index}]", value[index]) for index in range(low, high + 1)])
        fields = kind.fields()
        return iter([(field.name, value[field]) for field in fields if field.name])


class RecordPrinter(_Parent):
    """A printer of a record's variable, which is a pointer. The fields are those of an element that is a record."""

    def elements(self) -> Iterator[tuple[str, Any]]:
        record = self.value.dereference()
        shown = array_parts.Array(self.debuggee, self.name, contents_of(self.value, self.layout), None, None)
        fields = [field for field in record.type.strip_typedefs().fields() if field.name]
        return iter([(field.name, shown.shown_record(record[field], f"[{field.name!r}]")) for field in fields])


class ArrayPrinter(_Parent, ValuePrinter):  # type: ignore[misc]
    """A printer of arrays. The children are the rows, or ranges of them, and the statistics."""

    hint = "array"
    _parts: array_parts.Parts | None = None

    def num_children(self) -> int:
        return self._found().num_children()

    def child(self, number: int) -> tuple[str, Any]:
        return self._found().child(number)

    def elements(self) -> Iterator[tuple[str, Any]]:
        return self._found().elements()

    def _found(self) -> array_parts.Parts:
        if self._parts is None:
            try:
                self._parts = array_parts.of_array(self._array())
            except (gdb.error, gdb.MemoryError, native.NativeError, ValueError, OverflowError, struct.error):
                self._parts = array_parts.Nothing()
        return self._parts

    def _array(self) -> array_parts.Array:
        view = contract.ArrayView()
        contents = contents_of(self.value, self.layout)
        reason = ctypes.c_void_p()
        status = native.library.js_api_array_view(
            self.debuggee.types, self.name, None, contents, len(contents), ctypes.byref(view), ctypes.byref(reason)
        )
        native.library.js_free(reason)
        native.check(status, "js_api_array_view")
        return array_parts.Array(self.debuggee, self.name, contents, view, self._element_type(view))

    def _element_type(self, view: Any) -> Any:
        """Return GDB's type of an element, from the member that is a pointer to the data; None: it is not known."""
        for field in self.value.type.strip_typedefs().fields():
            kind = field.type.strip_typedefs()
            if kind.code == gdb.TYPE_CODE_PTR and int(self.value[field]) == view.data:
                pointed = kind.target()
                if pointed.sizeof == view.itemsize and pointed.strip_typedefs().code != gdb.TYPE_CODE_VOID:
                    return pointed
        return None


class PartsPrinter(_Parent):
    """A printer of containers, instances and iterators: as many parts as `print elements` says."""

    def elements(self) -> Iterator[tuple[str, Any]]:
        contents = contents_of(self.value, self.layout)
        parts = self.debuggee.children(self.name, contents, frames.render_options())
        return iter([(part["name"], _part_value(part)) for part in parts])


def _part_value(part: dict[str, Any]) -> Any:
    """Return a part as GDB's own value, so that a client can unfold it, if the program's debug information has its
    type; else the part's text."""
    for look_up in (_type_here, gdb.lookup_type) if "address" in part else ():
        try:
            kind = look_up(part["type"])
            if (
                kind.sizeof == part["size"]
                and kind.objfile is not None
                and private_files.is_ours(kind.objfile.filename)
            ):
                return gdb.Value(part["address"]).cast(kind.pointer()).dereference()
        except (gdb.error, RuntimeError):
            pass
    return part["text"]


def _type_here(name: str) -> Any:
    """Return the type of this name in the selected frame's file, since other libraries have a `bool`, too."""
    return gdb.lookup_type(name, gdb.selected_frame().block())


def global_of(debuggee: target.Target, module: bytes, name: bytes) -> Any:
    """Return a global of a Python module as JSON has it; None if the module has none of this name."""
    address = debuggee.python_global(module, name)
    if address is None:
        return None
    return render(debuggee, b"pyobject", address.to_bytes(8, "little"), as_json=True)


def render(
    debuggee: target.Target, name: bytes, contents: bytes, path: str | None = None, as_json: bool = False
) -> Any:
    """Return the text of a value, or its JSON. The reason replaces a part that cannot be read; no value raises an
    exception."""
    options = frames.render_options(None)
    found = debuggee.rendered(name, contents, options, path, as_json)
    if found.status == native.ECANCEL:
        native.check(found.status, "js_api_render")
    if found.status < 0:
        return found.shown
    if as_json:
        return json.loads(found.text)
    text = console.plain(found.text)
    return frame_line.fitted(debuggee, text) if options.summary and path is None else text


# Members that are not shown: an array or a str is complete without them.
_HIDDEN_ROLES = {"meminfo", "parent"}  # members of arrays; a str's parent comes with its other members


def contents_of(value: Any, layout: dict[str, Any] | None = None) -> bytes:
    """Return the value's bytes. Raise gdb.error where part of it cannot be read."""
    size = value.type.sizeof
    if not size and value.is_optimized_out:  # a frame filter's list has GDB print a value without checking that
        raise gdb.error("value has been optimized out")
    if layout is not None and layout["kind"] in ("array", "str") and value.is_optimized_out:
        into = bytearray(size)
        places = {member["role"]: member for member in layout["members"]}
        for role, member in places.items():
            part = value[member["name"]]
            if role == "strides" and part.is_optimized_out and layout["order"] in ("C", "F"):
                _put_strides(into, layout, places)
            elif not (part.is_optimized_out and role in _HIDDEN_ROLES):
                _pack(part, into, member["offset"])
        return bytes(into)
    if hasattr(value, "bytes"):
        if value.is_optimized_out:
            raise gdb.error("value has been optimized out")
        return bytes(value.bytes)
    # A value that GDB has fetched may differ from memory by now, such as a watchpoint's old value.
    address = address_of(value) if value.is_lazy else None
    if address is not None:
        return bytes(gdb.selected_inferior().read_memory(address, size)) if size else b""
    return bytes(_pack(value, bytearray(size), 0))


def address_of(value: Any) -> int | None:
    """Return the address of the value, or None. GDB would copy an array that is in registers to the program's memory,
    by a call of its malloc, only for its address, so the address of the array's first element is used."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return address_of(value[low]) if low <= high and kind.sizeof else None
    return None if value.address is None else int(value.address) & (1 << 64) - 1


def _put_strides(into: bytearray, layout: dict[str, Any], places: dict[str, Any]) -> None:
    """Write the strides of a contiguous array. They follow from its shape, which is before them in memory."""
    ndim, order = layout["ndim"], layout["order"]
    shape = struct.unpack_from(f"<{ndim}Q", into, places["shape"]["offset"])
    stride = struct.unpack_from("<Q", into, places["itemsize"]["offset"])[0]
    for axis in range(ndim) if order == "F" else reversed(range(ndim)):
        struct.pack_into("<Q", into, places["strides"]["offset"] + 8 * axis, stride & (1 << 64) - 1)
        stride *= shape[axis]


def _pack(value: Any, into: bytearray, offset: int) -> bytearray:
    """Write a value that is in registers or in pieces to `into`, member by member, and return `into`."""
    kind = value.type.strip_typedefs()
    size = kind.sizeof
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        for field in kind.fields():
            _pack(value[field], into, offset + field.bitpos // 8)
    elif kind.code == gdb.TYPE_CODE_ARRAY:
        # GDB refuses range() for an array of elements without bytes, such as () of ()
        low, high = kind.range() if size else (0, -1)
        each = kind.target().sizeof
        for index in range(low, high + 1):
            _pack(value[index], into, offset + (index - low) * each)
    elif kind.code == gdb.TYPE_CODE_FLT:
        into[offset : offset + size] = struct.pack({2: "<e", 4: "<f", 8: "<d"}[size], float(value))
    elif kind.code == gdb.TYPE_CODE_COMPLEX:
        part = "<f" if size == 8 else "<d"
        halves = []
        for name in ("$_creal", "$_cimag"):
            halves.append(float(_call(name, value)))
        into[offset : offset + size] = b"".join(struct.pack(part, half) for half in halves)
    else:
        into[offset : offset + size] = (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")
    return into


def _call(name: str, value: Any) -> Any:
    """Return GDB's function of a value. $_creal and $_cimag take a value only in an expression."""
    gdb.set_convenience_variable("_jitscope_complex", value)
    try:
        return gdb.parse_and_eval(f"{name}($_jitscope_complex)")
    finally:
        gdb.set_convenience_variable("_jitscope_complex", None)
