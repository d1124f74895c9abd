"""What llvmlite's builder has no method for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from jitscope.compiler import abi

INT8, INT64 = ir.IntType(8), ir.IntType(64)
POINTER = INT8.as_pointer()


class _VolatileStore(ir.instructions.StoreInstr):  # type: ignore[misc]
    """llvmlite has no volatile instructions."""

    def descr(self, buf: list[str]) -> None:
        own: list[str] = []
        super().descr(own)
        buf.append("".join(own).replace("store ", "store volatile ", 1))


def volatile_store(builder: ir.IRBuilder, value: ir.Value, pointer: ir.Value) -> None:
    store = _VolatileStore(builder.block, value, pointer)
    store.align = None  # as IRBuilder.store does
    builder._insert(store)


_markers = itertools.count()


def marker(builder: ir.IRBuilder, before: Any) -> None:
    """A `nop` that is unlike any other, else LLVM makes one of two in neighbouring blocks. All memory that the program
    has written is in place there. before: a location of another line, for a row without an instruction: LLVM lets a
    statement begin with the first of the instructions of its line that follow each other."""
    own, builder.debug_metadata = builder.debug_metadata, before
    assembly(builder, "", "")
    builder.debug_metadata = own
    assembly(builder, f"nop /* {next(_markers)} */", "~{memory}")


def boundary(builder: ir.IRBuilder) -> None:
    """A label, which no instruction is scheduled across, and which takes no room."""
    kind = ir.FunctionType(ir.VoidType(), [ir.MetaDataType()])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.codeview.annotation")
    builder.call(function, [builder.module.add_metadata(["jitscope"])])


def assembly(builder: ir.IRBuilder, text: str, constraint: str, *arguments: ir.Value) -> None:
    """An instruction that LLVM neither removes nor copies, nor moves past another of its kind or a volatile store."""
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    call = builder.asm(kind, text, constraint, list(arguments), True)
    set.add(call.attributes, "noduplicate")  # one that llvmlite does not know


def leaves(kind: ir.Type, offset: int = 0, path: tuple[int, ...] = ()) -> Iterator[tuple[Any, int, Any]]:
    """The scalars of a type as (path for extractvalue, offset in bytes, type)."""
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
