"""The wrappers for ufuncs that Numba makes to call functions with lines. LLVM may inline the function there, and drops
the lines of code in a function that has no debug information. So such a wrapper gets a scope without lines. The
wrappers for CPython and for C get none, because Numba forbids LLVM to inline there: each scope would have a unit, which
is a tenth of a small object. Functions of Numba's own library that were given a function get none either: their frames
would be shown.

This module wraps numba.core.codegen.CPUCodeLibrary.add_ir_module (0.57-0.68)."""

from __future__ import annotations

import functools
import weakref
from typing import Any

from llvmlite import ir
from numba.core import codegen

from jitscope.compiler.base import levels
from jitscope.compiler.debuginfo import dibuilder, strings

_MANGLED = "_ZN"  # the beginning of the symbols of all functions but wrappers
_FILE = "_jitscope_file"  # attribute of a library: the file with its function's source
# the libraries of the functions with lines, by their symbols, as long as the functions exist
_libraries: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def remember(library: Any, symbol: str, file: str) -> None:
    """Remember a function with lines by its symbol. `file`: the one with its source."""
    setattr(library, _FILE, file)
    _libraries[symbol] = library


def install() -> None:
    """Wrap Numba's code library, once for each process."""
    original = codegen.CPUCodeLibrary.add_ir_module

    @functools.wraps(original)
    def add_ir_module(self: Any, ir_module: Any) -> Any:
        if _libraries:
            for function in ir_module.functions:
                if _add_scope(ir_module, function):
                    setattr(self, strings.OWN, True)
        return original(self, ir_module)

    codegen.CPUCodeLibrary.add_ir_module = add_ir_module


def _add_scope(module: Any, function: Any) -> bool:
    """Give the function a scope if it is such a wrapper. True if it is."""
    if "dbg" in function.metadata or function.name.startswith(_MANGLED):
        return False
    # LLVM asks for a location of each call of a function with debug information, which any callee may have
    calls = [each for block in function.blocks for each in block.instructions if isinstance(each, ir.CallInstr)]
    file = next(filter(None, map(_inlined_from, calls)), None)
    if file is None:
        return False
    builder = dibuilder.LineBuilder(module, file, None, False)
    builder.set_level(levels.LINES, levels.DEFAULT)
    builder.has_lines = False
    builder.mark_subprogram(function, function.name, (), (), 0)
    place = builder.location(0, dibuilder.OTHER)
    for call in calls:
        call.set_metadata("dbg", place)
    builder.finalize()
    return True


def _inlined_from(call: Any) -> str | None:
    """Return the file of the function with lines that LLVM may inline at the call, or None."""
    library = _libraries.get(getattr(call.callee, "name", "")) if "noinline" not in call.attributes else None
    return getattr(library, _FILE, None)
