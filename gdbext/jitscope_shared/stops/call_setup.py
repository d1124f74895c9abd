"""The register or place on the stack from which a caller has passed an argument, found in its code before the call, as
a debugger's disassembler writes it; only for x86-64."""

from __future__ import annotations

import re
from typing import Any

# The registers of a call's first arguments of integer class (System V ABI x86-64 psABI 1.0, 3.2.3).
ARGUMENTS = ("rdi", "rsi")

_OFFSET = r"(-?(?:0x[0-9a-f]+|\d+))?"
# mov %rbx,%rdi and lea 0x18(%rsp),%rdi, then the same instructions in Intel's order.
_ATT = re.compile(rf"(mov|lea)q?\s+(?:%(\w+)|{_OFFSET}\(%(\w+)\)),%(\w+)$")
_INTEL = re.compile(r"(mov|lea)\s+(\w+),(?:(\w+)|\[(\w+)(?:\s*([+-])\s*(0x[0-9a-f]+|\d+))?\])$")
_TARGET = re.compile(r"(?:bnd |notrack )?j\w+\s+(?:(0x[0-9a-f]+)\b)?")
_JUMP = re.compile(r"(j\w+|call\w*|ret\w*)\b")
# Instructions that make room on the stack for arguments that are not in registers.
_LOWER = re.compile(r"(?P<push>pushq?)\b|subq?\s+(?:\$(?P<att>\w+),%rsp|rsp,(?P<intel>\w+))$")
_LENGTH = 120  # instructions before a call that are looked at


class Setup:
    """The base register and the offset of the last instruction before the call that set a register."""

    def __init__(self, base: str, offset: int):
        self.base = base
        self.offset = offset


def of_argument(code: list[dict[str, Any]], end: int, index: int) -> Setup | None:
    """Return how the call before the address `end` has got its argument with this index (from 0); None if the code does
    not show it. `code`: the caller's instructions, each with "addr", "length" and "asm"."""
    before = [each for each in code if each["addr"] < end]
    if not before or before[-1]["addr"] + before[-1]["length"] != end:
        return None
    return _find(before, ARGUMENTS[index], _targets(code))


def _targets(code: list[dict[str, Any]]) -> set[int] | None:
    """Return the addresses that jumps lead to; None if the target of a jump is in a register or a table."""
    found = set()
    for instruction in code:
        jump = _TARGET.match(instruction["asm"])
        if jump and jump[1] is None:
            return None
        if jump:
            found.add(int(jump[1], 16))
    return found


def _find(code: list[dict[str, Any]], register: str, targets: set[int] | None) -> Setup | None:
    """Search backwards from the call for the instruction that sets the register. Nothing is assumed: the search ends at
    an instruction that is not understood, and at a jump target, because the code that jumps there may pass something
    else."""
    changed: set[str] = set()
    # True if code may jump to the place right after this instruction
    is_target = targets is None or code[-1]["addr"] in targets
    lowered = 0  # bytes by which the stack pointer was lowered after the instruction
    for instruction in reversed(code[-1 - _LENGTH : -1]):
        text = re.sub(r"\s*[#<].*$", "", " ".join(instruction["asm"].split()))
        if _JUMP.match(text) or is_target:
            return None
        is_target = targets is None or instruction["addr"] in targets
        lower = _LOWER.match(text)
        if lower:
            lowered += 8 if lower["push"] else int(lower["att"] or lower["intel"], 0)
            continue
        written, setup = _effect(text)
        if written == register:
            if setup is None or setup.base in changed or setup.base not in ("rsp", "rbp", "rbx", *_NUMBERED):
                return None
            return Setup("rsp", setup.offset + lowered) if setup.base == "rsp" else setup
        if written is None:
            return None
        changed.add(written)
    return None


_NUMBERED = ("r12", "r13", "r14", "r15")


def _effect(text: str) -> tuple[str | None, Setup | None]:
    """Return the register that an instruction writes ("": none; None: the instruction is not understood), and its
    Setup."""
    match = _ATT.match(text)
    if match:
        operation, source, offset, base, target = match.groups()
        if source and operation == "mov":
            return _full(target), Setup(source, 0)
        if base and operation == "lea":
            return _full(target), Setup(base, int(offset or "0", 0))
        return _full(target), None
    match = _INTEL.match(text)
    if match:
        operation, target, source, base, sign, offset = match.groups()
        if source and operation == "mov" and re.match(r"r\w\w?$", source):
            return _full(target), Setup(source, 0)
        if base and operation == "lea":
            return _full(target), Setup(base, int(f"{sign or ''}{offset or '0'}", 0))
        return _full(target), None
    if re.match(r"(push|pop)", text):
        return "rsp", None
    if "%" in text or "$" in text:  # AT&T syntax, with the target last
        target = text.rsplit(",", 1)[-1].split()[-1]
        if target.endswith(")"):
            return "", None
        return (_full(target[1:]) if target.startswith("%") else None), None
    operands = text.partition(" ")[2].split(",")[0]
    if "[" in operands:
        return "", None
    return (_full(operands) if operands else ""), None


def _full(register: str) -> str:
    """Return the 64-bit register that a narrower one is part of."""
    match = re.match(r"(r\d+)[dwb]?$", register)
    if match:
        return match[1]
    match = re.match(r"[re]?([abcd])[xlh]$", register)
    if match:
        return f"r{match[1]}x"
    match = re.match(r"[re]?(si|di|bp|sp)l?$", register)
    return f"r{match[1]}" if match else register
