"""What the signal alone says of a crash, where nothing explains more: what is at the address, and who has ended it."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

from jitscope.report.snapshot import ANSWERED, NO_FILES, PC, Mapping, Snapshot

_LOWEST_MEMORY = 1 << 16  # the kernel gives no program memory below it by default (vm.mmap_min_addr)
_SI_KERNEL = 0x80  # Linux include/uapi/asm-generic/siginfo.h
_BUS_ADRALN = 1
# si_code of SIGFPE.
_ARITHMETIC = {
    1: "an integer was divided by zero, or the quotient has no room in its type",
    2: "an integer has no room in its type",
    3: "a floating-point number was divided by zero",
    4: "a floating-point number is too large",
    5: "a floating-point number is too small",
    6: "a floating-point result is not exact",
    7: "a floating-point operation is not valid",
}
_UD2 = b"\x0f\x0b"  # Intel SDM, volume 2, UD
_TERMINATE = ("std::terminate", "__verbose_terminate_handler", "__cxa_pure_virtual")


def of_address(snapshot: Snapshot) -> str | None:
    """Return a sentence about the memory at the address of a SIGSEGV or SIGBUS; None: there is nothing to say."""
    thread = snapshot.threads[0]
    address, mapping = snapshot.address, snapshot.mapping_at(snapshot.address)
    if snapshot.signal not in (signal.SIGSEGV, signal.SIGBUS) or thread.known != ANSWERED:
        return None
    if snapshot.signal == signal.SIGBUS:
        return (
            f"the address {address:#x} is not aligned as the instruction needs"
            if snapshot.code == _BUS_ADRALN
            else None
        )
    if snapshot.code == _SI_KERNEL:
        return ("the processor has refused an instruction, as it does for an address that no program can have, such as "
                "an overwritten pointer, and for one that is not aligned")  # fmt: skip
    is_jump = thread.registers[PC] == address
    what = f"the program has jumped to {address:#x}" if is_jump else f"the address {address:#x} was accessed"
    if mapping is None and address < _LOWEST_MEMORY:
        return f"{what}: it is {_size(address)} after the null pointer" if address else _null(is_jump)
    if mapping is None:
        return f"{what}, where the process has no memory: a pointer or an index is wrong, or the memory was freed"
    return _refused(what, is_jump, mapping)


def _null(is_jump: bool) -> str:
    return "the program has called a null pointer" if is_jump else "a null pointer was accessed"


def _size(count: int) -> str:
    return f"{count:,} byte{'s' * (count != 1)}"


def _refused(what: str, is_jump: bool, mapping: Mapping) -> str | None:
    """The memory is there, and must not be used so."""
    is_file = mapping.path and not mapping.path.startswith(NO_FILES)
    of = f" ({mapping.path})" if is_file else ""
    if is_jump and "x" not in mapping.access:
        return f"{what}{of}: no code may run there"
    if mapping.access.startswith("---"):
        return f"{what}{of}: nothing may access this memory"
    if not is_jump and mapping.access.startswith("r") and "w" not in mapping.access:
        return f"{what}{of}: this memory is read-only, and was written"
    return None  # it was mapped, or got other rights, meanwhile


def of_arithmetic(code: int) -> str | None:
    """Return a sentence about the operation that SIGFPE is for."""
    return _ARITHMETIC.get(code)


def of_instruction(snapshot: Snapshot) -> str | None:
    """Return a sentence about the instruction that SIGILL is for."""
    pc = snapshot.threads[0].registers[PC]
    read = snapshot.read_some(pc, 8)
    if snapshot.code <= 0 or not read:
        return None
    if read.startswith(_UD2):
        return f"the program has met ud2 at {pc:#x}, which compilers put where a program must never come"
    return f"this processor has no such instruction as that at {pc:#x}: {read.hex(' ')}"


def of_abort(names: Sequence[str]) -> str | None:
    """Return what abort() was called for. `names`: of the native frames, the innermost first."""
    if any(name.startswith(_TERMINATE) for name in names):
        return (
            "C++ has ended the program: an exception was caught nowhere, or was raised where none may be; standard "
            "error may say which"
        )
    return "the program has called abort()" if "abort" in names else None


def of_stack(frames: list[dict[str, Any]]) -> str:
    """Return that the stack is full, where no function calls itself so often that it is the cause."""
    own = next((frame for frame in frames if frame["kind"] in ("jit", "python")), None)
    place = f" below {own['name']}" if own else ""
    return f"the stack overflowed{place}: native code has used all of it"
