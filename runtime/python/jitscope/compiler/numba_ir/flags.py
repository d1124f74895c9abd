"""Functions that get debug information though they are compiled without debug=True (levels.debugs()), and nothing else
that debug=True means to Numba (numba/core/cpu.py, CPUTargetOptions.finalize: bounds are checked only if the user asks
for it). Functions with fastmath flags do not get it: Numba calls a function with debug information instead of inlining
it, which changes the results of LLVM's optimisation."""

from __future__ import annotations

import weakref
from types import CodeType
from typing import Any

from numba.core import ccallback, compiler, config, dispatcher
from numba.np.ufunc import ufuncbuilder

from jitscope.compiler.base import levels


def check() -> str | None:
    """Return why flags cannot be changed, or None."""
    for owner, name in _CHOOSING:
        if not hasattr(owner, name):
            return f"{owner.__module__}.{owner.__name__} has no {name}"
    return None


# The objects that make the flags of @jit and @njit, of @cfunc, and of @vectorize and @guvectorize; and their users.
_CHOOSING = (
    (dispatcher._FunctionCompiler, "_customize_flags"),
    (ccallback._CFuncCompiler, "_customize_flags"),
    (ufuncbuilder.UFuncDispatcher, "_compile_core"),
    (compiler.CompilerBase, "compile_extra"),
)


def with_debug_information(py_func: Any, flags: Any) -> Any:
    """Return `flags`, with debug information if levels.debugs() says so of this function."""
    module = getattr(py_func, "__module__", None) or ""
    is_own = module.partition(".")[0] in ("numba", "jitscope")
    if not flags.debuginfo and not is_own and levels.debugs(py_func) and not levels.is_left_alone(py_func, flags):
        _unasked.add(py_func.__code__)
        flags.debuginfo = True
        flags.dbg_extend_lifetimes = True
    return flags


_unasked: weakref.WeakSet[CodeType] = weakref.WeakSet()  # code that has debug information by this module alone


def is_unasked(function: Any) -> bool:
    """True if a function has debug information though the program does not ask for it: Numba must neither warn nor fail
    where it would not without the hook. Of array expressions, which Numba makes functions of their own, it is true if
    it is true of a function of the same file."""
    code = function.__code__
    if function.__name__.startswith(levels.ARRAY_EXPRESSION):
        return not config.DEBUGINFO_DEFAULT and any(each.co_filename == code.co_filename for each in _unasked)
    return code in _unasked


def customize(original: Any, self: Any, flags: Any) -> Any:
    """Wrap the _customize_flags of the compilers of functions and of callbacks."""
    return with_debug_information(self.py_func, original(self, flags))


def compile_ufunc(original: Any, self: Any, sig: Any, flags: Any, locals: Any) -> Any:
    """Wrap UFuncDispatcher._compile_core."""
    return original(self, sig, with_debug_information(self.py_func, flags), locals)


def compile_first(original: Any, self: Any, func: Any) -> Any:
    """Wrap CompilerBase.compile_extra. Numba may have made the flags of the first function that it compiles, for an
    eager @vectorize or @cfunc, before it loads extensions."""
    state = self.state
    if not state.flags.debuginfo and with_debug_information(func, state.flags).debuginfo:
        state.targetctx = compiler._make_subtarget(state.targetctx, state.flags)
    return original(self, func)


def of(maker: Any, flags: Any) -> Any:
    """Return the flags that a compiler of functions, or a ufunc's builder, makes from those of its options."""
    customize = getattr(maker, "_customize_flags", None)
    return customize(flags) if customize is not None else with_debug_information(maker.py_func, flags)
