"""Calls of libjitscope.so where compiled code raises, and where it returns an exception that a call has returned: with
JITSCOPE_TRACEBACKS=all. They are on ways that only exceptions take.

This module wraps numba.core.callconv.CPUCallConv (0.57-0.68)."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import callconv, cgutils

from jitscope import stops
from jitscope.compiler.base import levels
from jitscope.compiler.base.emit import INT64, POINTER
from jitscope.compiler.base.wrapped import wrap

_HERE, _THROUGH = _FUNCTIONS = ("jitscope_raised_here", "jitscope_raised_through")


@functools.lru_cache(maxsize=1)
def are_on() -> bool:
    return levels.tracebacks() == levels.ALL


def register() -> None:
    """Make the symbols known to LLVM; code that was cached needs them, too."""
    for name in _FUNCTIONS:
        llvm.add_symbol(name, ctypes.cast(getattr(stops.library(), name), ctypes.c_void_p).value)


def line_of(place: Any) -> int:
    """Return the line of a DILocation, or 0 if it has none in the function's own file."""
    if place is None:
        return 0
    fields = dict(place.operands)
    return int(fields["line"]) if fields["scope"].kind != "DILexicalBlockFile" else 0


def _mark(convention: Any, builder: Any, name: str) -> None:
    """Emit the call, except in code that other processes run. It has no line, because debuggers take a call for a
    statement."""
    if convention.context.aot_mode:
        return
    module, line = builder.module, line_of(builder.debug_metadata)
    symbol = convention.context.insert_const_string(module, builder.function.name)
    function = cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), [POINTER, INT64]), name)
    set.update(function.attributes, ("cold", "nounwind"))
    builder.debug_metadata, before = None, builder.debug_metadata
    builder.call(function, [builder.bitcast(symbol, POINTER), INT64(line)])
    builder.debug_metadata = before


def _set_exception(original: Any, self: Any, builder: Any, exc: Any, *args: Any, **named: Any) -> None:
    original(self, builder, exc, *args, **named)
    if exc is not None:
        _mark(self, builder, _HERE)


def _propagate(original: Any, self: Any, builder: Any, status: Any) -> None:
    _mark(self, builder, _THROUGH)
    original(self, builder, status)


def install() -> None:
    """Wrap Numba's calling convention, once for each process."""
    register()
    if not are_on():
        return
    for name, around in (
        ("set_static_user_exc", _set_exception),
        ("set_dynamic_user_exc", _set_exception),
        ("return_status_propagate", _propagate),
    ):
        wrap(callconv.CPUCallConv, name, around)
