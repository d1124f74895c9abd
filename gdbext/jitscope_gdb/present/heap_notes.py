"""Damage of the C library's heap beside the memory of an array that a variable still holds.

glibc (malloc/malloc.c, 2.3-2.41) writes a header before each block: 16 bytes, where the second 8 are the size of the
block with its header, a multiple of 16, and three flags. A header that says another size was overwritten, since only
the allocator writes there, as long as the block before it is in use: the allocator may have given the memory after a
block that was freed to other blocks."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import gdb

from ..base import console
from ..frames import frames, python_frames
from ..target import target
from ..threads import stacks

_FRAMES = 200  # frames of the selected thread that are looked at
_VARIABLES = 256  # variables of one Python frame
_HEADER = 16
_IS_MMAPPED, _FLAGS = 2, 7
_LEAST = 32  # bytes of the smallest chunk
_FENCE = 16  # bytes that a header at the end of a part of the heap says
_MEMINFO = 48  # bytes of Numba's MemInfo, which the elements follow (numba/core/runtime/nrt.cpp, 0.57-0.68)
_COUNTS = 1 << 31  # more references than one object has; memory that was freed begins with addresses
_ALIGNED = 128  # most bytes that alignment puts between them


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
    for address in sorted(blocks):
        after = _damaged_after(debuggee, blocks[address])
        if after is not None:
            return _text(blocks[address], after, blocks.get(after + _HEADER))
    return None


def _text(block: Block, header: int, following: Block | None) -> str:
    at = header + 8
    element = f", where `{block.name}[{(at - block.data) // block.itemsize}]` would be," if block.itemsize else ""
    size = "" if block.name else f" (at most {at - block.address} bytes at {block.address:#x})"
    after = f"of {following.who}" if following else "of the memory after it"
    unless = "" if block.is_used else ", unless that memory was freed before"
    return (
        f"the allocator's header after {block.who}{size}{element} was overwritten, by a write past the end of "
        f"{f'`{block.name}`' if block.name else 'that memory'} or before the start {after}{unless}"
    )


def _damaged_after(debuggee: target.Target, block: Block) -> int | None:
    """Return the address of the header after this block, if the block's own is valid and that one is not."""
    own, size = block.address - _HEADER, _word(debuggee, block.address - 8)
    if size is None or block.address % 16 or size & _IS_MMAPPED or not _is_size(debuggee, own, size):
        return None
    header = own + (size & ~_FLAGS)
    following = _word(debuggee, header + 8)
    if following is None:
        return None
    return None if following & ~_FLAGS == _FENCE or _is_size(debuggee, header, following) else header


def _is_size(debuggee: target.Target, header: int, size: int) -> bool:
    """True if a chunk with this size and these flags can be at the header."""
    length = size & ~_FLAGS
    return length >= _LEAST and length % 16 == 0 and _word(debuggee, header + length - 8) is not None


def _word(debuggee: target.Target, address: int) -> int | None:
    try:
        return int.from_bytes(bytes(debuggee.inferior.read_memory(address, 8)), "little")
    except (gdb.MemoryError, OverflowError, ValueError):
        return None


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
    for entry in stacks.Stack(debuggee).thread(gdb.newest_frame()):
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
    count, data = (_word(debuggee, meminfo + at) if meminfo else None for at in (0, 24))
    if count is not None and data is not None and _MEMINFO <= data - meminfo <= _MEMINFO + _ALIGNED:
        if count < _COUNTS:  # 0: it is being freed
            yield Block(meminfo, name, who, count > 0, *plain)


def _freed(debuggee: target.Target, stack: list[Any]) -> Iterator[Block]:
    """Yield the memory that is being freed, if an array of NumPy or Numba's runtime frees it."""
    for frame in stack:
        name, path = frame.name() or "", gdb.solib_name(int(frame.pc())) or ""
        if name == "array_dealloc" and "/numpy/" in path:
            yield from _of_freed_array(debuggee, frame)
        elif name.startswith("NRT_MemInfo_") and "/numba/" in path:
            try:
                yield Block(int(frame.read_var("mi")), "", "the memory that is being freed")
            except (gdb.error, gdb.MemoryError, ValueError):
                continue


def _of_freed_array(debuggee: target.Target, frame: Any) -> Iterator[Block]:
    """Yield the memory of the array that array_dealloc (numpy/core/src/multiarray/arrayobject.c) frees: its frame has
    the array's address in a register that calls preserve."""
    for register in sorted(frames.PRESERVED["x86-64"]):
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
