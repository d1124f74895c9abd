"""Numba types as DWARF types, by their data models (numba/core/datamodel/models.py, 0.57-0.68).

A type's name is exactly Numba's. A type that C cannot name (structures, arrays, pointers) gets a typedef, so that
`whatis a` shows `array(float64, 1d, C)`. Members have their true offsets."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any, Callable

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models

from jitscope.compiler.base import abi
from jitscope.compiler.numba_ir import frames

_BITS = 8
_NAME_MAX = 4096  # characters of the names of enumerators of Python objects, at most


def check() -> str | None:
    """Return why types cannot be described in this Numba, or None."""
    for owner, names in (
        (models, ("StructModel", "UniTupleModel", "ComplexModel")),
        (types, ("Array", "Record", "EnumMember", "MemInfoPointer", "CPointer", "Literal", "NestedArray")),
    ):
        for name in names:
            if not hasattr(owner, name):
                return f"{owner.__name__} has no {name}"
    return None


def shown(fe_type: Any) -> Any:
    """Return the type under which a variable is shown: int64 for Literal[int](3). Versions of one name that agree here
    are one variable."""
    if isinstance(fe_type, (types.IntegerLiteral, types.BooleanLiteral)):
        return fe_type.literal_type
    if isinstance(fe_type, types.DeferredType) and fe_type._define is not None:
        return fe_type.get()
    return fe_type


def is_constant(fe_type: Any) -> bool:
    """True for a type of one value, which the program does not keep: None, modules, functions …; its slot has a
    zero."""
    return _constant_text(fe_type) is not None


def _constant_text(fe_type: Any) -> str | None:
    if isinstance(fe_type, types.NoneType):
        return "None"
    if isinstance(fe_type, types.EllipsisType):
        return "..."
    if isinstance(fe_type, types.StringLiteral):
        return repr(fe_type.literal_value)[:_NAME_MAX]
    if isinstance(fe_type, types.Module):
        return f"<module {fe_type.pymod.__name__}>"
    if isinstance(fe_type, types.Dispatcher):
        return f"<function {fe_type.dispatcher.py_func.__qualname__}>"
    if isinstance(fe_type, (types.NumberClass, types.DType)):
        return f"<{fe_type}>"
    if isinstance(fe_type, (types.EnumClass, types.NamedTupleClass)):
        return f"<class {fe_type.instance_class.__name__}>"
    if isinstance(fe_type, types.ExceptionClass):
        return f"<class {fe_type.exc_class.__name__}>"
    if isinstance(fe_type, types.Function):
        return f"<function {getattr(fe_type.typing_key, '__name__', fe_type.typing_key)}>"[:_NAME_MAX]
    return None


class TypeWriter:
    """The types of one LLVM module. `cgctx`: Numba's target context."""

    def __init__(self, module: Any, cgctx: Any) -> None:
        self._module = module
        self._models = cgctx.data_model_manager
        self._cgctx = cgctx
        self._known: dict[tuple[Any, bool], Any] = {}
        self._open: set[tuple[Any, bool]] = set()

    def of(self, fe_type: Any, lltype: Any = None, datamodel: Any = None) -> Any:
        """Return the metadata node of a variable's type. `lltype`, `datamodel`: as the lowering has them; if the value
        does not have its model's layout, its bytes are described."""
        fe_type = shown(fe_type)
        if lltype is not None and lltype != self._models[fe_type].get_value_type():
            return self._typedef(str(fe_type), self._by_storage(lltype))
        return self._node(fe_type, False)

    def size(self, lltype: Any) -> int:
        """Return the size in bytes."""
        try:
            return abi.layout(lltype)[0]
        except abi.Unknown:
            return int(self._cgctx.get_abi_sizeof(lltype))

    # -- a type's description

    def _node(self, fe_type: Any, in_data: bool) -> Any:
        """Return the node of the type. `in_data`: as an element of an array or a member in memory; otherwise as a
        variable."""
        fe_type = shown(fe_type)
        key = (fe_type, in_data)
        if key in self._known:
            return self._known[key]
        if key in self._open:  # the type refers to itself
            return self._basic("byte", 1, "DW_ATE_unsigned_char")
        self._open.add(key)
        try:
            node = self._make(fe_type, self._models[fe_type], in_data)
        except abi.Unknown:
            node = self._typedef(str(fe_type), self._bytes(self.size(self._lltype(fe_type, in_data))))
        finally:
            self._open.discard(key)
        self._known[key] = node
        return node

    def _lltype(self, fe_type: Any, in_data: bool) -> Any:
        model = self._models[fe_type]
        return model.get_data_type() if in_data else model.get_value_type()

    def _make(self, fe_type: Any, model: Any, in_data: bool) -> Any:
        constant = _constant_text(fe_type)
        lltype = model.get_data_type() if in_data else model.get_value_type()
        if constant is not None and isinstance(lltype, ir.PointerType):
            return self._enumeration(str(fe_type), self._basic("uintp", 8, "DW_ATE_unsigned"), 8, {constant: 0})
        for kind, make in _FAMILIES:
            if isinstance(fe_type, kind):
                return make(self, fe_type, in_data)
        if isinstance(model, models.StructModel) and isinstance(lltype, ir.types.BaseStructType):
            return self._structure(fe_type, model, in_data)
        pointee = getattr(model, "_pointee_model", None)
        if pointee is not None and isinstance(lltype, ir.PointerType):
            return self._pointer(self._node(pointee.fe_type, True))
        return self._typedef(str(fe_type), self._by_storage(lltype))

    def _structure(self, fe_type: Any, model: Any, in_data: bool) -> Any:
        names = [str(name) for name in model._fields]
        fields = getattr(fe_type, "fields", None)
        if isinstance(fe_type, types.BaseNamedTuple) and fields:
            names = list(fields)
        elif isinstance(fe_type, types.ClassDataType):
            names = [name[2:] if name.startswith("m_") else name for name in names]
        elements = self._lltype(fe_type, in_data).elements
        size, _, offsets = abi.structure(elements)
        nodes = [self._node(member, in_data) for member in model._members]
        sizes = [abi.layout(element)[0] for element in elements]
        return self._struct(str(fe_type), size, zip(names, nodes, sizes, offsets))

    def _boolean(self, fe_type: Any, in_data: bool) -> Any:
        return self._basic(str(fe_type), 1, "DW_ATE_boolean")

    def _integer(self, fe_type: Any, in_data: bool) -> Any:
        encoding = "DW_ATE_signed" if fe_type.signed else "DW_ATE_unsigned"
        return self._basic(str(fe_type), fe_type.bitwidth // _BITS, encoding)

    def _float(self, fe_type: Any, in_data: bool) -> Any:
        return self._basic(str(fe_type), fe_type.bitwidth // _BITS, "DW_ATE_float")

    def _time(self, fe_type: Any, in_data: bool) -> Any:
        return self._basic(str(fe_type), 8, "DW_ATE_signed")

    def _complex(self, fe_type: Any, in_data: bool) -> Any:
        part = self._node(fe_type.underlying_float, in_data)
        size = fe_type.bitwidth // _BITS // 2
        return self._struct(str(fe_type), 2 * size, [("real", part, size, 0), ("imag", part, size, size)])

    def _enum(self, fe_type: Any, in_data: bool) -> Any:
        value = self._node(fe_type.dtype, in_data)
        if not isinstance(fe_type.dtype, types.Integer):
            return self._typedef(str(fe_type), value)
        cls: type[enum.Enum] = fe_type.instance_class
        members = {f"{cls.__name__}.{name}": int(member.value) for name, member in cls.__members__.items()}
        return self._enumeration(
            str(fe_type), value, fe_type.dtype.bitwidth // _BITS, members, not fe_type.dtype.signed
        )

    def _characters(self, fe_type: Any, in_data: bool) -> Any:
        if isinstance(fe_type, types.UnicodeCharSeq):
            item = self._basic("char32_t", 4, "DW_ATE_UTF")
            return self._typedef(str(fe_type), self._array(item, 4, (fe_type.count,)))
        item = self._basic("char", 1, "DW_ATE_unsigned_char")
        return self._typedef(str(fe_type), self._array(item, 1, (fe_type.count,)))

    def _uniform(self, fe_type: Any, in_data: bool) -> Any:
        item = self._node(fe_type.dtype, in_data)
        size, _ = abi.layout(self._lltype(fe_type.dtype, in_data))
        if isinstance(fe_type, types.BaseNamedTuple):
            members = [(name, item, size, index * size) for index, name in enumerate(fe_type.fields)]
            return self._struct(str(fe_type), size * len(members), members)
        return self._typedef(str(fe_type), self._array(item, size, (len(fe_type),)))

    def _nested_array(self, fe_type: Any, in_data: bool) -> Any:
        if not in_data:
            return self._structure(fe_type, self._models[fe_type], in_data)
        item = self._node(fe_type.dtype, True)
        size, _ = abi.layout(self._lltype(fe_type.dtype, True))
        return self._typedef(str(fe_type), self._array(item, size, fe_type.shape))

    def _record(self, fe_type: Any, in_data: bool) -> Any:
        members = []
        for name, kind in fe_type.members:
            size = self.size(self._lltype(kind, True))
            members.append((name, self._node(kind, True), size, fe_type.offset(name)))
        if in_data:
            return self._struct(str(fe_type), fe_type.size, members)
        whole = self._struct("", fe_type.size, members)  # the structure has no name; its own name is the pointer's
        return self._typedef(str(fe_type), self._pointer(whole))

    def _pointer_to(self, fe_type: Any, in_data: bool) -> Any:
        inner = self._node(fe_type.dtype, True)
        is_inline = in_data and isinstance(fe_type, types.EphemeralPointer)
        return inner if is_inline else self._pointer(inner)

    def _meminfo(self, fe_type: Any, in_data: bool) -> Any:
        """Describe struct MemInfo of numba/core/runtime/nrt.h, with the type of its data if Numba has it."""
        word, void = self._basic("uintp", 8, "DW_ATE_unsigned"), self._pointer(None)
        data = void
        if isinstance(fe_type.dtype, (types.ListPayload, types.SetPayload, types.StructRefPayload)):
            data = self._pointer(self._node(fe_type.dtype, True))
        fields = [("refct", word), ("dtor", void), ("dtor_info", void), ("data", data), ("size", word)]
        members = [(name, node, 8, 8 * index) for index, (name, node) in enumerate(fields)]
        return self._pointer(self._struct("MemInfo", 40, members))

    def _typed_list(self, fe_type: Any, in_data: bool) -> Any:
        """Describe NB_List of numba/cext/listobject.h."""
        items = self._pointer(self._node(fe_type.item_type, True))
        words = [("size", 0), ("item_size", 8), ("allocated", 16)]
        return self._typed_container(fe_type, "NB_List", 56, words, [("items", items, 8, 48)])

    def _typed_table(self, fe_type: Any, in_data: bool) -> Any:
        """Describe the tables of numba/cext/dictobject.h and setobject.h: the entries follow the indices, outside of
        any structure."""
        is_dict = isinstance(fe_type, types.DictType)
        names = [
            "size",
            "usable",
            "nentries",
            "key_size",
            *(["val_size"] if is_dict else []),
            "entry_size",
            "entry_offset",
        ]
        words = [(name, 8 * index) for index, name in enumerate(names)]
        keys = self._pointer(self._words("NB_DictKeys" if is_dict else "NB_SetKeys", 96 if is_dict else 72, words, []))
        return self._typed_container(
            fe_type, "NB_Dict" if is_dict else "NB_Set", 16, [("used", 0)], [("keys", keys, 8, 8)]
        )

    def _words(self, name: str, size: int, words: Sequence[tuple[str, int]], more: Sequence[Any]) -> Any:
        word = self._basic("int64", 8, "DW_ATE_signed")
        return self._struct(name, size, [*((each, word, 8, offset) for each, offset in words), *more])

    def _typed_container(
        self, fe_type: Any, name: str, size: int, words: Sequence[tuple[str, int]], more: Sequence[Any]
    ) -> Any:
        data = self._pointer(self._words(name, size, words, more))
        meminfo = self._node(types.MemInfoPointer(types.voidptr), False)
        return self._struct(str(fe_type), 16, [("meminfo", meminfo, 8, 0), ("data", data, 8, 8)])

    def _opaque_pointer(self, fe_type: Any, in_data: bool) -> Any:
        return self._typedef(str(fe_type), self._pointer(None))

    def _generator(self, fe_type: Any, in_data: bool) -> Any:
        model = self._models[fe_type]
        size, _, offsets = abi.structure(model.get_data_type().elements)
        frame = frames.of(fe_type)
        index = self._node(types.int32, True)
        if frame:
            index = self._enumeration("generator", index, 4, frame.stops)
        parts = [("resume_index", index, 4, offsets[0])]
        for name, inner, offset, known in (
            ("args", model._arg_models, offsets[1], frame.arguments if frame else []),
            ("state", model._state_models, offsets[2], frame.state if frame else []),
        ):
            lltypes = [each.get_data_type() for each in inner]
            part_size, _, places = abi.structure(lltypes)
            nodes = [self._node(each.fe_type, True) for each in inner]
            sizes = [abi.layout(each)[0] for each in lltypes]
            fields = [*known, *(f"f{index}" for index in range(len(known), len(nodes)))]
            part = self._struct("", part_size, zip(fields, nodes, sizes, places))
            parts.append((name, part, part_size, offset))
        whole = self._struct("", size, parts)
        return self._typedef(str(fe_type), whole if in_data else self._pointer(whole))

    def _by_storage(self, lltype: Any) -> Any:
        """Return the DWARF type that follows from the LLVM type alone."""
        if isinstance(lltype, ir.IntType) and lltype.width in (8, 16, 32, 64):
            return self._basic(f"uint{lltype.width}", lltype.width // _BITS, "DW_ATE_unsigned")
        if isinstance(lltype, ir.DoubleType):
            return self._basic("float64", 8, "DW_ATE_float")
        if isinstance(lltype, ir.FloatType):
            return self._basic("float32", 4, "DW_ATE_float")
        if isinstance(lltype, ir.PointerType):
            return self._pointer(None)
        try:
            if isinstance(lltype, ir.types.BaseStructType) and lltype.elements is not None:
                size, _, offsets = abi.structure(lltype.elements, lltype.packed)
                nodes = [self._by_storage(element) for element in lltype.elements]
                sizes = [abi.layout(element)[0] for element in lltype.elements]
                return self._struct("", size, zip([f"f{i}" for i in range(len(nodes))], nodes, sizes, offsets))
            if isinstance(lltype, ir.ArrayType):
                return self._array(self._by_storage(lltype.element), abi.layout(lltype.element)[0], (lltype.count,))
        except abi.Unknown:
            pass
        return self._bytes(self.size(lltype))

    # -- metadata

    def _basic(self, name: str, size: int, encoding: str) -> Any:
        fields = {"name": name, "size": _BITS * size, "encoding": ir.DIToken(encoding)}
        return self._module.add_debug_info("DIBasicType", fields)

    def _typedef(self, name: str, node: Any) -> Any:
        fields = {"tag": ir.DIToken("DW_TAG_typedef"), "name": name, "baseType": node}
        return self._module.add_debug_info("DIDerivedType", fields)

    def _pointer(self, node: Any) -> Any:
        """Return the type of a pointer to `node`; None is void."""
        fields = {"tag": ir.DIToken("DW_TAG_pointer_type"), "baseType": node, "size": _BITS * 8}
        return self._module.add_debug_info("DIDerivedType", fields)

    def _array(self, item: Any, size: int, counts: Sequence[int]) -> Any:
        module = self._module
        ranges = [module.add_debug_info("DISubrange", {"count": count}) for count in counts]
        for count in counts:
            size *= count
        if size == 0:  # for GDB an array without elements is a pointer
            return self._struct("", 0, ())
        fields = {
            "tag": ir.DIToken("DW_TAG_array_type"),
            "baseType": item,
            "size": _BITS * size,
            "elements": module.add_metadata(ranges),
        }
        return module.add_debug_info("DICompositeType", fields)

    def _bytes(self, size: int) -> Any:
        return self._array(self._basic("byte", 1, "DW_ATE_unsigned_char"), 1, (size,))

    def _struct(self, name: str, size: int, members: Iterable[tuple[str, Any, int, int]]) -> Any:
        """Return a structure. `members`: name, type, size, offset. A structure without a name has no typedef."""
        module = self._module
        nodes = [
            module.add_debug_info(
                "DIDerivedType",
                {
                    "tag": ir.DIToken("DW_TAG_member"),
                    "name": member,
                    "baseType": node,
                    "size": _BITS * length,
                    "offset": _BITS * offset,
                },
            )
            for member, node, length, offset in members
        ]
        fields = {
            "tag": ir.DIToken("DW_TAG_structure_type"),
            "size": _BITS * size,
            "elements": module.add_metadata(nodes),
        }
        if name:
            fields["name"] = name
        node = module.add_debug_info("DICompositeType", fields)
        return self._typedef(name, node) if name else node

    def _enumeration(self, name: str, value: Any, size: int, members: dict[str, int], is_unsigned: bool = False) -> Any:
        module = self._module
        nodes = []
        for text, number in members.items():
            fields: dict[str, Any] = {"name": text, "value": number}
            if is_unsigned:
                fields["isUnsigned"] = True
            nodes.append(module.add_debug_info("DIEnumerator", fields))
        fields = {
            "tag": ir.DIToken("DW_TAG_enumeration_type"),
            "baseType": value,
            "size": _BITS * size,
            "elements": module.add_metadata(nodes),
        }
        return self._typedef(name, module.add_debug_info("DICompositeType", fields))


_Make = Callable[[TypeWriter, Any, bool], Any]

# The first entry that matches is used.
_FAMILIES: tuple[tuple[Any, _Make], ...] = (
    (types.Boolean, TypeWriter._boolean),
    (types.Integer, TypeWriter._integer),
    (types.Float, TypeWriter._float),
    (types.Complex, TypeWriter._complex),
    ((types.NPDatetime, types.NPTimedelta), TypeWriter._time),
    (types.EnumMember, TypeWriter._enum),
    ((types.CharSeq, types.UnicodeCharSeq), TypeWriter._characters),
    (types.UniTuple, TypeWriter._uniform),
    (types.NamedUniTuple, TypeWriter._uniform),
    (types.NestedArray, TypeWriter._nested_array),
    (types.Record, TypeWriter._record),
    (types.MemInfoPointer, TypeWriter._meminfo),
    (types.CPointer, TypeWriter._pointer_to),
    ((types.PyObject, types.RawPointer), TypeWriter._opaque_pointer),
    (types.Generator, TypeWriter._generator),
    (types.ListType, TypeWriter._typed_list),
    (tuple(getattr(types, name) for name in ("DictType", "SetType") if hasattr(types, name)), TypeWriter._typed_table),
)
