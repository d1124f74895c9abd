"""Instructions that keep the line at which they were written."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm_ir

from jitscope.compiler.base import levels
from jitscope.compiler.base.emit import assembly
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.linked import slotless

# Operations that call, fault, or leave the function (llvmlite's names).
_ACTING = frozenset(("call", "invoke", "load", "store", "sdiv", "udiv", "srem", "urem", "ret", "switch", "unreachable"))


def _may_fault(value: Any) -> bool:
    """True if the value is loaded from elsewhere than the stack frame."""
    instructions = llvm_ir.instructions
    return isinstance(value, instructions.LoadInstr) and not isinstance(value.operands[0], instructions.AllocaInstr)


class LinesKept:
    """The lines of one function's instructions. `without_stops`: blocks in which no debugger stops."""

    def __init__(self, lower: Any, level: str, has_lines: bool, without_stops: set[llvm_ir.Block]) -> None:
        self._lower = lower
        self._level = level
        self._has_lines = has_lines
        self._without_stops = without_stops

    def drop_lines(self, function: llvm_ir.Function) -> None:
        """Remove the line from instructions that only compute: LLVM schedules them anywhere, and takes the first
        instruction that has a line for the function's beginning. Jumps lose theirs, too, because LLVM gives their line
        to code that it computes before a loop, and in place of one. At `exact` only jumps lose it, and instructions
        that may be scheduled before the arguments are stored, whose line is kept for callers that inline the function.
        If no line is the user's, stores lose it as well: LLVM makes a call of them (memset), which would be a
        statement."""
        first = set(self._first_blocks()) if self._level == levels.EXACT else ()
        for block in function.blocks:
            for instruction in block.instructions:
                location = instruction.metadata.get("dbg")
                if location is None or ("column", dibuilder.OTHER) not in location.operands:
                    continue
                if not self._has_own_place(instruction, block in self._without_stops):
                    del instruction.metadata["dbg"]
                elif block in first and instruction.opname not in _ACTING:
                    instruction.metadata[slotless.LINE] = instruction.metadata.pop("dbg")

    def _first_blocks(self) -> list[llvm_ir.Block]:
        """Return the blocks that LLVM merges with the function's entry."""
        found = [self._lower.blkmap[min(self._lower.blocks)]]
        while isinstance(way := found[-1].terminator, llvm_ir.Branch) and way.operands[0] not in found:
            found.append(way.operands[0])
        return found

    def _has_own_place(self, instruction: Any, is_plain: bool) -> bool:
        operation = instruction.opname
        if not self._has_lines:
            return operation in ("call", "invoke")
        if self._level == levels.EXACT:
            return bool(operation != "br")
        if is_plain:  # it may become one instruction with the load, which may fault
            return operation in _ACTING or any(map(_may_fault, instruction.operands))
        return operation in _ACTING

    def move_first_row(self, first: Any) -> None:
        """Move the first row of a function, which is always a statement, off the user's line in a kernel that has no
        line of its own."""
        debug = self._lower.debuginfo
        builder = llvm_ir.IRBuilder(first.parent)
        builder.position_before(first)
        debug.filename = levels.TEMPLATE
        builder.debug_metadata = debug.location(1, dibuilder.OTHER)
        assembly(builder, "nop", "")
        debug.filename = None
