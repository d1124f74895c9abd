"""Calls of libjitscope.so where compiled code raises, and where it returns an exception that a call has returned: in
functions at `steps`, and in all code with JITSCOPE_TRACEBACKS=all. They are on ways that only exceptions take.

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
from jitscope.compiler.linked.raising import watched
from jitscope.compiler.raised import places
from jitscope.compiler.slots.area import COPYING

_HERE, _THROUGH = "jitscope_raised_here", "jitscope_raised_through"
_PLAIN = ".plain"  # the end of the symbol of a function's other form, which raises where the function does
_marked: set[str] = set()  # symbols of functions at `steps`


@functools.lru_cache(maxsize=1)
def are_on() -> bool:
    """True if all code is marked."""
    return levels.tracebacks() == levels.ALL


def are_used() -> bool:
    """True if some code may be marked."""
    return bool(_marked) or are_on()


def symbol_of(name: str) -> str:
    """Return the symbol of the function that code with this name belongs to."""
    return name.removesuffix(_PLAIN)


def is_marked(symbol: str) -> bool:
    return are_on() or symbol_of(symbol) in _marked


def note(symbol: str, marked: bool) -> None:
    """Note whether the function's code is marked, which is known before code that calls it is made."""
    (_marked.add if marked else _marked.discard)(symbol)


def register() -> None:
    """Make the symbols known to LLVM."""
    for name in (_HERE, _THROUGH, COPYING):
        llvm.add_symbol(name, ctypes.cast(getattr(stops.library(), name), ctypes.c_void_p).value)


def _call(convention: Any, builder: Any, name: str, symbol: str, place: int) -> None:
    """Emit the call. It has no line, because debuggers take a call for a statement."""
    kind = ir.FunctionType(ir.VoidType(), [POINTER, INT64])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    set.update(function.attributes, ("cold", "nounwind"))
    text = convention.context.insert_const_string(builder.module, symbol)
    builder.debug_metadata, before = None, builder.debug_metadata
    builder.call(function, [builder.bitcast(text, POINTER), INT64(place)])
    if symbol == builder.function.name and (writer := watched(builder)) is not None:
        writer.copy_variables(builder)
    builder.debug_metadata = before


def _is_here(convention: Any, builder: Any) -> bool:
    """True if the code that is being written is marked: other processes may run code that is compiled ahead of time."""
    return is_marked(builder.function.name) and not convention.context.aot_mode


def _set_exception(original: Any, self: Any, builder: Any, exc: Any, *args: Any, **named: Any) -> None:
    original(self, builder, exc, *args, **named)
    if exc is not None and _is_here(self, builder):
        _call(self, builder, _HERE, builder.function.name, places.of(builder))


def _propagate(original: Any, self: Any, builder: Any, status: Any) -> None:
    if _is_here(self, builder):
        callee = getattr(getattr(status.code, "callee", None), "name", "")
        if not is_marked(callee):  # it has recorded nothing, and what is recorded is of an earlier exception
            _call(self, builder, _HERE, symbol_of(callee), 0)
        _call(self, builder, _THROUGH, builder.function.name, places.of(builder))
    original(self, builder, status)


def install() -> None:
    """Wrap Numba's calling convention, once for each process, after register()."""
    for name, around in (
        ("set_static_user_exc", _set_exception),
        ("set_dynamic_user_exc", _set_exception),
        ("return_status_propagate", _propagate),
    ):
        wrap(callconv.CPUCallConv, name, around)
