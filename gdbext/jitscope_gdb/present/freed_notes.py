"""A crash in a line of compiled code that uses an object of Numba's whose memory was freed, by its reference count."""

from __future__ import annotations

import ast
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import files

from ..frames import frames
from ..target import cells, sources, target
from . import guard_notes, heap_notes

_LOOKED_AT = 16  # frames of code that the line has called
# Numbers of references: more than an object has, and more than it is likely to have. Memory that was freed begins with
# addresses.
_COUNTS, _LIKELY = 1 << 31, 1 << 16


def explain(debuggee: target.Target) -> str | None:
    """Return which variable of the innermost line with source holds memory that was freed; None: none is known to."""
    frame, is_freeing = gdb.newest_frame(), False
    for _ in range(_LOOKED_AT):
        if frame is None:
            return None
        function = frames.compiled_at(debuggee, frame)
        place = frame.find_sal()
        if function is not None and function["kind"] in frames.WRITTEN and place.symtab is not None:
            break
        name = frame.name() or ""
        is_freeing = is_freeing or name.startswith("free") or native.library.js_boxed_is_freeing(name.encode())
        frame = frame.older()
    else:
        return None
    used = _used(debuggee, place.symtab.fullname(), place.line)
    for name, meminfo in guard_notes.held(frame):
        memory = heap_notes.counted_memory(debuggee, meminfo) if name in used else None
        if memory is not None and (_is_freed(debuggee, memory) or memory.count == 0 and not is_freeing):
            where = f"{cells.base_name(place.symtab.filename)}:{place.line}"
            return (
                f"the memory of `{name}`, which {where} uses, was freed or overwritten: its reference count "
                f"is {memory.count:#x}; `set environment JITSCOPE_GUARD 1` and `run` (or `jitscope run --guard`) show "
                "where"
            )
    return None


def _is_freed(debuggee: target.Target, memory: native.CountedMemory) -> bool:
    """True if this is no MemInfo: more references than an object has, or more than it is likely to have and a
    destructor that is no code."""
    if memory.count >= _COUNTS or memory.count < _LIKELY or not memory.destructor:
        return bool(memory.count >= _COUNTS)
    return gdb.solib_name(memory.destructor) is None and frames.functions(debuggee).at(memory.destructor) is None


def _used(debuggee: target.Target, file: str, line: int) -> set[str]:
    """Return the names that the line reads and does not assign: they hold objects while it runs."""
    path = sources.find(debuggee, file)
    tree: Any = files.tree_of(path, sources.born(debuggee)) if path else None
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.lineno == line] if tree else []
    assigned = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names} - assigned
