"""The addresses of the instructions that may run after one. GDB shows each stop of `stepi`, and nothing of a stop at a
silent breakpoint."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import gdb

_WORD = (1 << 64) - 1
_RETURN = re.compile(r"(repz |bnd )?ret")
_JUMP = re.compile(r"(?:bnd |notrack )*(j\w+|call\w?) +(.*)")
_PLACE = re.compile(r"0x[0-9a-f]+")
_MEMORY = re.compile(r"\*(?:%\w+:)?(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+),(\d))?\)")


def next_addresses(frame: Any) -> list[int]:
    """Return the addresses of the instructions that may run after the one at which the newest frame is. Other
    processors than x86-64: only that of the next one in memory."""
    with _att_syntax():
        here = frame.architecture().disassemble(int(frame.pc()))[0]
    after = here["addr"] + here["length"]
    if _RETURN.match(here["asm"]):
        return [_word(int(frame.read_register("rsp")))]
    match = _JUMP.match(here["asm"]) if "x86-64" in frame.architecture().name() else None
    if match is None:
        return [after]
    target = _target(frame, match[2], after)
    is_certain = match[1] == "jmp" or match[1].startswith("call")
    return [each for each in (target, 0 if is_certain else after) if each] or [after]


@contextlib.contextmanager
def _att_syntax() -> Iterator[None]:
    """Have GDB write instructions of x86-64 in the syntax that is read here."""
    given = gdb.parameter("disassembly-flavor")
    gdb.execute("set disassembly-flavor att", False, True)
    try:
        yield
    finally:
        gdb.execute(f"set disassembly-flavor {given}", False, True)


def _target(frame: Any, operand: str, after: int) -> int:
    """Return the address that the operand of a jump gives; 0: it is not understood."""
    if operand.startswith("*%"):
        return int(frame.read_register(operand[2:])) & _WORD
    memory = _MEMORY.match(operand)
    if memory is not None:
        scaled = _register(frame, memory[3], after) * int(memory[4] or 0)
        return _word(int(memory[1] or "0", 16) + _register(frame, memory[2], after) + scaled)
    place = _PLACE.match(operand)
    return int(place[0], 16) if place is not None else 0


def _register(frame: Any, name: str | None, after: int) -> int:
    if name == "%rip":
        return after
    return int(frame.read_register(name[1:])) if name else 0


def _word(address: int) -> int:
    memory = gdb.selected_inferior().read_memory(address & _WORD, 8)
    return int.from_bytes(memory.tobytes(), "little")
