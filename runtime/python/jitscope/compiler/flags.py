"""JITSCOPE_DEBUG=all: functions that are compiled without debug=True get debug information, and nothing else that
debug=True means to Numba (numba/core/cpu.py, CPUTargetOptions.finalize: bounds are checked only where asked for).
Not those with fastmath flags: with debug information Numba has them called, not inlined, which changes what LLVM makes
of them."""

from __future__ import annotations

from typing import Any

from numba.core import dispatcher

from jitscope.compiler import levels


def check() -> str | None:
    """Why flags can't be changed, or None."""
    found = getattr(dispatcher, "_FunctionCompiler", None)
    return None if hasattr(found, "_customize_flags") else "numba.core.dispatcher._FunctionCompiler has other methods"


def customize(original: Any, self: Any, flags: Any) -> Any:
    """Around _FunctionCompiler._customize_flags."""
    flags = original(self, flags)
    module = getattr(self.py_func, "__module__", None) or ""
    is_own = module.partition(".")[0] in ("numba", "jitscope")
    if levels.debugs_all() and not flags.debuginfo and not is_own and not levels.is_left_alone(self.py_func, flags):
        flags.debuginfo = True
        flags.dbg_extend_lifetimes = True
    return flags
