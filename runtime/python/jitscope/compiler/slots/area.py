"""The area of a function: one piece of its stack frame in which a debugger finds the variables.

The area is written by volatile stores, and the program never reads it. It holds words (64-bit states) and slots (a
variable's value in its memory layout). An empty inline assembly takes the area's address, because LLVM would split it
otherwise (SROA)."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir
from numba.core import cgutils

from jitscope.compiler.base import abi
from jitscope.compiler.base.emit import INT8, INT64, POINTER, assembly, leaves, volatile_store
from jitscope.compiler.debuginfo.dibuilder import Operation

ALIGNMENT = 16

# States of a variable's word, which is also a mask over the variable's address: see `location`. Slots have even
# addresses, which -2 leaves unchanged. -1 would work as well, but LLDB takes it for an invalid address
# (LLDB_INVALID_ADDRESS), and its DW_OP_deref fails.
UNASSIGNED, ASSIGNED, UNKNOWN = 0, -2, 1
# libjitscope.so's function that copies the area where an exception leaves the function
COPYING = "jitscope_raised_variables"


class Area:
    """The area, made at the beginning of a function. `base`: its address."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self._size = 0
        self._passed: list[ir.CallInstr] = []  # calls whose last argument is the area's size
        self._initial: dict[int, int] = {}  # by the offset of a word: its value at the function's entry
        with builder.goto_entry_block():
            self.base = ir.instructions.AllocaInstr(builder.block, INT8, INT64(0), "jitscope.area")
            self.base.align = ALIGNMENT
            builder._insert(self.base)

    def _allocate(self, size: int, alignment: int) -> int:
        offset = -(-self._size // alignment) * alignment
        self._size = offset + size
        return offset

    def word(self, initial: int = UNASSIGNED) -> int:
        """Return a new word's offset."""
        offset = self._allocate(8, 8)
        self._initial[offset] = initial
        return offset

    def begin_with(self, word: int, initial: int) -> None:
        self._initial[word] = initial

    def slot(self, kind: ir.Type) -> int:
        """Return the offset of a new slot for a value of this type."""
        return self._allocate(max(1, abi.layout(kind)[0]), 8)

    def address(self, builder: ir.IRBuilder, offset: int) -> ir.Value:
        return builder.gep(self.base, [INT64(offset)])

    def begins_with(self, word: int) -> int:
        return self._initial[word]

    def set_word(self, builder: ir.IRBuilder, offset: int, state: ir.Value) -> None:
        pointer = builder.bitcast(self.address(builder, offset), INT64.as_pointer())
        volatile_store(builder, state, pointer)

    def word_at(self, builder: ir.IRBuilder, offset: int) -> ir.Value:
        """Load a state word, only to keep it elsewhere."""
        return builder.load(builder.bitcast(self.address(builder, offset), INT64.as_pointer()))

    def set_slot(self, builder: ir.IRBuilder, offset: int, value: ir.Value) -> None:
        for path, place, kind in leaves(value.type):
            leaf = builder.extract_value(value, path) if path else value
            if kind == ir.IntType(1):
                kind, leaf = INT8, builder.zext(leaf, INT8)
            pointer = builder.bitcast(self.address(builder, offset + place), kind.as_pointer())
            volatile_store(builder, leaf, pointer)

    def copy(self, builder: ir.IRBuilder) -> None:
        """Have libjitscope.so copy the area. Code without slots has no such call (linked/slotless.py)."""
        kind = ir.FunctionType(ir.VoidType(), [POINTER, INT64])
        function = cgutils.get_or_insert_function(builder.module, kind, COPYING)
        set.update(function.attributes, ("cold", "nounwind"))
        self._passed.append(builder.call(function, [self.base, INT64(0)]))

    def finish(self) -> None:
        """Give the area its size, once all words and slots are known."""
        size = INT64(-(-self._size // ALIGNMENT) * ALIGNMENT)
        self.base.operands[0] = size
        for call in self._passed:
            call.operands[-1] = size
        builder = ir.IRBuilder(self.base.parent)
        builder.position_after(self.base)
        assembly(builder, "", "r", self.base)
        for offset, initial in self._initial.items():
            self.set_word(builder, offset, INT64(initial))


def location(slot: int, words: Sequence[int]) -> list[Operation]:
    """Return the operations of a DIExpression over the area's address: they give the slot's address, or 0 if one of the
    words is not ASSIGNED."""
    if not words:
        return ["DW_OP_plus_uconst", slot]
    found: list[Operation] = ["DW_OP_dup", "DW_OP_plus_uconst", words[0], "DW_OP_deref"]
    for word in words[1:]:
        found += ["DW_OP_over", "DW_OP_plus_uconst", word, "DW_OP_deref", "DW_OP_and"]
    return [*found, "DW_OP_swap", "DW_OP_plus_uconst", slot, "DW_OP_and"]
