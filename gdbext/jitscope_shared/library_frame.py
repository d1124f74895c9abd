"""A native frame in the form that the C library reads: pc, CFA, registers, memory."""

from __future__ import annotations

import ctypes
from typing import Any

from .base import contract, native
from .machine_registers import PRESERVED


class LibraryFrame:
    """A js_frame; keep it alive while C uses `pointer`. A subclass adapts a debugger's frame."""

    def __init__(self, machine: str, names: dict[int, str], is_called: bool):
        """`machine`: a key of PRESERVED; `names`: of its registers, by their DWARF numbers; `is_called`: a call returns
        to the frame's pc."""
        self._names = names
        self._is_called = is_called
        self._known = PRESERVED[machine] if is_called else None
        self._callback = contract.RegisterFn(self._register)
        self.cfa = 0

    def describe(self, pc: int, cfa: int, memory: Any, depth: int) -> None:
        """Make the js_frame. `cfa`: 0 if it is not known; `memory`: a js_bytes; `depth`: inlined calls between the
        frame and that of the function which contains their code."""
        self.cfa = cfa
        self.struct = contract.Frame(pc, int(self._is_called), cfa, self._callback, None, memory, depth)
        self.pointer = ctypes.byref(self.struct)

    def read_register(self, name: str, capacity: int) -> bytes | None:
        """Return the register's bytes, little-endian; None if it is not known in this frame, or is longer."""
        raise NotImplementedError

    def _register(self, _context: Any, number: int, buffer: int, capacity: int) -> int:
        try:
            name = self._names.get(number)
            if name is None or (self._known is not None and name not in self._known):
                return contract.ENOTFOUND
            data = self.read_register(name, capacity)
            if data is None:
                return contract.ENOTFOUND
            ctypes.memmove(buffer, data, len(data))
            return len(data)
        except BaseException as error:
            return native.note(error)
