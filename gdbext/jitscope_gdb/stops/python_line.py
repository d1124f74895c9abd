"""The stop after a step out of a compiled function, for a front end. GDB sends a front end the frame that the thread is
in, which is the compiler's wrapper, and no command selects another frame for it. So the wrapper's code is given debug
information for the duration of the stop: the Python function that has called it, at its line, with its variables."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

import gdb
import gdb.printing
from jitscope_shared.base import native, private_files

from ..base import console, events, report, symbol_file
from ..frames import frames, python_frames
from ..present.printed_values import TextPrinter
from ..target import sources, target

_NUMBERS = {"bool": (bool, native.LINE_BOOL), "int": (int, native.LINE_INT), "float": (float, native.LINE_FLOAT)}
_WIDEST = 1 << 63  # GDB's own numbers are lower

_path: str | None = None  # the symbol file that GDB has now
_serial = 0
_texts: list[str] = []  # the texts of variables that are no numbers for GDB


def show(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Show, at this stop, the given Python frame of `jit bt` in place of the innermost frame; called before GDB shows
    the stop."""
    global _path, _serial
    forget()
    function = frames.compiled_at(debuggee, gdb.newest_frame())
    file = entry["file"] and (sources.absolute(debuggee, entry["file"]) or entry["file"])
    if function is None or function["kind"] in frames.WRITTEN or not file or not os.path.isabs(file):
        return
    found = python_frames.variables(debuggee, entry["address"])
    variables = [_variable(each) for each in found if not each.get("definition")]
    made = native.LineFunction(
        _bytes(f"{console.plain(entry['name'])} [py]"),
        os.fsencode(file),
        function["low"],
        function["high"],
        (native.LineVariable * len(variables))(*variables),
        len(variables),
        entry["line"],
    )
    _serial += 1
    try:
        _path = private_files.write(f"python-{_serial}.o", lambda path: _write(path, made))
        gdb.execute(f"add-symbol-file {console.quoted(_path)} -readnow", False, True)
    except (private_files.Unwritable, gdb.error) as error:
        report.warn(f"the Python line is not shown: {report.line_of(error)}")


def _write(path: str, made: native.LineFunction) -> None:
    status = native.library.js_line_symbols_write(os.fsencode(path), ctypes.byref(made))
    native.check_system(status, "js_line_symbols_write")


def _variable(entry: dict[str, Any]) -> native.LineVariable:
    value, kind = entry["value"], entry["type"]
    expected, form = _NUMBERS.get(kind, (None, native.LINE_INDEX))
    is_number = type(value) is expected and not (kind == "int" and not -_WIDEST <= value < _WIDEST)
    if not is_number:
        _texts.append(entry["text"])
        value, form = len(_texts) - 1, native.LINE_INDEX
    bits = int.from_bytes(struct.pack("<d" if isinstance(value, float) else "<q", value), "little")
    name, shown = console.plain(entry["name"]), console.plain(kind) or "object"
    return native.LineVariable(_bytes(name), _bytes(shown), bits, form, bool(entry["argument"]))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def is_shown() -> bool:
    """True if the innermost frame is shown as a Python frame."""
    return _path is not None


# This must run while the thread is still stopped: at the next stop GDB would no longer know the location of this one.
@events.on("cont", order=5)
@events.on("objects_cleared", order=5)
def forget(*_: Any) -> None:
    """Remove the debug information when the stop ends, so that the wrapper's frames are the compiler's again."""
    global _path
    path, _path = _path, None
    _texts.clear()
    if path is None:
        return
    try:
        symbol_file.remove(path)
    except gdb.error as error:
        if report.debugging():
            report.warn(report.line_of(error))
    private_files.remove(path)


class _Lookup(gdb.printing.PrettyPrinter):
    def __call__(self, value: Any) -> Any:
        owner = value.type.objfile
        if _path is None or owner is None or owner.filename != _path:
            return None
        if value.type.code == gdb.TYPE_CODE_FLT:
            return TextPrinter(repr(float(value)))
        if value.type.code == gdb.TYPE_CODE_BOOL:
            return TextPrinter(str(bool(value)))
        if value.type.code != gdb.TYPE_CODE_STRUCT:
            return None
        index = int(value["index"])
        return TextPrinter(_texts[index]) if 0 <= index < len(_texts) else None


def create() -> None:
    """Have GDB print the values as Python does."""
    gdb.printing.register_pretty_printer(None, _Lookup("jitscope-python"), replace=True)
