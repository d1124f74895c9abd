"""`jitscope.attach`, `breakpoint` and `breakpoint_if` in compiled code: calls into libjitscope.so, written into the
caller's own code, so that the stop is in its frame and on its line."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from jitscope import stops
from jitscope.compiler.base.emit import volatile_store

BREAKPOINT, ATTACH = "jitscope_breakpoint", "jitscope_attach"
_INT8, _INT32 = ir.IntType(8), ir.IntType(32)
_POINTER = _INT8.as_pointer()
_NAMES = ("wait", "stop")  # keywords of attach()


def emit_stop(builder: ir.IRBuilder) -> None:
    """Emit a call of the sentinel, and after it one instruction of the same line, so that the call returns to this
    line."""
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), ()), BREAKPOINT)
    slot = cgutils.alloca_once(builder, _INT8, name="jitscope.stop")
    builder.call(function, ())
    volatile_store(builder, _INT8(0), slot)


def emit_attach(
    context: Any, builder: ir.IRBuilder, arguments: Sequence[str], wait_ms: ir.Value, flags: int
) -> ir.Value:
    """Emit a call of jitscope_attach, and return the status."""
    kind = ir.FunctionType(_INT32, (_POINTER.as_pointer(), _INT32, _INT32, _POINTER, ir.IntType(64)))
    function = cgutils.get_or_insert_function(builder.module, kind, ATTACH)
    count = len(arguments) + 1
    array = cgutils.alloca_once(builder, _POINTER, size=count)
    for index, text in enumerate(arguments):
        string = context.insert_const_string(builder.module, text)
        builder.store(builder.bitcast(string, _POINTER), builder.gep(array, [_INT32(index)]))
    null = ir.Constant(_POINTER, None)
    builder.store(null, builder.gep(array, [_INT32(count - 1)]))
    return builder.call(function, (array, wait_ms, _INT32(flags), null, ir.IntType(64)(0)))


# -- types


class _Breakpoint(AbstractTemplate):  # type: ignore[misc]
    key = stops.breakpoint

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.none) if not args and not kws else None


class _BreakpointIf(AbstractTemplate):  # type: ignore[misc]
    key = stops.breakpoint_if

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 1 or kws:
            return None
        if not isinstance(args[0], (types.Boolean, types.Number, types.BooleanLiteral, types.IntegerLiteral)):
            raise errors.TypingError(f"jitscope.breakpoint_if() takes a number or a bool, not {args[0]}")
        return signature(types.none, args[0])


class _Attach(AbstractTemplate):  # type: ignore[misc]
    key = stops.attach
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        for kind in args:
            if not isinstance(kind, types.StringLiteral):
                raise errors.TypingError("in compiled code jitscope.attach() takes literal strings for GDB")
        for name, kind in kws.items():
            if name not in _NAMES:
                raise errors.TypingError(f"jitscope.attach() has no argument {name}")
            if name == "stop" and not isinstance(kind, types.BooleanLiteral):
                raise errors.TypingError("in compiled code jitscope.attach(stop=…) takes True or False itself")
        names = [name for name in _NAMES if name in kws]
        found = signature(types.boolean, *args, *(kws[name] for name in names))
        parameter = inspect.Parameter
        given = [parameter(f"gdb_arg_{n}", parameter.POSITIONAL_ONLY) for n in range(len(args))]
        given += [parameter(name, parameter.POSITIONAL_OR_KEYWORD) for name in names]
        found = found.replace(pysig=inspect.Signature(given))
        return found


# -- code


def _lower_breakpoint(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    emit_stop(builder)
    return context.get_dummy_value()


def _lower_breakpoint_if(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    condition = context.cast(builder, args[0], sig.args[0], types.boolean)
    with builder.if_then(condition, likely=False):
        emit_stop(builder)
    return context.get_dummy_value()


def _lower_attach(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    strings = [kind.literal_value for kind in sig.args if isinstance(kind, types.StringLiteral)]
    rest = dict(
        zip(
            [name for name in _NAMES if sig.pysig and name in sig.pysig.parameters],
            zip(sig.args[len(strings) :], args[len(strings) :]),
        )
    )
    wait_ms = _INT32(0)
    if "wait" in rest:
        wait_ms = _milliseconds(context, builder, *rest["wait"])
    status = emit_attach(context, builder, strings, wait_ms, 0)
    if "stop" not in rest or rest["stop"][0].literal_value:
        emit_stop(builder)
    return builder.icmp_signed(">=", status, _INT32(0))


def _milliseconds(context: Any, builder: ir.IRBuilder, kind: Any, value: ir.Value) -> ir.Value:
    if isinstance(kind, (types.Boolean, types.BooleanLiteral)):
        truth = context.cast(builder, value, kind, types.boolean)
        return builder.select(truth, _INT32(-1), _INT32(0))
    if isinstance(kind, types.NoneType):
        return _INT32(0)
    seconds = context.cast(builder, value, kind, types.float64)
    return builder.fptosi(builder.fmul(seconds, seconds.type(1000.0)), _INT32)


def register() -> None:
    """Make the functions known to Numba and LLVM, once for each process."""
    loaded = stops.library()
    for name in (BREAKPOINT, ATTACH):
        address = ctypes.cast(getattr(loaded, name), ctypes.c_void_p).value
        llvm.add_symbol(name, address)
    for template in (_Breakpoint, _BreakpointIf, _Attach):
        infer_global(template.key, types.Function(template))
    lower_builtin(stops.breakpoint)(_lower_breakpoint)
    lower_builtin(stops.breakpoint_if, types.Any)(_lower_breakpoint_if)
    lower_builtin(stops.attach, types.VarArg(types.Any))(_lower_attach)
