"""References that keep what a debugger shows alive: where Numba lets a variable go after its last use, the reference
goes to the variable's holder, and is dropped when the variable is assigned again or the function ends."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, debuginfo


class Holders:
    def __init__(self, lower: Any) -> None:
        self._lower = lower
        self._holders: dict[tuple[str, str], tuple[Any, ir.Value]] = {}

    def holds(self, kind: Any) -> bool:
        """Has a value of the type references to memory of Numba's runtime?"""
        context = self._lower.context
        return bool(context.enable_nrt and context.data_model_manager[kind].contains_nrt_meminfo())

    def take(self, base: str, kind: Any, pointer: ir.Value) -> None:
        """The reference in the variable at `pointer`, which is empty afterwards."""
        builder = self._lower.builder
        key = base, str(kind)
        if key not in self._holders:
            with debuginfo.suspend_emission(builder):  # empty from the entry on; zfill would empty it here, too
                place = cgutils.alloca_once(builder, pointer.type.pointee, name=f"jitscope.held.{base}")
            self._holders[key] = kind, place
        with debuginfo.suspend_emission(builder):
            value = builder.load(pointer)
            self._drop(builder, *self._holders[key])
            builder.store(value, self._holders[key][1])
            builder.store(ir.Constant(pointer.type.pointee, None), pointer)

    def drop(self, base: str) -> None:
        builder = self._lower.builder
        with debuginfo.suspend_emission(builder):
            for (name, _), (kind, place) in self._holders.items():
                if name == base:
                    self._drop(builder, kind, place)
                    builder.store(ir.Constant(place.type.pointee, None), place)

    def _drop(self, builder: ir.IRBuilder, kind: Any, place: ir.Value) -> None:
        self._lower.context.nrt.decref(builder, kind, builder.load(place))

    def finish(self) -> None:
        """All ways out of the function lead over one block that drops what is held."""
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
        for kind, place in self._holders.values():
            self._drop(builder, kind, place)
        builder.ret(status)
