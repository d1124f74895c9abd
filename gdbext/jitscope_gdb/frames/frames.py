"""A GDB frame in the form that the C library reads: pc, CFA, registers, memory."""

from __future__ import annotations

import ctypes
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_shared.functions import compiled_functions
from jitscope_shared.functions.compiled_functions import WRITTEN, Functions
from jitscope_shared.library_frame import LibraryFrame
from jitscope_shared.machine_registers import AARCH64, X86_64

from ..base import report
from ..target import target

_WIDEST = 16  # bytes of the widest register that holds a value


def _machine(frame: Any) -> tuple[str, dict[int, str]]:
    if frame.architecture().name().startswith("aarch64"):
        return "aarch64", AARCH64
    return "x86-64", X86_64


def numbered_register(frame: Any, number: int) -> bytes | None:
    """Return the bytes of the general register with this DWARF number; None if there is none."""
    name = _machine(frame)[1].get(number)
    return register_bytes(frame, name, 8) if name else None


def outer(frame: Any) -> Any:
    """Return the frame of the function that `frame` is inlined in, or `frame` itself if it is not inlined."""
    while frame is not None and frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def inline_depth(frame: Any) -> int:
    """Return how many inlined calls lie between the frame and the frame of the function that contains their code."""
    depth = 0
    while frame is not None and frame.type() == gdb.INLINE_FRAME:
        depth, frame = depth + 1, frame.older()
    return depth


def is_caller(frame: Any) -> bool:
    """True if a call returns to the frame's pc (rather than a signal or the stop)."""
    newer = outer(frame).newer()
    while newer is not None and newer.type() == gdb.INLINE_FRAME:
        newer = newer.newer()
    return newer is not None and newer.type() == gdb.NORMAL_FRAME


def lookup_pc(frame: Any) -> int:
    """Return an address inside the instruction that this frame is at. A return address after a function's last call is
    that of whatever follows, or in no section."""
    pc = int(frame.pc())
    return pc - 1 if pc and is_caller(frame) else pc


def cfa(frame: Any) -> int:
    """Return the canonical frame address, that is, the caller's stack pointer before the call; 0 if it is unknown."""
    try:
        older = outer(frame).older()
        while older is not None and older.type() == gdb.INLINE_FRAME:
            older = older.older()
        return int(older.read_register("sp")) & (1 << 64) - 1 if older is not None else 0
    except (gdb.error, gdb.MemoryError, ValueError):
        return 0


def register_bytes(frame: Any, name: str, capacity: int) -> bytes | None:
    """Return the register's bytes, little-endian; None if it is not known in this frame."""
    try:
        value = frame.read_register(name)
        if value.is_optimized_out:
            return None
        if value.type.code == gdb.TYPE_CODE_UNION:
            data = _vector_bytes(value)
        else:
            data = (int(value) & (1 << 64) - 1).to_bytes(8, "little")
        return data if data is not None and len(data) <= capacity else None
    except (gdb.error, gdb.MemoryError, ValueError, OverflowError):
        return None


def _vector_bytes(value: Any) -> bytes | None:
    """Return the bytes of a vector register, which is a union of views; GDB's Python gives integers of at most 64
    bits."""
    for field in ("v2_int64", "d"):  # x86-64's xmm, AArch64's v
        if value.type.has_key(field):
            view = value[field]
            if view.type.code == gdb.TYPE_CODE_UNION:
                view = view["u"]
            return b"".join((int(view[index]) & (1 << 64) - 1).to_bytes(8, "little") for index in (0, 1))
    return None


class NativeFrame(LibraryFrame):
    """A js_frame for one gdb.Frame; keep it alive while C uses `pointer`."""

    def __init__(self, frame: Any, memory: ctypes.c_void_p):
        self._frame = outer(frame)
        super().__init__(*_machine(self._frame), is_caller(self._frame))
        self.describe(int(self._frame.pc()), cfa(self._frame), memory, inline_depth(frame))

    def read_register(self, name: str, capacity: int) -> bytes | None:
        return register_bytes(self._frame, name, capacity)


class HeldFrame(NativeFrame):
    """A NativeFrame of the selected thread whose registers are read at once, so that it stays valid when another thread
    is selected."""

    def __init__(self, frame: Any, memory: ctypes.c_void_p):
        super().__init__(frame, memory)
        names = self._known or set(self._names.values())
        self._held = {name: register_bytes(self._frame, name, _WIDEST) for name in names}

    def read_register(self, name: str, capacity: int) -> bytes | None:
        data = self._held.get(name)
        return data if data is not None and len(data) <= capacity else None


def place_of(debuggee: target.Target, frame: Any, name: str) -> int | None:
    """Return the address of a compiled variable that is wholly in memory now; None: it has no value, or is
    elsewhere."""
    address = ctypes.c_uint64()
    at = NativeFrame(frame, debuggee.memory)
    status = native.library.js_program_place(debuggee.program, at.pointer, name.encode(), ctypes.byref(address))
    return None if status else address.value


_HELPERS = 4  # frames of C functions, such as numba_fmod or malloc, that compiled code has called, at most


def functions(debuggee: target.Target) -> Functions:
    """Return all compiled functions, kept until an object comes or goes."""
    return debuggee.keep(  # type: ignore[no-any-return]
        target.OBJECT,
        "functions",
        lambda: compiled_functions.read(debuggee.program),
    )


def compiled_at(debuggee: target.Target, frame: Any) -> dict[str, Any] | None:
    """Return the compiled function that this frame runs, or None. If it is inlined in one of the compiler's wrappers,
    it is returned with the wrapper's addresses."""
    inlined = (frame.name() or "") if frame.type() == gdb.INLINE_FRAME else None
    return functions(debuggee).of_frame(lookup_pc(frame), inlined)


def name_of(frame: Any, function: dict[str, Any]) -> str:
    """Return the name of the function that the frame runs, which may be inlined in `function`."""
    return str((frame.name() if frame.type() == gdb.INLINE_FRAME else None) or function["name"])


def innermost_at(debuggee: target.Target, address: int) -> dict[str, Any] | None:
    """Return the compiled function whose source the code is of. One that is inlined there is returned if it is compiled
    on its own, too."""
    function = functions(debuggee).at(address)
    name = inlined_at(address) if function is not None and function["debug_info"] else ""
    known = (each for each in functions(debuggee).all if each["name"] == name and each["kind"] in WRITTEN)
    return next(known, function) if name else function


def inlined_at(address: int) -> str:
    """Return the name of the innermost function that is inlined in the code at this address; "" if none is."""
    names = []
    block = gdb.block_for_pc(address)
    while block is not None:
        if block.function is not None:
            names.append(str(block.function.print_name))
        block = block.superblock
    return names[0] if len(names) > 1 else ""


def runs_python(debuggee: target.Target, frame: Any) -> bool:
    """True if the frame runs compiled Python of the source, and not a wrapper."""
    function = compiled_at(debuggee, frame)
    return function is not None and function["kind"] in WRITTEN


def selected(debuggee: target.Target) -> Any:
    """Return the selected frame. Raise Problem if it is not a compiled function's."""
    if not debuggee.has_process:
        raise report.Problem("no process: run or attach to a program, or open a core")
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        raise report.Problem("no frame: the thread is running or has gone") from None
    function, of_bt = compiled_at(debuggee, frame), "`jit frame N` selects a frame of `jit bt`"
    if function is not None and function["kind"] not in WRITTEN:
        whose = f"the compiler's {function['kind']} of {function['name']}"
        raise report.Problem(f"frame {frame.level()} is {whose}; {of_bt}")
    if function is None:
        name = frame.name() or f"{int(frame.pc()):#x}"
        which = caller_of(debuggee, frame) or of_bt
        raise report.Problem(f"frame {frame.level()} ({name}) is not a compiled function; {which}")
    return frame


def caller_of(debuggee: target.Target, frame: Any) -> str:
    """Return the advice to select the compiled function that has called this frame's C function; "" if none of the next
    frames is compiled."""
    older = frame.older()
    for _ in range(_HELPERS):
        if older is None:
            return ""
        function = compiled_at(debuggee, older)
        if function is not None and function["kind"] in WRITTEN:
            return f"`frame {older.level()}` selects {name_of(older, function)}, which has called it"
        older = older.older()
    return ""


_UNLIMITED = (1 << 32) - 1


def summary_options(debuggee: target.Target, brief: bool = False) -> native.RenderOptions:
    """Return render_options() for one line, the same until the next stop; `brief` as in native.RenderOptions."""

    def make() -> native.RenderOptions:
        options = render_options(True)
        options.brief = brief
        return options

    return debuggee.keep(target.STOP, ("options", brief), make)  # type: ignore[no-any-return]


def render_options(summary: bool | None = False) -> native.RenderOptions:
    """Return GDB's own limits (`show print elements` …), or in a printer those of the command (`print -elements 5
    --`). `summary`: whether the form is short; None: as GDB asks a printer, for a frame's argument list."""
    options = native.RenderOptions()
    native.library.js_render_options_init(ctypes.byref(options))
    now = gdb.print_options() if hasattr(gdb, "print_options") else {}
    options.elements = _limit("print elements", now.get("max_elements"), options.elements)
    options.repeats = _limit("print repeats", now.get("repeat_threshold"), options.repeats)
    depth = gdb.parameter("print max-depth")
    options.depth = 1000 if depth is None or depth < 0 else min(depth, 1000)
    options.summary = bool(now.get("summary")) if summary is None else summary
    options.digits = bool(gdb.parameter("jitscope digits"))
    return options


def _limit(name: str, now: int | None, fallback: int) -> int:
    if now is not None:
        return 0 if now >= _UNLIMITED else now
    try:
        value = gdb.parameter(name)
    except (RuntimeError, gdb.error):
        return fallback
    return 0 if value is None or value < 0 else int(value)
