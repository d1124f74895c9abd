"""Instructions for which llvmlite's builder has no method."""

from __future__ import annotations

import itertools
import platform
from collections.abc import Iterator, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from jitscope.compiler.base import abi

INT8, INT64 = ir.IntType(8), ir.IntType(64)
POINTER = INT8.as_pointer()


class _VolatileStore(ir.instructions.StoreInstr):  # type: ignore[misc]
    """A volatile store, which llvmlite does not have."""

    def descr(self, buf: list[str]) -> None:
        own: list[str] = []
        super().descr(own)
        buf.append("".join(own).replace("store ", "store volatile ", 1))


def volatile_store(builder: ir.IRBuilder, value: ir.Value, pointer: ir.Value) -> None:
    store = _VolatileStore(builder.block, value, pointer)
    store.align = None  # as in IRBuilder.store
    builder._insert(store)


class _VolatileLoad(ir.instructions.LoadInstr):  # type: ignore[misc]
    def descr(self, buf: list[str]) -> None:
        own: list[str] = []
        super().descr(own)
        buf.append("".join(own).replace("load ", "load volatile ", 1))


def volatile_load(builder: ir.IRBuilder, pointer: ir.Value) -> ir.Value:
    load = _VolatileLoad(builder.block, pointer)
    load.align = None  # as in IRBuilder.load
    builder._insert(load)
    return load


# An instruction that does nothing, for the start of a line, and the register that it changes. On x86-64 a call can
# replace it, and one of its bytes can be another instruction: runtime/inferior/rendezvous/arrivals.c.
_MARKERS = {"x86_64": ("leal 0x7374696a, %r10d", ",~{r10}")}
MARKER = "/* marker "  # the beginning of a marker's text
_markers = itertools.count()


def next_marker() -> int:
    """Return a number that no other marker of the process has."""
    return next(_markers)


def marker(builder: ir.IRBuilder, before: Any, apart: bool = False) -> None:
    """Append an instruction that differs from all others, because LLVM would merge equal ones in neighbouring blocks.
    All memory that the program has written is up to date there. `before`: a location of another line, for a row without
    an instruction, because LLVM lets a statement begin with the first of the successive instructions of its line.
    `apart`: other threads may stop meanwhile, and GDB then misses a breakpoint that a thread reaches by one step from
    another."""
    own, builder.debug_metadata = builder.debug_metadata, before
    assembly(builder, "", "")
    builder.debug_metadata = own
    text, changed = _MARKERS.get(platform.machine(), ("nop", ""))
    assembly(builder, f"{MARKER}{next_marker()} */ {text}{'; nop' if apart else ''}", f"~{{memory}}{changed}")


# The instruction, and the registers of the raised exception and of the status of the call that has raised it, 0 if
# there is none (runtime/inspect/program/hook/raises.c and program/names/numba/return_convention.h).
_RAISES = {"x86_64": ("nopl 0x6a(%rax,%rax)", ("{rax}", "{edx}")), "aarch64": ("hint #0x6a", ("{x0}", "{w1}"))}


def raising_marker(
    builder: ir.IRBuilder, places: tuple[Any, Any], name: str, exception: ir.Value, status: ir.Value
) -> None:
    """Append an instruction that does nothing, with its arguments in registers. LLVM may merge several of one name, and
    copy one.

    `places`: its location, and the location of another instruction before it, so that it is not the first instruction
    of inlined code, which GDB would take for the caller's."""
    _marked_place(builder, places, name, _RAISES.get(platform.machine(), ("nop", ())), (exception, status))


# As for _RAISES: the register has the address of what lowered/traps.py writes.
_TRAPS = {"x86_64": ("nopl 0x6b(%rax,%rax)", ("{rax}",)), "aarch64": ("hint #0x6b", ("{x0}",))}


def trap_marker(builder: ir.IRBuilder, places: tuple[Any, Any], name: str, record: ir.Value) -> None:
    """Append an instruction that does nothing, with the record's address in a register. `places`: as of
    raising_marker()."""
    _marked_place(builder, places, name, _TRAPS.get(platform.machine(), ("nop", ())), (record,))


def _marked_place(
    builder: ir.IRBuilder,
    places: tuple[Any, Any],
    name: str,
    instruction: tuple[str, tuple[str, ...]],
    arguments: tuple[ir.Value, ...],
) -> None:
    (text, registers), own, (place, before) = instruction, builder.debug_metadata, places
    builder.debug_metadata = before
    _call(builder, f"/* {name} */ nop", "", ())
    builder.debug_metadata = place
    _call(builder, f"/* {name} */ {text}", ",".join((*registers, "~{memory}")), arguments[: len(registers)])
    builder.debug_metadata = own


def boundary(builder: ir.IRBuilder) -> None:
    """Append a label, across which no instruction is scheduled, and which takes no room."""
    kind = ir.FunctionType(ir.VoidType(), [ir.MetaDataType()])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.codeview.annotation")
    builder.call(function, [builder.module.add_metadata(["jitscope"])])


SETTLED = "/* settled */"
_VECTOR = {"x86_64": "x", "aarch64": "w"}  # the constraint of registers that hold floats


def settled(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Return the value in such a form that LLVM computes all of it after this place. A value that is no number or float
    of a usual width is returned unchanged."""
    kind = value.type
    if isinstance(kind, ir.IntType) and kind.width in (1, 8, 16, 32, 64):
        register, wide = "r", ir.IntType(32) if kind.width == 1 else kind
    elif isinstance(kind, (ir.FloatType, ir.DoubleType)) and platform.machine() in _VECTOR:
        register, wide = _VECTOR[platform.machine()], kind
    else:
        return value
    given = value if wide is kind else builder.zext(value, wide)
    found = builder.asm(ir.FunctionType(wide, [wide]), SETTLED, f"={register},0", [given], True)
    return found if wide is kind else builder.trunc(found, kind)


def assembly(builder: ir.IRBuilder, text: str, constraint: str, *arguments: ir.Value) -> None:
    """Append an instruction that LLVM does not remove, copy, or move past another of its kind or a volatile store."""
    call = _call(builder, text, constraint, arguments)
    set.update(call.attributes, ("noduplicate", "convergent"))  # one for LLVM's IR, the other for its machine code


def _call(builder: ir.IRBuilder, text: str, constraint: str, arguments: Sequence[ir.Value]) -> Any:
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    return builder.asm(kind, text, constraint, list(arguments), True)


def leaves(kind: ir.Type, offset: int = 0, path: tuple[int, ...] = ()) -> Iterator[tuple[Any, int, Any]]:
    """Yield the scalars of a type as (path for extractvalue, offset in bytes, type)."""
    if isinstance(kind, ir.BaseStructType):
        _, _, offsets = abi.structure(kind.elements, kind.packed)
        for index, (element, place) in enumerate(zip(kind.elements, offsets)):
            yield from leaves(element, offset + place, (*path, index))
    elif isinstance(kind, ir.ArrayType):
        size, _ = abi.layout(kind.element)
        for index in range(kind.count):
            yield from leaves(kind.element, offset + index * size, (*path, index))
    else:
        yield path, offset, kind
