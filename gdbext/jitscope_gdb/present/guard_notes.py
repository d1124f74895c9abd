"""What the guard knows about an address (JITSCOPE_GUARD): the array next to it, where it was made, and where freed."""

from __future__ import annotations

from typing import Any, Iterator

import gdb
from jitscope_shared.base import contract

from ..base import console
from ..frames import frames
from ..target import cells, guarded, target

_VARIABLES = 64  # most variables of a frame that are looked at
_MEMBERS = ("meminfo", "parent")


def explain(debuggee: target.Target, address: int, entry: dict[str, Any] | None) -> str | None:
    """Return the line about a fault at this address. `entry`: js_program_explain_fault()'s, which counts if it names an
    index. None: the guard knows nothing about the address."""
    block = guarded.at(debuggee, address)
    if block is None or entry is not None and not entry["is_inside"]:
        return None
    if address < block.end:
        return _within(debuggee, block, address, entry) if block.state == contract.GUARD_FREED else None
    return _beside(debuggee, block, address)


def _within(debuggee: target.Target, block: Any, address: int, entry: dict[str, Any] | None) -> str:
    freed, made = _freed(debuggee, block), _made(debuggee, block)
    if address < block.start + block.head:
        name = _owner(debuggee, block)
        what = f"`{name}`" if name else "an object" if block.kind == contract.GUARD_OBJECT else "an array"
        return f"the reference count of {what} is used after its memory was {freed} ({made})"
    if entry is not None and block.start <= entry["data"] < block.end:
        return f"the memory of `{entry['array']}` was {freed}: address {address:#x} is in it ({made})"
    return f"address {address:#x} is in memory that was {freed} ({made})"


def _beside(debuggee: target.Target, block: Any, address: int) -> str:
    """Return the distance from the nearer of the two arrays between which the address is."""
    after = guarded.after(debuggee, block)
    where, near = f"{_bytes(address - block.end + 1)} past the end", block
    if after is not None and after.start > address and after.start - address < address - block.end:
        where, near = f"{_bytes(after.start - address)} before the memory", after
    state = f", {_freed(debuggee, near)}" if near.state == contract.GUARD_FREED else ""
    return f"address {address:#x} is {where} of {_made(debuggee, near)}{state}"


def damage(debuggee: target.Target) -> str | None:
    """Return the line about the damage that the program has found when memory was freed; None: it has found none."""
    found = guarded.damaged(debuggee)
    if found is None:
        return None
    known, block = found
    if block is None or known.damage == contract.DAMAGE_TWICE and block.state != contract.GUARD_FREED:
        return None
    if known.damage == contract.DAMAGE_TWICE:
        return f"{_made(debuggee, block)}, is freed twice: it was {_freed(debuggee, block)} before"
    return (
        f"an earlier write went before the start of {_made(debuggee, block)}: address {known.damage_at:#x}, "
        f"{_bytes(block.data - known.damage_at)} before its data, was overwritten; run with NUMBA_BOUNDSCHECK=1 and "
        "`jit catch IndexError`"
    )


def _bytes(number: int) -> str:
    return "1 byte" if number == 1 else f"{number} bytes"


def _size(block: Any) -> str:
    what = "an object" if block.kind == contract.GUARD_OBJECT else "an array"
    if block.kind == contract.GUARD_NUMPY and block.size == 1:
        return f"{what} of at most 1 byte"  # NumPy takes memory for an array without elements, too
    return f"{what} of {_bytes(block.size)}"


def _made(debuggee: target.Target, block: Any) -> str:
    where = _place(debuggee, block.made)
    return f"{_size(block)}, made {where}" if where else _size(block)


def _freed(debuggee: target.Target, block: Any) -> str:
    return f"freed {_place(debuggee, block.freed, is_end=True)}".rstrip()


def _place(debuggee: target.Target, place: Any, is_end: bool = False) -> str:
    """Return `at FILE:LINE` for the innermost code of the user's that ran there, or `in FUNCTION` if its line is not
    certain, or "". `is_end`: memory was freed there. The hook's code that drops references has no line of its own."""
    known = frames.functions(debuggee)
    for code in place.codes:
        function = known.at(code - 1) if code else None
        if function is not None and _is_users(function):
            line = gdb.find_pc_line(code - 1)
            if line.symtab is None or not line.line or is_end and function["level"] is not None:
                return f"in {function['parent'] or function['name']}"
            return f"at {cells.base_name(line.symtab.filename)}:{line.line}"
        elif function is None and not _is_runtime(code):
            break
    path = guarded.file_of(debuggee, place)
    return f"at {console.base_name(path)}:{place.line}" if path else ""


def _is_users(function: dict[str, Any]) -> bool:
    return function["kind"] in frames.WRITTEN and not (function["module"] or "").startswith("numba.")


def _is_runtime(code: int) -> bool:
    """True if the code is of Numba's or NumPy's libraries, which run for what has called them."""
    path = gdb.solib_name(code) or ""
    return "/numba/" in path or "/numpy/" in path or console.base_name(path).startswith("libc.")


def _owner(debuggee: target.Target, block: Any) -> str | None:
    """Return the only variable of the newest frame with source that holds this MemInfo."""
    frame = gdb.newest_frame()
    for _ in range(8):
        if frame is None:
            return None
        function = frames.compiled_at(debuggee, frame)
        if function is not None and function["kind"] in frames.WRITTEN and frame.find_sal().symtab is not None:
            names = [name for name, meminfo in held(frame) if meminfo == block.start]
            return names[0] if len(names) == 1 else None
        frame = frame.older()
    return None


def held(frame: Any) -> Iterator[tuple[str, int]]:
    """Yield the frame's variables with the addresses of the MemInfos that they hold."""
    try:
        block = frame.block()
    except RuntimeError:
        return
    seen = 0
    while block is not None and not block.is_global and not block.is_static and seen < _VARIABLES:
        for symbol in block:
            seen += 1
            if symbol.is_variable or symbol.is_argument:
                found = _meminfo(frame, symbol)
                if found:
                    yield symbol.name, found
        block = None if block.function is not None else block.superblock


def _meminfo(frame: Any, symbol: Any) -> int:
    try:
        value = frame.read_var(symbol)
        kind = value.type.strip_typedefs()
        if kind.code != gdb.TYPE_CODE_STRUCT:
            return 0
        names = [field.name for field in kind.fields()]
        if names == ["data", "valid"]:  # an optional value
            value = value["data"]
            kind = value.type.strip_typedefs()
            names = [field.name for field in kind.fields()] if kind.code == gdb.TYPE_CODE_STRUCT else []
        return next((int(value[name]) for name in _MEMBERS if name in names), 0)
    except (gdb.error, gdb.MemoryError, ValueError):
        return 0
