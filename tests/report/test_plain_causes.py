"""What the signal alone says of a crash."""

from __future__ import annotations

import types
from typing import Any

import pytest

from jitscope.report import plain_causes
from jitscope.report.snapshot import ANSWERED, PC, Fault, Mapping, Thread

MAPPINGS = [
    Mapping(0x10000, 0x20000, "r--", 0, "/usr/lib/one.so"),
    Mapping(0x20000, 0x30000, "rw-", 0, ""),
    Mapping(0x30000, 0x40000, "---", 0, ""),
]


def copy(number: int, code: int, address: int, pc: int = 1, read: bytes = b"") -> Any:
    """Return a stand-in for a copy of the process."""
    registers = [0] * 27
    registers[PC] = pc
    thread = Thread(1, ANSWERED, "", tuple(registers), Fault(number, code, address))
    found = next((each for each in MAPPINGS if each.start <= address < each.end), None)
    return types.SimpleNamespace(
        signal=number, code=code, address=address, threads=[thread], mapping_at=lambda _: found,
        read_some=lambda *_: read,
    )  # fmt: skip


REFUSED = (
    "the processor has refused an instruction, as it does for an address that no program can have, such as an"
    " overwritten pointer, and for one that is not aligned"
)
READ_ONLY = "the address 0x10000 was accessed (/usr/lib/one.so): this memory is read-only, and was written"
NO_MEMORY = "where the process has no memory: a pointer or an index is wrong, or the memory was freed"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((11, 1, 0), "a null pointer was accessed"),
        ((11, 1, 0, 0), "the program has called a null pointer"),
        ((11, 1, 8), "the address 0x8 was accessed: it is 8 bytes after the null pointer"),
        ((11, 1, 0x50000), f"the address 0x50000 was accessed, {NO_MEMORY}"),
        (
            (11, 2, 0x10000),
            "the address 0x10000 was accessed (/usr/lib/one.so): this memory is read-only, and was written",
        ),
        ((11, 2, 0x20000, 0x20000), "the program has jumped to 0x20000: no code may run there"),
        ((11, 2, 0x20000), None),
        ((11, 2, 0x30000), "the address 0x30000 was accessed: nothing may access this memory"),
        ((11, 0x80, 0), REFUSED),
        ((7, 1, 9), "the address 0x9 is not aligned as the instruction needs"),
        ((7, 2, 9), None),
    ],
)
def test_addresses(given: tuple[int, ...], said: str | None) -> None:
    assert plain_causes.of_address(copy(*given)) == said


def test_others() -> None:
    bad = plain_causes.of_instruction(copy(4, 2, 0x10, 0x10, b"\x06\x07"))
    assert bad == "this processor has no such instruction as that at 0x10: 06 07"
    assert plain_causes.of_abort(["raise", "abort", "std::terminate()"]) == (
        "C++ has ended the program: an exception was caught nowhere, or was raised where none may be; standard error "
        "may say which"
    )
    full = plain_causes.of_stack([{"kind": "python", "name": "walk"}])
    assert full == "the stack overflowed below walk: native code has used all of it"


@pytest.mark.parametrize(
    ("code", "said"),
    [  # si_code of SIGFPE in sigaction(2): FPE_INTDIV to FPE_FLTINV
        (1, "an integer was divided by zero, or the quotient has no room in its type"),
        (2, "an integer has no room in its type"),
        (3, "a floating-point number was divided by zero"),
        (4, "a floating-point number is too large"),
        (5, "a floating-point number is too small"),
        (6, "a floating-point result is not exact"),
        (7, "a floating-point operation is not valid"),
        (0, None),
    ],
)
def test_arithmetic(code: int, said: str | None) -> None:
    assert plain_causes.of_arithmetic(code) == said
