"""An object file with the debug information of one function, for GDB to read: its name, its one line, its variables.

ELF: System V ABI, chapters 4 and 5. DWARF 4: sections 2.6, 6.2 and 7."""

from __future__ import annotations

import os
import struct
from typing import NamedTuple

import gdb

from . import console, events

_UNIT, _FUNCTION, _VARIABLE, _ARGUMENT, _BASE, _STRUCT, _MEMBER = range(1, 8)  # abbreviations
_SIGNED, _BOOLEAN, _FLOAT = 5, 2, 4  # DW_ATE_*
_LANGUAGE = 0x0C  # DW_LANG_C99

# DW_TAG_*, DW_CHILDREN_*, and pairs of DW_AT_* and DW_FORM_*.
_ABBREVIATIONS = {
    _UNIT: (0x11, 1, (0x03, 0x08), (0x1B, 0x08), (0x13, 0x0B), (0x11, 0x01), (0x12, 0x07), (0x10, 0x17)),
    _FUNCTION: (0x2E, 1, (0x03, 0x08), (0x11, 0x01), (0x12, 0x07)),
    _VARIABLE: (0x34, 0, (0x03, 0x08), (0x49, 0x13), (0x02, 0x18)),
    _ARGUMENT: (0x05, 0, (0x03, 0x08), (0x49, 0x13), (0x02, 0x18)),
    _BASE: (0x24, 0, (0x03, 0x08), (0x3E, 0x0B), (0x0B, 0x0B)),
    _STRUCT: (0x13, 1, (0x03, 0x08), (0x0B, 0x0B)),
    _MEMBER: (0x0D, 0, (0x03, 0x08), (0x49, 0x13), (0x38, 0x0B)),
}
_NUMBERS = {"bool": (_BOOLEAN, 1, "<B"), "int": (_SIGNED, 8, "<q"), "float": (_FLOAT, 8, "<d")}
_INDEX = "index"  # the member of a value that is no number


class Variable(NamedTuple):
    name: str
    type: str
    value: bool | int | float  # of another type than bool, int or float: an index of its reader's
    is_number: bool
    is_argument: bool


class Function(NamedTuple):
    name: str
    low: int
    high: int
    file: str
    line: int
    variables: list[Variable]


def image(function: Function) -> bytes:
    """Return the file. Its line is none that a breakpoint is set at: it is only shown."""
    sections = [
        (".debug_abbrev", _abbreviations()),
        (".debug_info", _information(function)),
        (".debug_line", _lines(function)),
        (".symtab", bytes(24)),
        (".strtab", b"\0"),
    ]
    names = b"\0.text\0" + b"".join(name.encode() + b"\0" for name, _ in sections) + b".shstrtab\0"
    sections.append((".shstrtab", names))
    # sh_name, sh_type, sh_flags, sh_addr, sh_offset, sh_size, sh_link, sh_info, sh_addralign, sh_entsize
    size = function.high - function.low
    headers = [bytes(64), struct.pack("<IIQQQQIIQQ", 1, 8, 6, function.low, 64, size, 0, 0, 1, 0)]
    kinds, data = {".symtab": (2, 5, 1, 24), ".strtab": (3, 0, 0, 0), ".shstrtab": (3, 0, 0, 0)}, b""
    for name, content in sections:
        kind, link, info, entry = kinds.get(name, (1, 0, 0, 0))
        at = names.index(name.encode() + b"\0")
        headers.append(struct.pack("<IIQQQQIIQQ", at, kind, 0, 0, 64 + len(data), len(content), link, info, 1, entry))
        data += content
    machine, count = 62 if os.uname().machine == "x86_64" else 183, len(headers)  # EM_X86_64, EM_AARCH64
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 0, 64 + len(data), 0, 64, 0, 0, 64, count, count - 1)
    return head + data + b"".join(headers)


def _abbreviations() -> bytes:
    out = b""
    for number, (tag, children, *attributes) in _ABBREVIATIONS.items():
        out += _unsigned(number) + _unsigned(tag) + bytes([children])  # type: ignore[arg-type]
        out += b"".join(_unsigned(name) + _unsigned(form) for name, form in attributes) + b"\0\0"  # type: ignore[misc]
    return out + b"\0"


def _information(function: Function) -> bytes:
    folder, file = os.path.split(function.file)
    span = struct.pack("<QQ", function.low, function.high - function.low)
    out = struct.pack("<HIB", 4, 0, 8) + _unsigned(_UNIT) + _text(file) + _text(folder) + bytes([_LANGUAGE])
    out += span + struct.pack("<I", 0)
    types: dict[str, int] = {}
    kinds = dict.fromkeys((each.type, each.is_number) for each in function.variables)
    for kind, is_number in [("int", True), *kinds]:
        key = f"{kind}{is_number}"
        if key in types:
            continue
        types[key] = len(out) + 4  # behind the unit's length
        if is_number:
            encoding, size, _ = _NUMBERS[kind]
            out += _unsigned(_BASE) + _text(kind) + bytes([encoding, size])
        else:
            out += _unsigned(_STRUCT) + _text(kind) + bytes([8])
            out += _unsigned(_MEMBER) + _text(_INDEX) + struct.pack("<I", types["intTrue"]) + b"\0\0"
    out += _unsigned(_FUNCTION) + _text(function.name) + span
    for each in function.variables:
        form = _NUMBERS[each.type][2] if each.is_number else "<q"
        value = struct.pack(form, each.value)
        place = b"\x9e" + _unsigned(len(value)) + value  # DW_OP_implicit_value
        out += _unsigned(_ARGUMENT if each.is_argument else _VARIABLE) + _text(each.name)
        out += struct.pack("<I", types[f"{each.type}{each.is_number}"]) + _unsigned(len(place)) + place
    out += b"\0\0"
    return struct.pack("<I", len(out)) + out


def _lines(function: Function) -> bytes:
    folder, file = os.path.split(function.file)
    # minimum_instruction_length, maximum_operations, default_is_stmt, line_base, line_range, opcode_base
    head = struct.pack("<BBBbBB", 1, 1, 0, -5, 14, 13) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    head += _text(folder) + b"\0" + _text(file) + bytes([1, 0, 0]) + b"\0"
    program = b"\0\x09\x02" + struct.pack("<Q", function.low)  # DW_LNE_set_address
    program += b"\x03" + _signed(function.line - 1) + b"\x01"  # DW_LNS_advance_line, DW_LNS_copy
    program += b"\x02" + _unsigned(function.high - function.low) + b"\0\x01\x01"  # DW_LNS_advance_pc, end_sequence
    out = struct.pack("<HI", 4, len(head)) + head + program
    return struct.pack("<I", len(out)) + out


def _text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape").replace(b"\0", b"") + b"\0"


def _unsigned(value: int) -> bytes:
    """LEB128."""
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _signed(value: int) -> bytes:
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        is_last = value == (-1 if byte & 0x40 else 0)
        out.append(byte | (0 if is_last else 0x80))
        if is_last:
            return bytes(out)


def remove(path: str) -> None:
    """Take the file from GDB, which deletes all displays with it (symfile.c, clear_symtab_users)."""
    listed = console.text_of("info display")
    gdb.execute(f"remove-symbol-file {console.quoted(path)}", False, True)
    if console.text_of("info display") != listed:
        events.emit("displays_taken", listed)
