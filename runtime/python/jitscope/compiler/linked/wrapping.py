"""Integers that wrap in functions with traps, as a trap says that they do.

Numba lets LLVM assume that signed integers do not overflow (`nsw`; numba/cpython/numbers.py, _int_arith_flags,
0.57-0.68). LLVM then may compute anything of a result that has: another number than the one that a trap names, or the
condition of the next trap. So functions with traps, the array expressions that they compute, and what is linked into
them (`x ** n` is a function of Numba's) are compiled without this assumption."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm

from jitscope.compiler.debuginfo import caching

ELEMENTS = "jitscope_elements"  # attribute of Numba's target context: True while it compiles the expression of an array
_ASSUMES = re.compile(r"(?<= = )(add|sub|mul|shl)( nuw)? nsw ")


def let_wrap(lower: Any, has_traps: bool) -> None:
    """Take the assumption from the function that has been lowered, if it has traps or computes array elements for one
    that has."""
    if not has_traps and not vars(lower.context).get(ELEMENTS):
        return
    for block in lower.builder.function.blocks:
        for instruction in block.instructions:
            if "nsw" in getattr(instruction, "flags", ()):
                instruction.flags = [flag for flag in instruction.flags if flag != "nsw"]


def optimize(original: Any, library: Any) -> None:
    """Wrap CPUCodeLibrary._optimize_final_module."""
    if getattr(library, caching.TRAPS, 0):
        module = library._final_module
        text = str(module)
        found = _ASSUMES.sub(lambda each: f"{each[1]}{each[2] or ''} ", text)
        if found != text:
            library._final_module = llvm.parse_assembly(found)
            library._final_module.name = module.name
    original(library)
