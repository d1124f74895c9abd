"""Reports to libjitscope.so, by functions at `steps`, of the elements of a parallel loop's arrays that they read and
write, while a recording is on (`jit region -record`, `jitscope.record_writes`). Without a recording, each access costs
one load and a jump that is not taken. The copies of loops without stops report nothing, because they run without a
debugger or a recording."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, debuginfo, types

from jitscope import records, stops
from jitscope.compiler.base import abi
from jitscope.compiler.base.emit import INT64, POINTER, volatile_load

_INT32 = ir.IntType(32)
WORD = "jitscope_recording_word"
_LOOP, _ARRAY, ACCESS = _FUNCTIONS = ("jitscope_record_loop", "jitscope_record_array", "jitscope_record_access")
REPORT_FUNCTION = "jitscope.tell_access"  # the name of a function in each module that reports accesses
_RESULTS = ("retptr", "excinfo")  # arguments of each function that Numba compiles
_WRITES = 1  # from runtime/include/jitscope.h


@functools.lru_cache(maxsize=1)
def register() -> None:
    """Make the symbols known to LLVM, before code that reports accesses is linked."""
    library = stops.library()
    llvm.add_symbol(WORD, records.word())
    for name in _FUNCTIONS:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def is_recording(builder: ir.IRBuilder, anew: bool = True) -> ir.Value:
    """Emit the test whether a recording is on, and return an i1. `anew`: test each time; otherwise LLVM may test once
    for all accesses between two markers."""
    register()
    word = builder.module.globals.get(WORD) or ir.GlobalVariable(builder.module, _INT32, WORD)
    value = volatile_load(builder, word) if anew else builder.load(word)
    return builder.icmp_unsigned("!=", value, _INT32(0))


def _call(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> None:
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    if name == ACCESS:  # values that the program has in registers, or has read, stay valid
        set.update(function.attributes, ("cold", "nounwind", "inaccessiblememonly"))
    builder.call(function, arguments)


def _text(lower: Any, text: str) -> ir.Value:
    return lower.context.insert_const_string(lower.module, text).bitcast(POINTER)


# -- a loop and its arrays


def tells(lower: Any) -> bool:
    """True if a parallel loop's kernel is lowered. In the kernel of an array expression no instruction has a line of
    the user's."""
    kernel = getattr(lower, "kernel", None)
    return kernel is not None and kernel.is_parallel and bool(kernel.loop)


def report_argument(lower: Any, inst: Any) -> None:
    """Report an argument of the kernel, once all arguments are assigned: the schedule, which is the first, or an array
    that is passed to the loop, under its name in the source, if it has one. The array of each worker's own sums is left
    out."""
    kernel, name = lower.kernel, inst.target.name
    kind, builder, is_schedule = lower.typeof(name), lower.builder, inst.value.index == 0
    if not is_schedule and (not isinstance(kind, types.Array) or name in kernel.sums):
        return
    with debuginfo.suspend_emission(builder), builder.if_then(is_recording(builder), likely=False):
        if is_schedule:
            file, line = _text(lower, kernel.header.filename), _INT32(kernel.header.line)
            _call(builder, _LOOP, _text(lower, kernel.name), file, line)
            return
        array = lower.context.make_array(kind)(lower.context, builder, value=lower.loadvar(name))
        shape, strides = (_in_memory(builder, values, kind.ndim) for values in (array.shape, array.strides))
        data = builder.bitcast(array.data, POINTER)
        _call(
            builder,
            _ARRAY,
            _text(lower, kernel.user_name(name) or ""),
            data,
            array.itemsize,
            _INT32(kind.ndim),
            shape,
            strides,
        )


def _in_memory(builder: ir.IRBuilder, values: ir.Value, count: int) -> ir.Value:
    pack = cgutils.pack_array(builder, cgutils.unpack_tuple(builder, values, count), ty=INT64)
    return builder.bitcast(cgutils.alloca_once_value(builder, pack), POINTER)


# -- accesses


def report_accesses(lower: Any, without: Iterable[ir.Block]) -> None:
    """Report each access of a function whose blocks are written, except in the blocks in `without`. Generators are left
    out: their lines would begin where they resume."""
    left_out = set(without)
    for block in lower.builder.function.blocks:
        if block not in left_out:
            block.instructions[:] = [each for one in block.instructions for each in _with_report(lower, block, one)]


def _with_report(lower: Any, block: ir.Block, instruction: Any) -> list[Any]:
    """Return the instruction after a report of its accesses. A write is reported before it is done, so that a debugger
    that stops there knows the worker."""
    location = instruction.metadata.get("dbg")
    found = [each for each in _accesses(instruction) if not _is_own(each[0])] if location is not None else []
    line, file = _place(location) if found else (0, "")
    if not line:
        return [instruction]
    # The instructions have no line: LLVM moves the computation of addresses before a marker, where it could be a
    # statement.
    aside = ir.IRBuilder(ir.Block(block.parent))
    for pointer, size, flags in found:
        address = aside.bitcast(pointer, POINTER)
        aside.call(_report_function(lower.module), [address, size, _text(lower, file), _INT32(line), _INT32(flags)])
    for each in aside.block.instructions:
        each.parent = block
    return [*aside.block.instructions, instruction]


def _accesses(instruction: Any) -> Iterator[tuple[ir.Value, ir.Value, int]]:
    """Yield the pointer, the size in bytes and the flags of each access."""
    if isinstance(instruction, ir.instructions.StoreInstr):
        value, pointer = instruction.operands
        yield pointer, INT64(_size(value.type)), _WRITES
    elif isinstance(instruction, ir.instructions.LoadInstr):
        yield instruction.operands[0], INT64(_size(instruction.type)), 0
    elif isinstance(instruction, ir.instructions.CallInstr):
        name = getattr(instruction.callee, "name", "")
        if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")) and instruction.args[2].type == INT64:
            yield instruction.args[0], instruction.args[2], _WRITES
            if not name.startswith("llvm.memset"):
                yield instruction.args[1], instruction.args[2], 0


def _is_own(pointer: ir.Value) -> bool:
    """True if the pointer is to memory of this call, or to a constant."""
    while isinstance(pointer, (ir.GEPInstr, ir.CastInstr)):
        pointer = pointer.operands[0]
    is_result = isinstance(pointer, ir.Argument) and pointer.name in _RESULTS
    return is_result or isinstance(pointer, (ir.AllocaInstr, ir.Constant, ir.GlobalVariable))


def _place(location: Any) -> tuple[int, str]:
    """Return the line and the file of a DILocation."""
    fields = dict(location.operands)
    scope, file = fields["scope"], None
    while file is None:
        within = dict(scope.operands)
        file, scope = within.get("file"), within.get("scope")
    named = dict(file.operands)
    return int(fields["line"]), f"{named['directory']}/{named['filename']}"


def _size(kind: ir.Type) -> int:
    try:
        return abi.layout(kind)[0]
    except abi.Unknown:
        return 0


def _report_function(module: ir.Module) -> ir.Function:
    """Return the function that reports an access, inlined wherever it is called: the load, and the jump around a
    call."""
    found = module.globals.get(REPORT_FUNCTION)
    if found is not None:
        return found
    kind = ir.FunctionType(ir.VoidType(), [POINTER, INT64, POINTER, _INT32, _INT32])
    function = ir.Function(module, kind, REPORT_FUNCTION)
    function.linkage = "internal"
    function.attributes.add("alwaysinline")
    builder = ir.IRBuilder(function.append_basic_block())
    with builder.if_then(is_recording(builder, anew=False), likely=False):
        _call(builder, ACCESS, *function.args)
    builder.ret_void()
    return function
