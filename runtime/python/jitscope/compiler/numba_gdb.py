"""`numba.gdb`, `numba.gdb_init` and `numba.gdb_breakpoint` without the ten seconds' sleep.

Numba's own functions (numba/misc/gdb_hook.py, the same from 0.57 to 0.68) ask a generator of code for each; these
generators are replaced. Numba's rule of one `gdb` a function, and its literal arguments, stay."""

from __future__ import annotations

import os
import shutil
from typing import Any

from llvmlite import ir
from numba.core import errors, types

from jitscope import stops as runtime
from jitscope.compiler import stops


def route() -> None:
    """Once a process. Leaves a Numba alone that is made otherwise."""
    from numba.core.extending import intrinsic
    from numba.misc import gdb_hook, special

    if not all(hasattr(gdb_hook, name) for name in ("_confirm_gdb", "gen_gdb_impl", "gen_bp_impl")):
        return

    def gen_gdb_impl(const_args: Any, do_break: bool) -> Any:
        if any(not isinstance(kind, types.StringLiteral) for kind in const_args):
            raise errors.RequireLiteralValue(const_args)
        arguments = [kind.literal_value for kind in const_args]

        @intrinsic  # type: ignore[untyped-decorator]
        def attach_internal(tyctx: Any) -> Any:
            def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
                stops.emit_attach(context, builder, arguments, ir.IntType(32)(0), runtime.BANNER)
                if do_break:
                    stops.emit_stop(builder)
                return context.get_dummy_value()

            return types.void(), codegen

        return attach_internal

    def gen_bp_impl() -> Any:
        @intrinsic  # type: ignore[untyped-decorator]
        def stop_internal(tyctx: Any) -> Any:
            def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
                stops.emit_stop(builder)
                return context.get_dummy_value()

            return types.void(), codegen

        return stop_internal

    gdb_hook._confirm_gdb = lambda need_ptrace_attach=True: None
    gdb_hook.gen_gdb_impl = gen_gdb_impl
    gdb_hook.gen_bp_impl = gen_bp_impl
    special._gdb_python_call_gen = _interpreted
    _name_gdb()
    _watch_helper()


def _name_gdb() -> None:
    """Numba's own tools look for GDB_BINARY as a path, whose default since 0.56 is `gdb`, which is none."""
    from numba.core import config

    if not os.path.isfile(config.GDB_BINARY):
        config.GDB_BINARY = shutil.which(config.GDB_BINARY) or config.GDB_BINARY


def _interpreted(name: str, *arguments: str) -> Any:
    """What an interpreted call of `numba.NAME` does: Numba would compile a function for it."""

    def call() -> None:
        if name != "gdb_breakpoint":
            runtime.start_gdb(arguments, 0, runtime.BANNER)
        if name != "gdb_init":
            runtime.breakpoint()

    return call


def _watch_helper() -> None:
    """Code that was compiled before, or comes from a cache, calls Numba's own empty function, whose symbol is hidden
    and gone from a stripped build."""
    try:
        from numba import _helperlib

        runtime.library().jitscope_set_other_stop(_helperlib.c_helpers["gdb_breakpoint"])
    except (ImportError, KeyError):
        pass
