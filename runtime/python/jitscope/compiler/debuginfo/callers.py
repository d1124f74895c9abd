"""The wrappers for CPython, for C and for ufuncs that Numba makes to call functions with lines. LLVM may inline the
function there, and drops the lines of code in a function that has no debug information. So a wrapper gets a scope
without lines. Functions of Numba's own library that were given a function get none: their frames would be shown.

This module wraps numba.core.codegen.CPUCodeLibrary.add_ir_module (0.57-0.68)."""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir
from numba.core import codegen

from jitscope.compiler.base import levels
from jitscope.compiler.debuginfo import dibuilder

_MANGLED = "_ZN"  # the beginning of the symbols of all functions but wrappers
_files: dict[str, str] = {}  # the files of the functions with lines, by their symbols


def remember(symbol: str, file: str) -> None:
    """Remember a function with lines by its symbol. `file`: the one with its source."""
    _files[symbol] = file


def install() -> None:
    """Wrap Numba's code library, once for each process."""
    original = codegen.CPUCodeLibrary.add_ir_module

    @functools.wraps(original)
    def add_ir_module(self: Any, ir_module: Any) -> Any:
        if _files:
            for function in ir_module.functions:
                _add_scope(ir_module, function)
        return original(self, ir_module)

    codegen.CPUCodeLibrary.add_ir_module = add_ir_module


def _add_scope(module: Any, function: Any) -> None:
    if "dbg" in function.metadata or function.name.startswith(_MANGLED):
        return
    # LLVM asks for a location of each call of a function with debug information, which any callee may have
    calls = [each for block in function.blocks for each in block.instructions if isinstance(each, ir.CallInstr)]
    files = [_files[name] for each in calls if (name := getattr(each.callee, "name", None)) in _files]
    if not files:
        return
    builder = dibuilder.LineBuilder(module, files[0], None, False)
    builder.set_level(levels.LINES, levels.DEFAULT)
    builder.has_lines = False
    builder.mark_subprogram(function, function.name, (), (), 0)
    place = builder.location(0, dibuilder.OTHER)
    for call in calls:
        call.set_metadata("dbg", place)
    builder.finalize()
