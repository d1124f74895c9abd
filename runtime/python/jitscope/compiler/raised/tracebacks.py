"""Traceback entries for compiled functions: frames that have never run, with the function's name, file and line."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Iterable
from types import CodeType, TracebackType
from typing import Any

from jitscope.compiler.raised.chains import Frame

_HEAD = 16  # bytes of PyObject_HEAD
# bytes before f_lineno in struct _frame of CPython 3.11 and 3.12 (Include/internal/pycore_frame.h)
_LINE_AT = _HEAD + 3 * 8
_NO_COLUMN = 13  # kind of an entry of co_linetable (Objects/locations.md)
_new_frame = ctypes.pythonapi.PyFrame_New
_new_frame.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object, ctypes.py_object]
_new_frame.restype = ctypes.py_object
_thread_state = ctypes.pythonapi.PyThreadState_Get
_thread_state.argtypes = []
_thread_state.restype = ctypes.c_void_p


def _varint(number: int) -> bytes:
    found = b""
    while number >= 64:
        found += bytes([64 | number & 63])
        number >>= 6
    return found + bytes([number])


@functools.lru_cache(maxsize=4096)
def _code(frame: Frame) -> CodeType:
    """Return a code object whose only line is the frame's."""
    function = frame.function
    code = compile("", function.file, "exec")
    if sys.version_info < (3, 11):
        return code.replace(co_name=function.name, co_firstlineno=frame.line)
    delta = frame.line - function.first_line
    units = len(code.co_code) // 2
    entry = bytes([128 | _NO_COLUMN << 3 | units - 1]) + _varint(-delta << 1 | 1 if delta < 0 else delta << 1)
    return code.replace(
        co_name=function.name,
        co_qualname=function.qualname,
        co_firstlineno=function.first_line,
        co_linetable=entry,
    )


def _frame(frame: Frame) -> Any:
    module = sys.modules.get(frame.function.module)
    names = vars(module) if module is not None else {"__name__": frame.function.module}
    made = _new_frame(_thread_state(), _code(frame), names, {})
    if (3, 11) <= sys.version_info < (3, 13) and object.__basicsize__ == _HEAD:
        ctypes.c_int.from_address(id(made) + _LINE_AT).value = frame.line
    return made


def frames(chain: Iterable[Frame]) -> list[tuple[Any, int]]:
    """Return a frame object and a line for each frame. A frame object is part of all tracebacks of the same place."""
    return [(_frame(each), each.line) for each in chain]


def of(made: list[tuple[Any, int]]) -> TracebackType | None:
    """Return a traceback with these frames, the outermost first."""
    found = None
    for frame, line in reversed(made):
        # at the first instruction, because tools that look for the expression do not expect one before it
        found = TracebackType(found, frame, 0, line)
    return found
