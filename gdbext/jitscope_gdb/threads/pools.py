"""The thread pool that a thread belongs to, by the function that it was started with, which never changes."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

import gdb
from jitscope_shared.base import native
from jitscope_shared.frame_classes import layer_of
from jitscope_shared.thread_entries import FIRST, OMP, OTHER, PYTHON, TBB

from ..base import console, memory
from ..frames import folding, frames
from ..target import target
from . import recorded_launches

# Possible offsets of start_routine in glibc's struct pthread (x86-64); one is used if a thread's stack agrees with it.
_ROUTINES = (0x640, 0x638, 0x630, 0x648)
_DEPTH = 200  # frames that are searched for a thread's start
_ENTRY = re.compile(r"^25\s+AT_RANDOM\s.*?(0x[0-9a-f]+)\s*$", re.M)


class Thread(NamedTuple):
    """The facts by which a thread's frames are found."""

    native_id: int
    pc: int
    sp: int
    pointer: int  # pthread_self(), which glibc has above the thread's stack
    is_first: bool


def selected(debuggee: target.Target) -> Thread:
    thread, frame = gdb.selected_thread(), gdb.newest_frame()
    native_id = thread.ptid[1] or thread.ptid[0]
    mask = (1 << 64) - 1
    pointer = frames.register_bytes(frame, "fs_base", 8) or b""
    return Thread(
        native_id,
        int(frame.pc()),
        int(frame.read_register("sp")) & mask,
        int.from_bytes(pointer, "little"),
        native_id == debuggee.inferior.pid,
    )


def unselected(debuggee: target.Target, thread: Any) -> Thread | None:
    """Return the facts about a stopped thread from the kernel; None: only GDB knows them, which would look for an
    unwinder."""
    native_id = thread.ptid[1]
    is_first = native_id == debuggee.inferior.pid
    pointer = 0 if is_first else handle(thread)
    if not (pointer or is_first) or not debuggee.keep(target.STOP, "kernel", lambda: _is_kernels(debuggee)):
        return None
    place = _kernels_place(debuggee, native_id)
    return None if place is None else Thread(native_id, *place, pointer, is_first)


def _is_kernels(debuggee: target.Target) -> bool:
    """True if the kernel agrees with GDB about the selected thread. False for a core, and for a process of another
    machine."""
    if not debuggee.is_live or getattr(getattr(debuggee.inferior, "connection", None), "type", None) != "native":
        return False
    thread = gdb.selected_thread()
    if thread is None or not thread.is_stopped():
        return False
    own = selected(debuggee)
    return _kernels_place(debuggee, own.native_id) == (own.pc, own.sp)


def _kernels_place(debuggee: target.Target, native_id: int) -> tuple[int, int] | None:
    """Return a stopped thread's pc and stack pointer (proc_pid_syscall(5)), or None."""
    try:
        with open(f"/proc/{debuggee.inferior.pid}/task/{native_id}/syscall", "rb") as file:
            words = file.read().split()
        return int(words[-1], 16), int(words[-2], 16)
    except (OSError, ValueError, IndexError):
        return None


def known(debuggee: target.Target, thread: Thread) -> str | None:
    """Like of_thread(), for any thread; None if the thread must be selected for that."""
    if thread.is_first:
        return PYTHON if debuggee.python() is not None else OTHER
    routine = _routine(debuggee, thread.pointer)
    return debuggee.keep(target.PROCESS, "routines", dict).get(routine)  # type: ignore[no-any-return]


def last_return(debuggee: target.Target, thread: Thread) -> int | None:
    """Return an address of the thread's stack beyond which there is no frame of compiled code; None: there is none at
    all."""
    limit = stack_end(debuggee, thread)
    everywhere = (1 << 64) - 1
    if limit <= thread.sp:  # the thread is on another stack, such as a signal handler's
        return everywhere
    found = native.c_uint64()
    status = native.library.js_program_last_return(
        debuggee.program, debuggee.data_memory(), thread.sp, limit, native.byref(found)
    )
    if status == native.ENOTFOUND:
        return None
    return everywhere if status < 0 else found.value


def stack_end(debuggee: target.Target, thread: Thread) -> int:
    """Return an address above the thread's stack."""
    return _first_stack_end(debuggee) if thread.is_first else thread.pointer


def _first_stack_end(debuggee: target.Target) -> int:
    """Return an address above the first thread's stack, where the kernel puts random bytes (execve, AT_RANDOM)."""

    def find() -> int:
        match = _ENTRY.search(console.text_of("info auxv"))
        return int(match[1], 16) if match else 0

    return int(debuggee.keep(target.PROCESS, "stack end", find))


def of_thread(debuggee: target.Target, thread: Thread) -> str:
    """Return the selected thread's layer, or PYTHON, or OTHER."""
    layer = known(debuggee, thread)
    if layer is not None:
        return layer
    kept = debuggee.keep(target.PROCESS, "threads", dict)
    key = thread.native_id, thread.pointer
    if key not in kept:
        kept[key], start = _by_stack(debuggee)
        if start is not None:
            _learn(debuggee, thread, kept[key], start)
    return str(kept[key])


def _learn(debuggee: target.Target, thread: Thread, kind: str, start: int) -> None:
    """Note where a thread keeps the function that it was started with, if that is the function around `start`."""
    for offset in _ROUTINES:
        routine = _word(debuggee, thread.pointer + offset)
        if routine and _is_in(start, routine):
            debuggee.keep(target.PROCESS, "routine's offset", lambda chosen=offset: chosen)  # type: ignore[misc]
            debuggee.keep(target.PROCESS, "routines", dict)[routine] = kind
            return


# -- the selected thread's number, found without another thread's frames, for a breakpoint's stop()


def workers_of_selected(debuggee: target.Target) -> set[int]:
    """Return the kernel's ids of the threads of the selected thread's pool, including its own; empty: it is in no
    pool."""
    own = selected(debuggee)
    layer = of_thread(debuggee, own)
    started = {}
    for other in debuggee.inferior.threads():
        if other.is_valid() and hasattr(other, "handle"):
            started[other.ptid[1]] = _routine(debuggee, handle(other))
    routines = debuggee.keep(target.PROCESS, "routines", dict)
    if layer in (PYTHON, OTHER):  # it is a thread that starts regions
        pool = {native_id for native_id, routine in started.items() if routines.get(routine) in (OMP, TBB)}
        return {own.native_id} | pool
    pool = {native_id for native_id, routine in started.items() if routines.get(routine) == layer}
    return pool | ({debuggee.inferior.pid} if FIRST.get(layer, 1) else set())


def number_of_selected(debuggee: target.Target) -> int | None:
    """Return the selected thread's number in its layer; None: it is in no pool, or its pool's threads are not known."""
    own = selected(debuggee)
    layer = of_thread(debuggee, own)
    said = recorded_launches.number(debuggee, own.native_id)
    if said is not None:
        return said
    if layer in (PYTHON, OTHER):
        return 0
    routines = debuggee.keep(target.PROCESS, "routines", dict)
    pool = sorted(
        other.ptid[1]
        for other in debuggee.inferior.threads()
        if other.is_valid() and hasattr(other, "handle") and routines.get(_routine(debuggee, handle(other))) == layer
    )
    return pool.index(own.native_id) + FIRST.get(layer, 1) if own.native_id in pool else None


def handle(thread: Any) -> int:
    """Return pthread_self() of a thread; 0 if GDB does not know it."""
    try:
        return int.from_bytes(thread.handle(), "little")
    except (gdb.error, RuntimeError):
        return 0


def _routine(debuggee: target.Target, pointer: int) -> int:
    """Return the function that a thread was started with; 0 as long as its place in struct pthread is not known."""
    offset = debuggee.keep(target.PROCESS, "routine's offset", lambda: None) if _is_known(debuggee) else None
    return _word(debuggee, pointer + offset) if offset is not None else 0


def _is_known(debuggee: target.Target) -> bool:
    return bool(debuggee.keep(target.PROCESS, "routines", dict))


def _word(debuggee: target.Target, address: int) -> int:
    try:
        return memory.integer(debuggee.inferior, address)
    except (gdb.error, gdb.MemoryError, OverflowError):
        return 0


def _by_stack(debuggee: target.Target) -> tuple[str, int | None]:
    """Return the thread's kind by the outermost frame that is not the C library's, and that frame's pc."""
    frame, outermost = gdb.newest_frame(), None
    for _ in range(_DEPTH):
        if frame is None:
            break
        outermost = outermost if _is_libc(frame) else frame
        frame = frame.older()
    if outermost is None:
        return OTHER, None
    pc = int(outermost.pc())
    path = gdb.solib_name(pc)
    layer = layer_of(path)
    if layer is not None:
        return layer, pc
    kind = folding.classify(debuggee, outermost, outermost.name())
    return (PYTHON if kind in (folding.INTERPRETER, folding.EVALUATION) else OTHER), pc


def _is_libc(frame: Any) -> bool:
    name = os.path.basename(gdb.solib_name(int(frame.pc())) or "")
    return name.startswith(("libc.", "libc-", "libpthread", "ld-linux"))


def _is_in(pc: int, routine: int) -> bool:
    """True if the pc may be in the routine: it is in the same file, and not before the routine."""
    return routine <= pc < routine + (1 << 16) and gdb.solib_name(pc) == gdb.solib_name(routine)
