"""`numba.gdb`, `numba.gdb_init` and `numba.gdb_breakpoint` without the ten seconds' sleep, written into the caller's
own code as `jitscope.compiler.services.stops` does.

Numba's own overloads (numba/misc/gdb_hook.py, unchanged from 0.57 to 0.68) ask a generator of code for each. These
generators fail from now on, and Numba goes on to the functions below. Numba's rule of one `gdb` for each function is
removed: a second one only stops."""

from __future__ import annotations

import functools
from typing import Any

import numba
from llvmlite import ir
from numba.core import config, errors, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

import _jitscope_startup
from jitscope import stops as runtime
from jitscope.compiler.base import levels
from jitscope.compiler.services import stops


class _Gdb(AbstractTemplate):  # type: ignore[misc]
    key = numba.gdb
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(kind, types.StringLiteral) for kind in args):
            raise errors.RequireLiteralValue(args)
        return signature(types.none, *args)


class _GdbInit(_Gdb):
    key = numba.gdb_init


class _GdbBreakpoint(AbstractTemplate):  # type: ignore[misc]
    key = numba.gdb_breakpoint

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.none) if not args and not kws else None


def _lower_gdb_init(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    arguments = [kind.literal_value for kind in sig.args]
    stops.emit_attach(context, builder, arguments, ir.IntType(32)(0), runtime.BANNER)
    return context.get_dummy_value()


def _lower_gdb(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    _lower_gdb_init(context, builder, sig, args)
    return _lower_breakpoint(context, builder, sig, args)


def _lower_breakpoint(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    stops.emit_stop(builder)
    return context.get_dummy_value()


def _generate_nothing(*arguments: Any, **named: Any) -> Any:
    raise errors.TypingError("jitscope has replaced this function by its own, whose arguments are literal strings")


def route() -> None:
    """Route the functions, once for each process. A Numba that is made differently is left alone."""
    from numba.misc import gdb_hook, special

    if not all(hasattr(gdb_hook, name) for name in ("_confirm_gdb", "gen_gdb_impl", "gen_bp_impl")):
        return
    gdb_hook._confirm_gdb = lambda need_ptrace_attach=True: None
    gdb_hook.gen_gdb_impl = _generate_nothing
    gdb_hook.gen_bp_impl = _generate_nothing
    for template in (_Gdb, _GdbInit, _GdbBreakpoint):
        infer_global(template.key, types.Function(template))
    lower_builtin(numba.gdb, types.VarArg(types.Any))(_lower_gdb)
    lower_builtin(numba.gdb_init, types.VarArg(types.Any))(_lower_gdb_init)
    lower_builtin(numba.gdb_breakpoint)(_lower_breakpoint)
    special._gdb_python_call_gen = _interpreted
    if levels.is_on():  # Numba's own tests, which run without the hook, need its rule
        _allow_several()
    _jitscope_startup.name_gdb(config)  # for places where no .pth file is read: PYTHONPATH, zip files
    _watch_helper()


# numba/core/ir_utils.py (0.57-0.68): the last error that raise_on_unsupported_feature looks for
_ONLY_ONE = "Calling either numba.gdb() or numba.gdb_init() more than once in a function is unsupported"


def _allow_several() -> None:
    from numba.core import typed_passes

    original = typed_passes.raise_on_unsupported_feature

    @functools.wraps(original)
    def check(func_ir: Any, typemap: Any) -> None:
        try:
            original(func_ir, typemap)
        except errors.UnsupportedError as error:
            if _ONLY_ONE not in str(error):
                raise

    typed_passes.raise_on_unsupported_feature = check


def _interpreted(name: str, *arguments: str) -> Any:
    """Return the function for an interpreted call of `numba.NAME`, for which Numba would compile a function."""

    def call() -> None:
        if name != "gdb_breakpoint":
            runtime.start_gdb(arguments, 0, runtime.BANNER)
        if name != "gdb_init":
            runtime.breakpoint()

    return call


def _watch_helper() -> None:
    """Watch Numba's own empty function, which code calls that was compiled before or comes from a cache. The function's
    symbol is hidden, and is gone from a stripped build."""
    try:
        from numba import _helperlib

        runtime.library().jitscope_set_other_stop(_helperlib.c_helpers["gdb_breakpoint"])
    except (ImportError, KeyError):
        pass
