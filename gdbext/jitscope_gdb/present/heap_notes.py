"""Damage of the C library's heap beside the memory of an array that a variable still holds."""

from __future__ import annotations

import ctypes
from typing import Any, Iterator, NamedTuple

import gdb
from jitscope_shared.base import native
from jitscope_shared.machine_registers import PRESERVED

from ..base import console
from ..frames import frames, python_frames
from ..stacks import merged_stack
from ..target import target

_FRAMES = 200  # frames of the selected thread that are looked at
_VARIABLES = 256  # variables of one Python frame
_COUNTS = 1 << 31  # more references than one object has; memory that was freed begins with addresses


class Block(NamedTuple):
    """Memory from malloc. `who` says whose; `name`: the array's, "" if no variable holds it; `is_used`: it is known to
    be in use; `data`, `itemsize`: of an array with one axis and without gaps, else 0."""

    address: int
    name: str
    who: str
    is_used: bool = False
    data: int = 0
    itemsize: int = 0


def explain(debuggee: target.Target, stack: list[Any]) -> str | None:
    """Return what is damaged, if the first header that is not valid follows the memory of a variable's array, or of one
    that is being freed. `stack`: frames from the newest one to the call of the allocator at least."""
    blocks: dict[int, Block] = {}
    for block in (*_blocks(debuggee), *_freed(debuggee, stack)):
        blocks.setdefault(block.address, block)
    damage = native.HeapDamage()
    for address in sorted(blocks):
        if not native.library.js_heap_damage_after(debuggee.data_memory(), address, ctypes.byref(damage)):
            return _text(blocks[address], damage.size_at, blocks.get(damage.following))
    return None


def _text(block: Block, at: int, following: Block | None) -> str:
    element = f", where `{block.name}[{(at - block.data) // block.itemsize}]` would be," if block.itemsize else ""
    size = "" if block.name else f" (at most {at - block.address} bytes at {block.address:#x})"
    after = f"of {following.who}" if following else "of the memory after it"
    unless = "" if block.is_used else ", unless that memory was freed before"
    return (
        f"the allocator's header after {block.who}{size}{element} was overwritten, by a write past the end of "
        f"{f'`{block.name}`' if block.name else 'that memory'} or before the start {after}{unless}"
    )


# -- the arrays that variables hold


def _blocks(debuggee: target.Target) -> Iterator[Block]:
    """Yield the memory of the arrays that variables of the selected thread's frames hold, the newest frame first."""
    frame = gdb.newest_frame()
    for _ in range(_FRAMES):
        if frame is None:
            break
        function = frames.compiled_at(debuggee, frame)
        if function is not None and function["kind"] in frames.WRITTEN:
            yield from _of_compiled(debuggee, frame, frame.name() or function["name"])
        frame = frame.older()
    for entry in merged_stack.Stack(debuggee).thread(gdb.newest_frame()):
        if entry["kind"] == "python":
            yield from _of_python(debuggee, entry)


def _of_compiled(debuggee: target.Target, frame: Any, function: str) -> Iterator[Block]:
    for name, value in variables(frame):
        kind = value.type.strip_typedefs()
        if kind.code != gdb.TYPE_CODE_STRUCT or not {"meminfo", "data", "itemsize"} <= {f.name for f in kind.fields()}:
            continue
        try:
            meminfo, data, itemsize = (int(value[part]) for part in ("meminfo", "data", "itemsize"))
            is_plain = _strides(value["strides"]) == [itemsize]
        except (gdb.error, gdb.MemoryError, ValueError):
            continue
        who = f"the memory of `{name}` of {console.plain(function)}"
        yield from _counted(debuggee, meminfo, name, who, (data, itemsize) if is_plain else (0, 0))


def _strides(value: Any) -> list[int]:
    """Return the strides, which stock code has as a C array and the corrected types as a tuple."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return [int(value[at]) for at in range(kind.range()[1] + 1)]
    return [int(value[field]) for field in kind.fields()]


def _of_python(debuggee: target.Target, entry: dict[str, Any]) -> Iterator[Block]:
    for variable in python_frames.variables(debuggee, entry["address"], summary=True)[:_VARIABLES]:
        held = python_frames.held(debuggee, entry["address"], variable["name"])
        if held is None:
            continue
        name = console.plain(variable["name"])
        who = f"the memory of `{name}` of {console.plain(entry['name'])}"
        plain = held.data, held.itemsize
        if held.block:
            yield Block(held.block, name, who, True, *plain)
        elif held.meminfo:
            yield from _counted(debuggee, held.meminfo, name, who, plain)


def _counted(debuggee: target.Target, meminfo: int, name: str, who: str, plain: tuple[int, int]) -> Iterator[Block]:
    """Yield the block of a MemInfo, if its elements follow it."""
    found = counted_memory(debuggee, meminfo)
    if found is not None and found.block and found.count < _COUNTS:  # 0: it is being freed
        yield Block(found.block, name, who, found.count > 0, *plain)


def counted_memory(debuggee: target.Target, meminfo: int) -> native.CountedMemory | None:
    """Return what a MemInfo says; None: its memory can't be read."""
    found = native.CountedMemory()
    if not meminfo or native.library.js_boxed_memory_read(debuggee.data_memory(), meminfo, ctypes.byref(found)):
        return None
    return found


def _freed(debuggee: target.Target, stack: list[Any]) -> Iterator[Block]:
    """Yield the memory that is being freed, if an array of NumPy or Numba's runtime frees it."""
    for frame in stack:
        name, path = frame.name() or "", gdb.solib_name(int(frame.pc())) or ""
        if name == "array_dealloc" and "/numpy/" in path:
            yield from _of_freed_array(debuggee, frame)
        elif "/numba/" in path and native.library.js_boxed_is_freeing(name.encode()):
            try:
                yield Block(int(frame.read_var("mi")), "", "the memory that is being freed")
            except (gdb.error, gdb.MemoryError, ValueError):
                continue


def _of_freed_array(debuggee: target.Target, frame: Any) -> Iterator[Block]:
    """Yield the memory of the array that array_dealloc (numpy/core/src/multiarray/arrayobject.c) frees: its frame has
    the array's address in a register that calls preserve."""
    for register in sorted(PRESERVED["x86-64"]):
        value = int.from_bytes(frames.register_bytes(frame, register, 8) or b"", "little")
        held = python_frames.held_by_freed(debuggee, value) if value else None
        if held is not None and held.block:
            yield Block(held.block, "", "the memory that is being freed")


def variables(frame: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a compiled frame's variables."""
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                try:
                    yield symbol.name, frame.read_var(symbol, block)
                except (gdb.error, gdb.MemoryError, ValueError):
                    continue
        block = None if block.function is not None else block.superblock
