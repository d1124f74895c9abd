"""GDB's display of a value, encoded as values.py compares it; runs inside GDB, without third-party imports."""

import ast
import re
import struct

import gdb

ELEMENTS = 64
FORMATS = {
    "bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "uint64": "Q", "float32": "f", "float64": "d",
}  # fmt: skip


def label(text):
    return {"t": "label", "text": text}


def scalar(data, dtype):
    value = struct.unpack("<" + FORMATS[dtype], data)[0]
    if dtype == "bool":
        return {"t": "bool", "v": value}
    return {"t": "float", "v": repr(value)} if dtype.startswith("float") else {"t": "int", "v": value}


def array(value):
    """Return an array by its members; a member that GDB does not have is None."""
    kind = re.search(r"array\((?!Record\()(?:\w+\()?(\w+)", str(value.type.name or value.type))
    dtype = kind.group(1) if kind else None
    shape = [leaf(item) for item in elements(value["shape"])]
    strides = [leaf(item) for item in elements(value["strides"])]
    data = leaf(value["data"])
    known = [item.get("v") if item["t"] == "int" else None for item in shape]
    result = {"t": "array", "dtype": dtype, "shape": known, "data": None}
    incomplete = data["t"] != "ptr" or None in known or any(item["t"] != "int" for item in strides)
    if incomplete or dtype not in FORMATS:
        return result
    count = 1
    for size in known:
        count *= max(size, 0)
    items = []
    width = struct.calcsize(FORMATS[dtype])
    for number in range(min(count, ELEMENTS)):
        at, rest = data["v"], number
        for size, stride in zip(reversed(known), reversed(strides)):
            at += (rest % size) * stride["v"]
            rest //= size
        try:
            items.append(scalar(bytes(gdb.selected_inferior().read_memory(at, width)), dtype))
        except (gdb.error, OverflowError):
            items.append({"t": "error"})
    result["data"] = items
    return result


def elements(value):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return [value[index] for index in range(low, min(high, low + ELEMENTS) + 1)]
    if kind.code == gdb.TYPE_CODE_STRUCT:
        return [value[field] for field in kind.fields()]
    return [value]


def string(value):
    data, length, kind = (leaf(value[name]) for name in ("data", "length", "kind"))
    if data["t"] != "ptr" or length["t"] != "int" or kind["t"] != "int":
        return label("incomplete string")
    width = kind["v"] if kind["v"] in (1, 2, 4) else 1
    if not 0 <= length["v"] < 10000:
        return {"t": "opaque", "text": f"length {length['v']}"}
    if length["v"] == 0:
        return {"t": "str", "v": ""}
    try:
        raw = bytes(gdb.selected_inferior().read_memory(data["v"], length["v"] * width))
    except gdb.error:
        return {"t": "error"}
    return {"t": "str", "v": raw.decode({1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[width], "replace")}


def leaf(value):
    """Return GDB's form of `value`: a scalar, an aggregate by members, or a label."""
    try:
        if value.is_optimized_out:
            return label("<optimized out>")
        value.fetch_lazy()
    except (gdb.error, gdb.MemoryError) as error:
        return label(str(error))
    kind = value.type.strip_typedefs()
    code = kind.code
    if code == gdb.TYPE_CODE_BOOL:
        return {"t": "bool", "v": bool(value)}
    if code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return {"t": "int", "v": int(value)}
    if code == gdb.TYPE_CODE_FLT:
        try:
            return {"t": "float", "v": repr(float(value))}
        except gdb.error as error:
            return {"t": "opaque", "text": str(error)}
    if code == gdb.TYPE_CODE_ENUM:  # a literal, whose value is in its type
        text = value.format_string()
        try:
            literal = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return {"t": "opaque", "text": text}
        return {"t": "none"} if literal is None else {"t": "str", "v": literal}
    if code == gdb.TYPE_CODE_PTR:
        if "synthetic" in value.format_string(raw=True):
            return label("<synthetic pointer>")
        return {"t": "ptr", "v": int(value)}
    if code == gdb.TYPE_CODE_ARRAY:
        return {"t": "tuple", "v": [leaf(item) for item in elements(value)]}
    if code == gdb.TYPE_CODE_STRUCT:
        if " | " in (kind.name or ""):  # a variable of several types: the number of the present one, and its value
            members = kind.fields()
            return leaf(value[members[-1]]) if members else label("<no value of any type>")
        names = [field.name for field in kind.fields()]
        if {"data", "shape", "strides"} <= set(names):
            # Only a printer reads the elements of records, and distinguishes bytes from an array.
            if re.search(r"Record\(|^(?:readonly )?bytes\(", kind.name or ""):
                return {"t": "opaque", "text": value.format_string()}
            return array(value)
        if {"data", "length", "kind"} <= set(names):
            return string(value)
        if names == ["real", "imag"]:
            parts = [leaf(value[name]) for name in names]
            if any(part["t"] != "float" for part in parts):
                return label("incomplete complex")
            return {"t": "complex", "v": [part["v"] for part in parts]}
        if (kind.name or "").startswith(("Tuple", "UniTuple")) or (names and names[0] == "f0"):
            return {"t": "tuple", "v": [leaf(value[field]) for field in kind.fields()]}
    return {"t": "opaque", "text": value.format_string()}


def shown(frame):
    """Return every argument and local of `frame`, as GDB's own symbols give them."""
    result = []
    try:
        block = frame.block()
    except RuntimeError:
        return result
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if not (symbol.is_variable or symbol.is_argument):
                continue
            try:
                value = symbol.value(frame)
                entry = {"name": symbol.print_name, "value": leaf(value)}
                entry["text"] = value.format_string(max_elements=ELEMENTS)
            except (gdb.error, gdb.MemoryError, RuntimeError, ValueError) as error:
                entry = {"name": symbol.print_name, "value": label(str(error)), "text": f"<error: {error}>"}
            result.append(entry)
        if block.function is not None:
            break
        block = block.superblock
    return result
