"""A step that would not end: LLVM may reduce a loop to a jump to itself, such as a loop that waits for another thread,
because it reads an element only once if the loop does not store it. GDB would step there until it is interrupted."""

from __future__ import annotations

import ctypes
from typing import Any

from jitscope_shared.base import native

from ..frames import frames
from ..target import cells, target


def refusal(debuggee: target.Target, frame: Any) -> str:
    """Return why the frame cannot be stepped; "" if a step ends."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["kind"] not in frames.WRITTEN:
        return ""
    at, is_endless = frames.NativeFrame(frame, debuggee.memory), ctypes.c_int()
    status = native.library.js_program_is_endless(debuggee.program, at.pointer, ctypes.byref(is_endless))
    if status or not is_endless.value:
        return ""
    symtab, line = frame.find_sal().symtab, frame.find_sal().line
    place = f"{cells.base_name(symtab.filename)}:{line}" if symtab is not None else function["name"]
    advice = native.json_of("js_program_statements", debuggee.program, at.pointer)["advice"]
    text = f"the compiler has left a loop without an end and without lines at {place}, where a step would not come back"
    return f"{text}: {advice}" if advice else text
