"""A frame of LLDB in the form that the C library reads, and the compiled function that it runs."""

from __future__ import annotations

from typing import Any

import lldb
from jitscope_shared import frame_classes
from jitscope_shared.base import native
from jitscope_shared.functions import compiled_functions
from jitscope_shared.functions.compiled_functions import WRITTEN, Functions
from jitscope_shared.library_frame import LibraryFrame
from jitscope_shared.machine_registers import AARCH64, X86_64

from . import debuggee as debuggees
from .report import Problem

_TRAMPOLINE = "__restore_rt"  # the C library's function that a signal's handler returns to
_HELPERS = 4  # frames of C functions that compiled code has called, at most


def machine(frame: Any) -> tuple[str, dict[int, str]]:
    """Return the machine, a key of PRESERVED, and the names of its registers by their DWARF numbers."""
    triple = frame.GetThread().GetProcess().GetTarget().GetTriple()
    return ("aarch64", AARCH64) if triple.startswith(("aarch64", "arm64")) else ("x86-64", X86_64)


def newer(frame: Any) -> Any:
    """Return the frame that this one has called; None for the innermost one."""
    number = frame.GetFrameID()
    return frame.GetThread().GetFrameAtIndex(number - 1) if number else None


def older(frame: Any) -> Any:
    """Return the caller's frame; None for the outermost one."""
    found = frame.GetThread().GetFrameAtIndex(frame.GetFrameID() + 1)
    return found if found.IsValid() else None


def outer(frame: Any) -> Any:
    """Return the frame of the function that `frame` is inlined in, or `frame` itself if it is not inlined."""
    while frame.IsInlined() and (around := older(frame)) is not None:
        frame = around
    return frame


def inline_depth(frame: Any) -> int:
    """Return how many inlined calls lie between the frame and the frame of the function that contains their code."""
    return int(outer(frame).GetFrameID() - frame.GetFrameID())


def is_caller(frame: Any) -> bool:
    """True if a call returns to the frame's pc (rather than a signal or the stop)."""
    frame = newer(outer(frame))
    while frame is not None and frame.IsInlined():
        frame = newer(frame)
    return frame is not None and frame.GetFunctionName() != _TRAMPOLINE


def lookup_pc(frame: Any) -> int:
    """Return an address inside the instruction that this frame is at."""
    pc = int(frame.GetPC())
    return pc - 1 if pc and is_caller(frame) else pc


def register_bytes(frame: Any, name: str, capacity: int) -> bytes | None:
    """Return the register's bytes, little-endian; None if it is not known in this frame."""
    value = frame.FindRegister(name)
    if not value.IsValid():
        return None
    data, error = value.GetData(), lldb.SBError()
    size = int(data.GetByteSize())
    if not 0 < size <= capacity:
        return None
    found = data.ReadRawData(error, 0, size)
    return bytes(found) if error.Success() and found is not None else None


class NativeFrame(LibraryFrame):
    """A js_frame for one of LLDB's frames; keep it alive while C uses `pointer`."""

    def __init__(self, debuggee: debuggees.Debuggee, frame: Any):
        self._frame = outer(frame)
        super().__init__(*machine(self._frame), is_caller(self._frame))
        cfa = int(self._frame.GetCFA())
        cfa = 0 if cfa == lldb.LLDB_INVALID_ADDRESS else cfa
        self.describe(int(self._frame.GetPC()), cfa, debuggee.memory, inline_depth(frame))

    def read_register(self, name: str, capacity: int) -> bytes | None:
        return register_bytes(self._frame, name, capacity)


def functions(debuggee: debuggees.Debuggee) -> Functions:
    """Return all compiled functions, kept until an object comes or goes."""
    return debuggee.keep(  # type: ignore[no-any-return]
        debuggees.OBJECT,
        "functions",
        lambda: compiled_functions.read(debuggee.program),
    )


def compiled_at(debuggee: debuggees.Debuggee, frame: Any) -> dict[str, Any] | None:
    """Return the compiled function that this frame runs, or None. If it is inlined in one of the compiler's wrappers,
    it is returned with the wrapper's addresses."""
    inlined = (frame.GetFunctionName() or "") if frame.IsInlined() else None
    return functions(debuggee).of_frame(lookup_pc(frame), inlined)


def name_of(frame: Any) -> str | None:
    """Return the name of the frame's function; None where LLDB has made up one for a stripped library."""
    name = frame.GetFunctionName()
    return None if name is None or name.startswith("___lldb_unnamed_symbol") else str(name)


def class_of(frame: Any) -> str:
    """Return the class of a native frame, one of frame_classes.CLASSES."""
    return frame_classes.class_of(file_of(frame), name_of(frame))


def file_of(frame: Any) -> str | None:
    """Return the path of the program or library whose code the frame runs, or None."""
    return frame.GetModule().GetFileSpec().fullpath or None


def pthread_of(thread: Any) -> int:
    """Return pthread_self() of a thread; 0 if it is not known."""
    return int.from_bytes(register_bytes(thread.GetFrameAtIndex(0), "fs_base", 8) or b"", "little")


def is_written(debuggee: debuggees.Debuggee, frame: Any) -> bool:
    """True if the frame runs compiled Python of the source, and not a wrapper."""
    function = compiled_at(debuggee, frame)
    return function is not None and function["kind"] in WRITTEN


def expect_compiled(debuggee: debuggees.Debuggee, frame: Any) -> Any:
    """Return the frame if it is of a compiled function, or that of the compiled function that has called this frame's C
    function. Raise Problem if there is none."""
    if frame is None or not frame.IsValid():
        raise Problem("no frame: the process is running or has gone")
    at = frame
    for _ in range(_HELPERS + 1):
        function = compiled_at(debuggee, at)
        if function is not None and function["kind"] in WRITTEN:
            return at
        if function is not None:
            break
        at = older(at)
        if at is None:
            break
    number, name = frame.GetFrameID(), frame.GetFunctionName() or f"{int(frame.GetPC()):#x}"
    raise Problem(f"frame {number} ({name}) is not a compiled function; `frame select N` selects a frame of `jit bt`")


def shown_place(debuggee: debuggees.Debuggee, frame: Any, function: dict[str, Any]) -> tuple[str | None, int]:
    """Like place(), for a frame that runs this compiled function: where no statement begins, the line is the one that
    the instruction is of, and the path the function's."""
    path, line = place(frame)
    if not line and function["debug_info"]:
        line = int(native.json_of("js_program_at", debuggee.program, lookup_pc(frame))["at_line"])
    return path or function["file"] or None, line


def place(frame: Any) -> tuple[str | None, int]:
    """Return the path and the line of the source that the frame is at; (None, 0): it has none."""
    entry = frame.GetLineEntry()
    if not entry.IsValid():
        return None, 0
    return entry.GetFileSpec().fullpath or None, int(entry.GetLine())
