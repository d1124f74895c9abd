"""Frames of the C library: each call into it is shown as one frame, with the arguments of the called function, as far
as these are known without the library's debug symbols."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import console
from ..target import target
from . import folding, frames

_FILE = re.compile(r"/(lib(c|pthread)[.-]|ld-(linux|musl))[^/]*$")

# The prefix of a public function's name inside the library, which the debug symbols have.
_INTERNAL = re.compile(r"^(?:__GI_)?(?:__libc_)?(?=\w)")
_OTHER_NAMES = {"cfree": "free"}
_LONGEST = 100  # frames of one call into the library at most

# The first arguments of functions that end a program when an argument is bad; the names are glibc's.
_ARGUMENTS = {"free": ("mem",)}

# One instruction of `disassemble /r`.
_INSTRUCTION = re.compile(r"^(?:=>|  ) 0x([0-9a-f]+) <[^>]*>:\t((?:[0-9a-f]{2} ?)+) *\t", re.M)


def holds(frame: Any) -> bool:
    """True if the frame runs code of the C library that something has called, and not the return from a signal."""
    if frame.type() == gdb.SIGTRAMP_FRAME:
        return False
    return _FILE.search(gdb.solib_name(int(frame.pc())) or "") is not None


def is_inner(debuggee: target.Target, frame: Any) -> bool:
    """True if the library itself has called this frame's function, and the name of another frame of the same call is
    known."""
    if not holds(frame):
        return False
    older = frame.older()
    for _ in range(_LONGEST):
        if older is None or not holds(older):
            return False
        name = older.name()
        if folding.classify(debuggee, older, name) != folding.USER:
            return False
        if name is not None:
            return True
        older = older.older()
    return False


def name_of(frame: Any, name: str) -> str:
    """Return the public name of the library's function; other functions keep their names."""
    if not holds(frame):
        return name
    public = _INTERNAL.sub("", name)
    public = _OTHER_NAMES.get(public, public)
    return public if public in _ARGUMENTS or name.startswith("__GI_") else name


def arguments(debuggee: target.Target, frame: Any, name: str) -> list[dict[str, Any]]:
    """Return the arguments, as docs/schema/bt.json has them, that the machine code of the function or of its compiled
    caller proves."""
    if name not in _ARGUMENTS or not holds(frame) or not frame.architecture().name().startswith("i386:x86-64"):
        return []
    found: list[dict[str, Any]] = []
    for index, argument in enumerate(_ARGUMENTS[name]):
        value = _passed(debuggee, frame, index)
        if value is None:
            return found
        found.append(
            {
                "name": argument,
                "type": "void *",
                "state": "exact",
                "value": f"{value:#x}",
                "text": f"{value:#x}",
                "assigned_line": None,
            }
        )
    return found


def _passed(debuggee: target.Target, frame: Any, index: int) -> int | None:
    """Return the argument from the function's own frame, or from the compiled code that called it."""
    bounds = _bounds(debuggee, frame)
    if bounds is None:
        return None
    value = _argued(debuggee, frame, bounds, 0, index)
    caller = frames.outer(frame.older())
    if value is not None or caller is None:
        return value
    function = frames.compiled_at(debuggee, caller)
    if function is None:
        return None
    return _argued(debuggee, caller, (function["low"], function["high"]), bounds[0], index)


def _argued(debuggee: target.Target, frame: Any, bounds: tuple[int, int], callee: int, index: int) -> int | None:
    value = ctypes.c_uint64()
    at = frames.NativeFrame(frame, debuggee.memory)
    status = native.library.js_find_passed_argument(at.pointer, *bounds, callee, index, ctypes.byref(value))
    if status in (native.ENOTFOUND, native.ENOMEM) and not native.is_interrupted():
        return None
    native.check(status, "js_find_passed_argument")
    return value.value


def _bounds(debuggee: target.Target, frame: Any) -> tuple[int, int] | None:
    """Return where the function's code begins and ends, by the symbols that GDB has."""
    pc = frames.lookup_pc(frame)
    return debuggee.keep(target.OBJECT, ("bounds", pc), lambda: _read_bounds(pc))  # type: ignore[no-any-return]


def _read_bounds(pc: int) -> tuple[int, int] | None:
    try:
        found = _INSTRUCTION.findall(console.text_of(f"disassemble /r {pc:#x}"))
    except gdb.error:
        return None
    if not found:
        return None
    last, code = found[-1]
    low, high = int(found[0][0], 16), int(last, 16) + len(code.split())
    return (low, high) if low <= pc < high else None
