"""JITSCOPE_DEBUG=all: functions that are compiled without debug=True get debug information, and nothing else that
debug=True means to Numba (numba/core/cpu.py, CPUTargetOptions.finalize: bounds are checked only where asked for)."""

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
    if levels.debugs_all() and not flags.debuginfo and module.partition(".")[0] not in ("numba", "jitscope"):
        flags.debuginfo = True
        flags.dbg_extend_lifetimes = True
    return flags
