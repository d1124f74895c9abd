"""LLVM's layout of values (llvm/lib/IR/DataLayout.cpp: natural alignment). LLVM itself is not asked, because it parses
a module for each answer."""

from __future__ import annotations

import struct
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

_POINTER = struct.calcsize("P")
_LONG = 16 if llvm.llvm_version_info[0] >= 18 else 8  # alignment of i128


class Unknown(Exception):
    """A type whose layout this module does not know."""


def layout(kind: ir.Type) -> tuple[int, int]:
    """Return the size and the alignment in bytes. Raise Unknown."""
    if isinstance(kind, ir.IntType):
        size = max(1, 1 << (kind.width - 1).bit_length() >> 3)
        return size, size if size <= 8 else _LONG
    if isinstance(kind, ir.PointerType):
        return _POINTER, _POINTER
    if isinstance(kind, ir.DoubleType):
        return 8, 8
    if isinstance(kind, ir.FloatType):
        return 4, 4
    if isinstance(kind, ir.HalfType):
        return 2, 2
    if isinstance(kind, ir.ArrayType):
        size, alignment = layout(kind.element)
        return kind.count * size, alignment
    if isinstance(kind, ir.types.BaseStructType) and kind.elements is not None:
        size, alignment, _ = structure(kind.elements, kind.packed)
        return size, alignment
    raise Unknown(str(kind))


def structure(elements: Any, packed: bool = False) -> tuple[int, int, list[int]]:
    """Return the size, the alignment and the elements' offsets in bytes."""
    offset, whole, offsets = 0, 1, []
    for element in elements:
        size, alignment = layout(element)
        if packed:
            alignment = 1
        offset += -offset % alignment
        offsets.append(offset)
        offset += size
        whole = max(whole, alignment)
    return offset + -offset % whole, whole, offsets


def check(target_data: Any = None) -> str | None:
    """Return why `layout` cannot be trusted, or None. `target_data`: LLVM's layout for a machine; None: for this
    one."""
    if target_data is None:
        llvm.initialize_native_target()
        target_data = llvm.Target.from_default_triple().create_target_machine().target_data
    word = ir.IntType(64)
    probes = [
        ir.LiteralStructType([ir.IntType(1), ir.HalfType(), ir.IntType(8), ir.DoubleType(), ir.IntType(32)]),
        ir.LiteralStructType([ir.IntType(8).as_pointer(), ir.ArrayType(ir.IntType(16), 3), ir.FloatType()]),
        ir.LiteralStructType([ir.IntType(8), ir.ArrayType(ir.LiteralStructType([word, ir.IntType(1)]), 2)]),
    ]
    for probe in probes:
        if (probe.get_abi_size(target_data), probe.get_abi_alignment(target_data)) != layout(probe):
            return f"this machine lays out {probe} otherwise than jitscope expects"
    return None
