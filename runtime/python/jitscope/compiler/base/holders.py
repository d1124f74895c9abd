"""References that keep the objects of variables alive for a debugger. Numba drops a variable's reference after its last
use, so the variable's holder takes a reference of its own before, and drops it when the variable is assigned again or
the function ends.

The holders count by functions that Numba does not know. So its pass that removes pairs of references, also where an
exception leaves the function, finds the same pairs as without debug information."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, debuginfo

from jitscope.compiler.base.emit import POINTER

_TAKE, _DROP = "jitscope_take_reference", "jitscope_drop_reference"
_COUNTS = {_TAKE: "NRT_incref", _DROP: "NRT_decref"}


class Holders:
    def __init__(self, lower: Any) -> None:
        self._lower = lower
        self._holders: dict[tuple[str, str], tuple[Any, ir.Value]] = {}

    def holds(self, kind: Any) -> bool:
        """True if a value of the type has references to memory of Numba's runtime."""
        context = self._lower.context
        return bool(context.enable_nrt and context.data_model_manager[kind].contains_nrt_meminfo())

    def take(self, base: str, kind: Any, pointer: ir.Value) -> None:
        """Take a reference to the object of the variable at `pointer`, because Numba is about to drop its own."""
        builder = self._lower.builder
        key = base, str(kind)
        if key not in self._holders:
            with debuginfo.suspend_emission(builder):  # empty at the function's entry; zfill would empty it here, too
                place = cgutils.alloca_once(builder, pointer.type.pointee, name=f"jitscope.held.{base}")
            self._holders[key] = kind, place
        place = self._holders[key][1]
        with debuginfo.suspend_emission(builder):
            value = self._there(builder, kind, builder.load(pointer), builder.load(place))
            self._count(builder, _TAKE, kind, value)
            self._drop(builder, kind, place)
            builder.store(value, place)

    def _there(self, builder: ir.IRBuilder, kind: Any, value: ir.Value, held: ir.Value) -> ir.Value:
        """Return `value`, or the held value if `value` refers to nothing: Numba also deletes a version where another
        version has the variable's value, such as in an `except` that is reached before the version is assigned."""
        is_there: ir.Value = ir.Constant(ir.IntType(1), 0)
        for _, memory in self._lower.context.nrt.get_meminfos(builder, kind, value):
            is_there = builder.or_(is_there, builder.icmp_unsigned("!=", memory, ir.Constant(memory.type, None)))
        return builder.select(is_there, value, held)

    def drop(self, base: str) -> None:
        builder = self._lower.builder
        with debuginfo.suspend_emission(builder):
            for (name, _), (kind, place) in self._holders.items():
                if name == base:
                    self._drop(builder, kind, place)
                    builder.store(ir.Constant(place.type.pointee, None), place)

    def _drop(self, builder: ir.IRBuilder, kind: Any, place: ir.Value) -> None:
        self._count(builder, _DROP, kind, builder.load(place))

    def _count(self, builder: ir.IRBuilder, name: str, kind: Any, value: ir.Value) -> None:
        for _, memory in self._lower.context.nrt.get_meminfos(builder, kind, value):
            builder.call(_function(builder.module, name), [memory])

    def finish(self) -> None:
        """Lead all ways out of the function through one block that drops the held references."""
        if not self._holders:
            return
        function, builder = self._lower.builder.function, self._lower.builder
        leaving = [block for block in function.blocks if isinstance(block.terminator, ir.instructions.Ret)]
        if not leaving:
            return
        out = function.append_basic_block("jitscope.out")
        returned = []
        for block in leaving:
            instruction = block.terminator
            block.instructions.remove(instruction)
            block.terminator = None
            builder.position_at_end(block)
            builder.debug_metadata = instruction.metadata.get("dbg")
            builder.branch(out)
            returned.append((instruction.operands[0], block, builder.debug_metadata))
        builder.position_at_end(out)
        builder.debug_metadata = returned[-1][2]
        status = builder.phi(returned[0][0].type)
        for value, block, _ in returned:
            status.add_incoming(value, block)
        with debuginfo.suspend_emission(builder):  # LLVM 21 makes a statement of each call that has a line
            for kind, place in self._holders.values():
                self._drop(builder, kind, place)
        builder.ret(status)


def _function(module: ir.Module, name: str) -> ir.Function:
    """Return NRT_incref or NRT_decref under another name; it is not inlined before Numba's pass has run."""
    if (found := module.globals.get(name)) is not None:
        return found
    kind = ir.FunctionType(ir.VoidType(), [POINTER])
    function = ir.Function(module, kind, name)
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.call(cgutils.get_or_insert_function(module, kind, _COUNTS[name]), function.args)
    builder.ret_void()
    return function
