"""The addresses of the instructions that may run after one. GDB shows each stop of `stepi`, and nothing of a stop at a
silent breakpoint."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import gdb

_WORD = (1 << 64) - 1
# What changes the order of instructions, with its operand; its name is the same in the syntaxes of AT&T and Intel.
_BRANCH = re.compile(r"(?:(?:bnd|notrack|repz?) +)*(j\w+|call\w?|ret\w?|ud2|hlt|int3)\b *(.*)")
_ENDS = ("jmp", "ret", "ud2", "hlt", "int3")  # after which the next instruction in memory does not run
_PLACE = re.compile(r"0x[0-9a-f]+")
_MEMORY = re.compile(r"\*(?:%\w+:)?(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+),(\d))?\)")


def next_addresses(frame: Any) -> list[int]:
    """Return the addresses of the instructions that may run after the one at which the newest frame is. Other
    processors than x86-64: only that of the next one in memory."""
    with _att_syntax():
        here = frame.architecture().disassemble(int(frame.pc()))[0]
    after = here["addr"] + here["length"]
    name, operand = _branch(here["asm"]) if "x86-64" in frame.architecture().name() else ("", "")
    if name.startswith("ret"):
        return [_word(int(frame.read_register("rsp")))]
    if not operand:
        return [after]
    is_certain = name.startswith((*_ENDS, "call"))
    return [each for each in (_target(frame, operand, after), 0 if is_certain else after) if each] or [after]


def successors(instruction: dict[str, Any]) -> Iterator[int]:
    """Yield the addresses in the same function of the instructions that may run after this one of GDB's disassembly of
    x86-64, as far as it names them."""
    name, operand = _branch(instruction["asm"])
    place = _PLACE.match(operand) if name.startswith("j") else None
    if place is not None:
        yield int(place[0], 16)
    if not name.startswith(_ENDS):
        yield instruction["addr"] + instruction["length"]


def _branch(text: str) -> tuple[str, str]:
    """Return the name and the operand of an instruction that changes the order; empty texts: it does not."""
    match = _BRANCH.match(text)
    return (match[1], match[2]) if match is not None else ("", "")


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
