"""Values of compiled functions as a Python programmer writes them, in `frame variable`, and in the variables of
lldb-dap and CodeLLDB."""

from __future__ import annotations

from typing import Any

import lldb
from jitscope_shared.base import native, private_files
from jitscope_shared.base.escaping import plain

from .. import debuggee as debuggees
from .. import variables
from . import array_children

_CATEGORY = "jitscope"
# Kinds of js_api_type_json that LLDB itself shows well.
_PLAIN = {"int", "float", "opaque", "struct", "pointer", "record"}
# Kinds whose members are what a Python programmer sees, so that LLDB's own children are right.
_MEMBERS = {"tuple", "optional"}
# Kinds with parts that are not members of the variable, so the library finds the parts.
_PARTS = {"list", "set", "dict", "object", "iterator"}

_SEVERAL = " | "  # in the name of the type of a variable that has several types over time
_OLDER = "<elements may be older"  # begins a label
_MOST = 100_000  # children of one value that an editor can list


def register(debugger: Any, debuggee: debuggees.Debuggee, module: Any) -> None:
    """Have LLDB show the types of this module, which is a corrected file, by the C library. LLDB finds a type by its
    name, and these names are no type's of C."""
    category = debugger.GetCategory(_CATEGORY)
    if not category.IsValid():
        category = debugger.CreateCategory(_CATEGORY)
    for kind in module.GetTypes():
        if _SEVERAL in (kind.GetName() or ""):
            by_frame = lldb.SBTypeSummary.CreateWithFunctionName(f"{__name__}.summary_of_variable")
            category.AddTypeSummary(lldb.SBTypeNameSpecifier(kind.GetName(), False), by_frame)
            continue
        layout = layout_of(debuggee, kind.GetName()) if kind.GetName() else None
        if layout is not None and layout["size"] == kind.GetByteSize():
            _register_type(category, lldb.SBTypeNameSpecifier(kind.GetName(), False), kind, layout)
    category.SetEnabled(True)


def _register_type(category: Any, name: Any, kind: Any, layout: dict[str, Any]) -> None:
    if layout["kind"] == "int" and layout["size"] == 1:  # LLDB would show a character
        is_signed = kind.GetCanonicalType().GetBasicType() in (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar)
        category.AddTypeFormat(name, lldb.SBTypeFormat(lldb.eFormatDecimal if is_signed else lldb.eFormatUnsigned))
        return
    is_name = layout["kind"] == "opaque" and layout["shape"] == "pointer"  # a class, whose type says all
    if layout["kind"] == "bool":  # a type of C++ has this name, too
        return
    if layout["kind"] == "literal" and layout["shape"] == "int":  # lldb-dap would show the number twice
        return
    if layout["kind"] in _PLAIN and not is_name and not _is_record(kind, layout):
        return
    summary = lldb.SBTypeSummary.CreateWithFunctionName(f"{__name__}.summary")
    # the text is enough on one line; an editor unfolds the children
    summary.SetOptions(lldb.eTypeOptionHideChildren | lldb.eTypeOptionHideValue)
    category.AddTypeSummary(name, summary)
    if layout["kind"] == "array" or layout["kind"] in _PARTS:
        category.AddTypeSynthetic(name, lldb.SBTypeSynthetic.CreateWithClassName(f"{__name__}.Children"))


def _is_record(kind: Any, layout: dict[str, Any]) -> bool:
    """True for a record's variable that is a pointer to the record."""
    points_to = layout.get("target", {})
    is_pointer = kind.GetCanonicalType().IsPointerType()
    return bool(is_pointer and points_to.get("kind") == "record" and points_to["name"] == layout["name"])


def layout_of(debuggee: debuggees.Debuggee, name: str) -> dict[str, Any] | None:
    def look() -> dict[str, Any] | None:
        try:
            return native.json_of("js_api_type_json", debuggee.types, name.encode(), None)  # type: ignore[no-any-return]
        except native.NativeError:
            return None

    return debuggee.keep(debuggees.PROCESS, ("layout", name), look)  # type: ignore[no-any-return]


def contents_of(value: Any) -> bytes | None:
    """Return the value's bytes; None where some of them cannot be read."""
    size = int(value.GetType().GetByteSize())
    data, error = value.GetData(), lldb.SBError()
    if value.GetError().Fail() or int(data.GetByteSize()) != size:
        return None
    if not size:
        return b""
    found = data.ReadRawData(error, 0, size)
    return bytes(found) if error.Success() and found is not None and len(found) == size else None


def summary(value: Any, _names: Any = None, _options: Any = None) -> str:
    """Return the text of a value. LLDB calls this."""
    try:
        value = value.GetNonSyntheticValue()
        debuggee = debuggees.of(value.GetProcess())
        if debuggee is None:
            return ""
        contents = contents_of(value)
        if contents is None:
            return "<unknown: LLDB cannot read all of it>"
        if array_children.part_of(debuggee, value) is not None:
            return array_children.Array(debuggee, value, contents).text()
        return render(debuggee, value.GetType().GetName(), contents)
    except Exception as error:  # LLDB would write a traceback into its output
        return f"<unknown: {plain(str(error))}>"


def summary_of_variable(value: Any, _names: Any = None, _options: Any = None) -> str:
    """Return the text of a variable of several types over time, whose present type LLDB does not know."""
    try:
        debuggee, frame = debuggees.of(value.GetProcess()), value.GetFrame()
        if debuggee is None or not frame.IsValid():
            return ""
        found = variables.evaluate(debuggee, frame, value.GetName())
        return f"<unknown: {found['error']}>" if found.get("error") else plain(found["text"])
    except Exception as error:  # LLDB would write a traceback into its output
        return f"<unknown: {plain(str(error))}>"


def render(debuggee: debuggees.Debuggee, name: str, contents: bytes, path: str | None = None) -> str:
    """Return the text of a value, or of the part of it that `path` names, such as "[0, 2]". The reason replaces what
    cannot be read."""
    return plain(debuggee.rendered(name.encode(), contents, variables.render_options(), path).shown)


class Children:
    """The parts of a value, for LLDB's children: the rows or ranges of an array, the items of a container, the
    members of an instance."""

    def __init__(self, value: Any, _names: Any = None):
        self._value = value
        self._debuggee: debuggees.Debuggee | None = None
        self._array: array_children.Array | None = None
        self._parts: list[dict[str, Any]] = []

    def update(self) -> bool:
        """LLDB calls this at each stop. False: the children are to be made anew."""
        self._array, self._parts = None, []
        try:
            self._debuggee = debuggees.of(self._value.GetProcess())
            contents = contents_of(self._value)
            if self._debuggee is not None and contents is not None:
                self._look(self._debuggee, contents)
        except Exception:
            self._parts = []
        return False

    def _look(self, debuggee: debuggees.Debuggee, contents: bytes) -> None:
        name = self._value.GetType().GetName()
        layout = layout_of(debuggee, name)
        kind = layout["kind"] if layout is not None else ""
        if _OLDER in render(debuggee, name, contents):
            return  # the value's own text has the label, and LLDB would read the elements without it
        if kind == "array":
            self._array = array_children.Array(debuggee, self._value, contents)
        elif kind in _PARTS:
            self._parts = debuggee.children(name.encode(), contents, variables.render_options())

    def num_children(self, most: int = _MOST) -> int:
        count = len(self._parts) if self._array is None else self._array.num_children()
        return min(count, most, _MOST)

    def get_type_name(self) -> str:
        return self._array.type_name() if self._array is not None else ""

    def has_children(self) -> bool:
        """True if the value may have children: LLDB 14 asks before it has called update()."""
        return True

    def get_child_index(self, name: str) -> int:
        if self._array is not None:
            return self._array.index_of(name)
        return next((at for at, part in enumerate(self._parts) if part["name"] == name), -1)

    def get_child_at_index(self, index: int) -> Any:
        try:
            if self._debuggee is None or not 0 <= index < self.num_children():
                return None
            if self._array is not None:
                return self._array.child(index)
            part = self._parts[index]
            kind = self._type_named(part)
            if kind is not None:
                address = lldb.SBAddress(part["address"], self._value.GetTarget())
                return self._value.GetTarget().CreateValueFromAddress(part["name"], address, kind)
            return array_children.text_value(self._value, part["name"], part["text"])
        except Exception:
            return None

    def _type_named(self, part: dict[str, Any]) -> Any:
        """Return LLDB's type of a part, if a corrected file has it, preferably that of the frame's function."""
        if "address" not in part:
            return None
        target = self._value.GetTarget()
        modules = [self._value.GetFrame().GetModule(), *target.module_iter()]
        for module in modules:
            if module.IsValid() and private_files.is_ours(module.GetFileSpec().fullpath):
                for kind in module.FindTypes(part["type"]):
                    if kind.GetName() == part["type"] and int(kind.GetByteSize()) == part["size"]:
                        return kind
        return None
