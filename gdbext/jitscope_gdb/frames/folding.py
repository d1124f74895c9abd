"""The class of a native frame. A Python programmer does not want to see those of the interpreter, the dispatcher and
the pools."""

from __future__ import annotations

import os
import re
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_shared.frame_classes import (  # noqa: F401  (for those that use this module)
    DISPATCHER,
    EVALUATION,
    INTERPRETER,
    POOL,
    RUNTIME,
    USER,
    class_of,
    is_asking_file,
    is_asking_function,
)

from ..base import console
from ..target import target
from . import frames

# The C library that starts threads; its outermost function may have one of these names or none.
_THREADS = re.compile(r"/lib(c|pthread)[.-][^/]*$")
_DEEPEST = 200  # frames of a stack that are looked at
_CLONE = (None, "clone", "clone3", "__clone3")

_SECTION = re.compile(r"\s+(0x[0-9a-f]+) - (0x[0-9a-f]+) is \S+$")


def classify(debuggee: target.Target, frame: Any, name: str | None) -> str:
    """Return the class of a native frame. It is kept by address, because stacks repeat themselves, and by name, because
    an inlined function and the function around it have one address."""
    pc = frames.lookup_pc(frame)
    return debuggee.keep(  # type: ignore[no-any-return]
        target.OBJECT, ("class", pc, name), lambda: _classify(debuggee, pc, name or _start(frame))
    )


def phase(frame: Any) -> str:
    """Return the interpreter's activity in a stack without Python frames, from its innermost function that shows one;
    "" if no function does, as in a thread that the interpreter has not started."""
    for _ in range(_DEEPEST):
        if frame is None:
            break
        name = frame.name()
        found = native.library.js_frame_phase(name.encode()) if name is not None else None
        if found:
            return str(found.decode())
        frame = frame.older()
    return ""


def _start(frame: Any) -> str | None:
    """Return the name of the libc function that starts main or a thread, for a stripped libc. The function that calls
    main has no name, and the frame below it belongs to a function that has one. The function that starts a thread is
    one of the last two frames, and both are libc's."""
    older = frame.older()
    name = older.name() if older is not None else None
    if name is not None and name.startswith("__libc_start_"):
        return name
    outermost = older is None or (name in _CLONE and older.older() is None)
    return "start_thread" if outermost and _THREADS.search(gdb.solib_name(int(frame.pc())) or "") else None


def _classify(debuggee: target.Target, pc: int, name: str | None) -> str:
    path = gdb.solib_name(pc)
    if path is None and name is not None:
        if _is_of_a_jit(pc):
            return USER
        path = debuggee.progspace.filename
    elif path is None and _is_of_the_program(debuggee, pc):  # the program is stripped
        path = debuggee.progspace.filename
    return class_of(path, name)


def _is_of_a_jit(pc: int) -> bool:
    """True if a JIT that jitscope does not know gave GDB this code. GDB names such objects `<in-memory@0x…>`."""
    return " of <in-memory@0x" in console.text_of(f"info symbol {pc:#x}")


def _is_of_the_program(debuggee: target.Target, pc: int) -> bool:
    """True if the code is in the executable. GDB's Python API answers that for libraries only."""
    ranges = debuggee.keep(target.OBJECT, "program's sections", lambda: _program_sections(debuggee))
    return any(low <= pc < high for low, high in ranges)


def _program_sections(debuggee: target.Target) -> list[tuple[int, int]]:
    """Return the executable's address ranges. A library's lines in `info files` end with ` in FILE`."""
    found: list[tuple[int, int]] = []
    ours = False
    for line in console.text_of("info files").splitlines():
        if line.startswith("\t`"):
            ours = line.startswith(f"\t`{debuggee.progspace.filename}'")
        section = _SECTION.match(line) if ours else None
        if section:
            found.append((int(section[1], 16), int(section[2], 16)))
    return found or _mapped_program(debuggee)


def _mapped_program(debuggee: target.Target) -> list[tuple[int, int]]:
    """Return the address ranges at which the kernel has the executable. `info files` lists no sections of a child that
    GDB has followed (13.1)."""
    if getattr(getattr(debuggee.inferior, "connection", None), "type", None) != "native":
        return []
    folder = f"/proc/{debuggee.inferior.pid}"
    try:
        executable = os.readlink(f"{folder}/exe")
        with open(f"{folder}/maps", errors="surrogateescape") as stream:
            lines = [line.rstrip("\n").split(None, 5) for line in stream]
    except OSError:
        return []
    ranges = (fields[0].split("-") for fields in lines if fields[5:] == [executable])
    return [(int(low, 16), int(high, 16)) for low, high in ranges]
