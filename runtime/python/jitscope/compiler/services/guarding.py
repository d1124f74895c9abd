"""Guarded arrays of compiled code: it calls libjitscope.so where Numba's runtime makes memory (jitscope.guarding).

If a function or a line is chosen, its statements call libjitscope.so before and after themselves, and only what is made
in between is guarded. Code that calls it is neither saved in Numba's cache nor taken from there."""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir as llvm_ir
from numba.core import caching, cgutils, ir, lowering
from numba.core.runtime import _nrt_python as nrt
from numba.parfors import parfor, parfor_lowering

from jitscope import guarding
from jitscope import stops as runtime
from jitscope.compiler.base.wrapped import wrap
from jitscope.published import GuardNrt

_ENTER, _LEAVE = "jitscope_guard_enter", "jitscope_guard_leave"
_INT64 = llvm_ir.IntType(64)
_parallel: list[bool] = []  # for the parallel loops that are being lowered, the innermost last: whether it is chosen


def install() -> None:
    """Make the functions that guard known to LLVM under the names of Numba's runtime, if arrays are to be guarded. Code
    that is compiled, or loaded from a cache, after this calls them."""
    chosen = guarding.chosen()
    if chosen is None or not guarding.begin():
        return
    helpers: dict[str, Any] = nrt.c_helpers
    names = {field[0]: f"MemInfo_{field[0]}" for field in GuardNrt._fields_}
    if missing := [name for name in names.values() if name not in helpers]:
        return _refuse(f"this Numba has no NRT_{missing[0]}")
    functions = GuardNrt(*(helpers[name] for name in names.values()))
    library = runtime.library()
    library.jitscope_guard_numba.argtypes = [ctypes.POINTER(GuardNrt)]
    if library.jitscope_guard_numba(ctypes.byref(functions)):
        return _refuse("this Numba's MemInfo is laid out otherwise")
    for name, key in names.items():
        helpers[key] = getattr(functions, name)  # Numba makes all of them known when its runtime begins
        llvm.add_symbol(f"NRT_{key}", helpers[key])
    if chosen:
        for name in (_ENTER, _LEAVE):
            llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
        _choose(chosen)


def _refuse(reason: str) -> None:
    print(f"jitscope: arrays that compiled code makes are not guarded: {reason}", file=sys.stderr)


# -- the chosen function, or the chosen line


def _choose(chosen: str) -> None:
    """Wrap the lowering of statements, and leave Numba's cache alone."""
    file, colon, line = chosen.rpartition(":")

    def is_chosen(lower: Any, inst: Any) -> bool:
        if not colon:
            function = lower.func_ir.func_id
            return chosen in (function.func_name, function.func_qualname) or any(_parallel[-1:])
        return str(inst.loc.line) == line and f"/{inst.loc.filename}".endswith("/" + file.lstrip("/"))

    wrap(lowering.Lower, "lower_inst", functools.partial(_lower_inst, is_chosen))
    wrap(parfor_lowering.ParforLower, "lower_inst", functools.partial(_lower_loop, is_chosen))
    caching.Cache.load_overload = lambda self, sig, target_context: None
    caching.Cache.save_overload = lambda self, sig, data: None


def _lower_inst(is_chosen: Any, original: Any, self: Any, inst: Any) -> None:
    if isinstance(inst, (ir.Del, ir.Terminator)) or not is_chosen(self, inst):
        original(self, inst)
        return
    before = _call(self.builder, _ENTER, _INT64)
    original(self, inst)
    if not self.builder.block.is_terminated:
        _call(self.builder, _LEAVE, llvm_ir.VoidType(), before)


def _lower_loop(is_chosen: Any, original: Any, self: Any, inst: Any) -> None:
    """Lower a statement of a function with parallel loops, whose kernels belong to the function."""
    if not isinstance(inst, parfor.Parfor):
        original(self, inst)
        return
    _parallel.append(is_chosen(self, inst))
    try:
        original(self, inst)
    finally:
        _parallel.pop()


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = llvm_ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)
