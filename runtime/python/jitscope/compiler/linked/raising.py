"""Places where compiled code raises, at which `jit catch` stops.

All that Numba compiles raises by methods of its calling convention (numba/core/callconv.py, CPUCallConv, 0.57-0.68):
`raise` and `assert`, and the code for indexing, division or containers. The calls are followed by a marker of their own
kind. The caller raises an error again that a call returns: that place is marked if the callee has no debug information,
and so no marker."""

from __future__ import annotations

import weakref
from typing import Any

from llvmlite import ir
from numba.core import caching, callconv

from jitscope.compiler.base import debugged
from jitscope.compiler.base.wrapped import wrap
from jitscope.compiler.debuginfo import dibuilder

_METHODS = (
    "set_static_user_exc",
    "set_dynamic_user_exc",
    "return_status_propagate",
    "return_exc",
    "_get_excinfo_argument",
    "build_excinfo_struct",
)
# By id of LLVM's function: the object that marks its raising. It is no attribute of the function, because Numba 0.57
# pickles LLVM's values.
_functions: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
_RAISED = ir.Constant(callconv.errcode_t, 0)  # in place of a call's status, if the exception is raised here
_marked: set[str] = set()  # LLVM's names of functions that mark where they raise


def check() -> str | None:
    """Return why raising cannot be marked, or None."""
    for name in _METHODS:
        if not hasattr(callconv.CPUCallConv, name):
            return f"numba.core.callconv.CPUCallConv has no {name}"
    if not hasattr(getattr(caching, "CompileResultCacheImpl", None), "rebuild"):
        return "numba.core.caching.CompileResultCacheImpl has no rebuild"
    return None


def watch(llvm_function: Any, function: Any) -> None:
    """Have function.raised(builder, exception, status) called, from now on, for each place where this LLVM function
    raises."""
    _functions[id(llvm_function)] = function
    _marked.add(llvm_function.name)


def watched(builder: ir.IRBuilder) -> Any:
    """Return what watch() was called with for the function that is being written, or None."""
    found = _functions.get(id(builder.function))
    return found if found is not None and found.llvm_function is builder.function else None


def _set_exception(original: Any, self: Any, builder: ir.IRBuilder, exc: Any, *args: Any, **kwargs: Any) -> None:
    original(self, builder, exc, *args, **kwargs)
    function = watched(builder)
    if function is not None and function.has_try:
        _keep_references(builder)
    if function is not None and exc is not None:  # without `exc`, an exception goes on that was raised before
        function.raised(builder, builder.load(self._get_excinfo_argument(builder.function)), _RAISED)


def _describe(original: Any, self: Any, exc: Any, exc_args: Any, *rest: Any) -> Any:
    """Replace values that are computed: Numba 0.57 pickles LLVM's values, and all that they are part of, in place of
    such arguments, and what llvmlite does not know could not be read back. Later versions do this themselves."""
    if exc_args is not None:
        exc_args = tuple(self.context.get_dummy_value() if isinstance(each, ir.Value) else each for each in exc_args)
    return original(self, exc, exc_args, *rest)


def _keep_references(builder: ir.IRBuilder) -> None:
    """Remove the mark by which Numba takes the store of an exception for an exit of the function. A handler may follow
    it, and Numba may then drop references twice (its pass `refprune`, subpass `fanout_raise`)."""
    for instruction in builder.block.instructions:
        instruction.metadata.pop("numba_exception_output", None)


def _propagate(original: Any, self: Any, builder: ir.IRBuilder, status: Any) -> None:
    callee = getattr(getattr(status.code, "callee", None), "name", None)
    function = watched(builder)
    if function is not None and callee not in _marked:
        function.raised(builder, status.excinfoptr, status.code)
    original(self, builder, status)


def _return_exc(original: Any, self: Any, builder: ir.IRBuilder) -> None:
    if (function := watched(builder)) is not None:
        function.raised(builder, ir.Constant(callconv.excinfo_ptr_t, None), callconv.RETCODE_EXC)
    original(self, builder)


def _rebuild(original: Any, self: Any, *args: Any) -> Any:
    """Wrap the rebuilding of code from Numba's cache, which may have been compiled with the hook."""
    if debugged.is_asked(args[-1]):
        debugged.register()
    result = original(self, *args)
    code = getattr(result.library, "_compiled_object", None)
    if code and dibuilder.PRODUCER.encode() in code:
        _marked.add(result.fndesc.llvm_func_name)
    return result


def install() -> None:
    """Wrap Numba's calling convention, once for each process, after check()."""
    convention = callconv.CPUCallConv
    for owner, name, around in (
        (convention, "set_static_user_exc", _set_exception),
        (convention, "set_dynamic_user_exc", _set_exception),
        (convention, "build_excinfo_struct", _describe),
        (convention, "return_status_propagate", _propagate),
        (convention, "return_exc", _return_exc),
        (caching.CompileResultCacheImpl, "rebuild", _rebuild),
    ):
        wrap(owner, name, around)
