"""Traps: places at which code that was compiled for `jit trap` stops, where an integer does not fit in its type, or a
NaN is made of numbers (runtime/python/jitscope/compiler/lowered/traps.py)."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import gdb
from jitscope_shared.base import contract

from ..base import console, events, report
from ..frames import frames
from ..target import cells, recompilation, target

LOCATION = "-function jitscope.trap"
FUNCTION = "jit_trapped"  # $jit_trapped("KIND", "NAME"), the condition of a breakpoint there
KINDS = {"overflow": contract.TRAP_OVERFLOW, "nan": contract.TRAP_NAN}
_REGISTERS = {"i386:x86-64": "rax", "aarch64": "x0"}
_TEXTS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRING)
_TEXT_MAX = 1 << 16
_BITS_MAX = 512  # greater results are not written out
_LOOP_MAX = 1 << 16  # Numba computes powers with greater exponents otherwise (numba/cpython/numbers.py, 0.57-0.68)
_FLOATS = {"float32": "<f", "float64": "<d"}
_INFIX = ("+", "-", "*", "/", "//", "%", "**", "<<")


class Trap:
    """What has happened at a trap: the fields that lowered/traps.py has written, and the operands' values."""

    def __init__(self, said: dict[str, Any], words: list[int]):
        self.kind: str = said["kind"]
        self.operation: str = said["operation"]
        self.type: str = said["type"]
        self.array: str | None = said["array"]
        self.is_element: bool = said["element"]  # True: an array expression has computed one
        self.wraps: bool = said["wraps"]  # False: Numba computes something else than the exact result wraps to
        self.line: int = said["line"]
        self.names: list[str | None] = [each["name"] for each in said["operands"]]
        self.types: list[str] = [each["type"] for each in said["operands"]]
        self.values = [_value(bits, kind) for bits, kind in zip(words, self.types)]
        self.module: str = said["module"]
        self.function: str = said["function"]

    def is_in(self, name: str) -> bool:
        """True if the name is the function's, without or with what it is in."""
        full = f"{self.module}.{self.function}"
        return full == name or full.endswith(f".{name}")


def here(debuggee: target.Target) -> Trap | None:
    """Return the trap at which the selected thread has stopped, or None."""
    frame = gdb.newest_frame()
    if frames.compiled_at(debuggee, frame) is None:
        return None
    register = _REGISTERS.get(frame.architecture().name())
    if register is None:
        return None
    record = int(gdb.parse_and_eval(f"(unsigned long)${register}"))
    memory = debuggee.inferior.read_memory
    (text,) = struct.unpack("<Q", bytes(memory(record, 8)))
    said = bytearray()
    while b"\0" not in said and len(said) < _TEXT_MAX:
        said += bytes(memory(text + len(said), 64 - (text + len(said)) % 64))
    fields = json.loads(bytes(said).partition(b"\0")[0])
    count = len(fields["operands"])
    return Trap(fields, list(struct.unpack(f"<{count}Q", bytes(memory(record + 8, 8 * count)))))


def _value(bits: int, kind: str) -> Any:
    """Return the number: a float32 is written as a float64."""
    if kind in _FLOATS:
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    return bits - (1 << 64) if kind.startswith("int") and bits >> 63 else bits


def _number(value: Any, kind: str) -> str:
    """Return the number as Python writes it, a float32 with as many digits as it needs."""
    if kind != "float32" or not math.isfinite(value):
        return repr(value)
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    short = next((text for text in texts if struct.unpack("<f", struct.pack("<f", float(text)))[0] == value), None)
    return repr(float(short)) if short else repr(value)


# -- the sentence


def line_of(debuggee: target.Target) -> str | None:
    """Return what has happened at the trap of the selected thread, in one line, or None."""
    found = here(debuggee)
    if found is None:
        return None
    place = gdb.newest_frame().find_sal()
    file = cells.base_name(place.symtab.filename) if place.symtab is not None else "?"
    where = f"in {found.function} at {file}:{found.line}"
    if found.kind == "nan":
        text = f"NaN made {where}: {_terms(found)}"
        return console.plain(f"{text} in an element" if found.is_element else text)
    element = " in an element" if found.is_element and found.operation != "store" else ""
    return console.plain(f"{found.type} overflow {where}: {_terms(found)}{_fate(found)}{element}")


def _terms(found: Trap) -> str:
    """Return the operation with the names of its operands, if they have some, and with their values."""
    values = [_number(*pair) for pair in zip(found.values, found.types)]
    named = [name or value for name, value in zip(found.names, values)]
    if found.operation == "elements":
        given = [value if name is None else f"{name} = {value}" for name, value in zip(found.names, values)]
        return f"an array expression with {', '.join(given)}"
    if found.operation in ("convert", "store"):
        return named[0] if named == values else f"{named[0]} = {values[0]}"
    texts = [_written(found.operation, each) for each in (named, values)]
    return " = ".join(dict.fromkeys(texts))


def _written(operation: str, operands: list[str]) -> str:
    if operation == "neg":
        return f"-{operands[0]}" if operands[0].isidentifier() else f"-({operands[0]})"
    if operation not in _INFIX:
        return f"{operation}({', '.join(operands)})"
    left, right = (f"({each})" if each.startswith("-") else each for each in operands)
    return f"{left} {operation} {right}"


def _fate(found: Trap) -> str:
    """Return the exact result and what becomes of it, as far as both are known."""
    into = f" in an element of {found.array}" if found.operation == "store" and found.array else ""
    into = into or (f" in {found.type}" if found.operation in ("convert", "store") else "")
    exact, is_wrapped = _exact(found)
    equals = "" if exact is None or found.operation in ("convert", "store") else f" = {exact}"
    wraps = f", and wraps to {_wrapped(found, exact)}" if is_wrapped and found.wraps else ""
    return f"{equals} does not fit{into}{wraps}"


def _exact(found: Trap) -> tuple[int | None, bool]:
    """Return the exact result, if it is not too long, and whether the program's result is that modulo a power of
    two."""
    first, second = found.values[0], found.values[-1]
    if not all(isinstance(value, int) for value in found.values):
        return None, False  # what a float becomes is not defined
    operation = found.operation
    if operation in ("convert", "store"):
        return first, True
    if operation in ("neg", "abs"):
        return abs(first) if operation == "abs" else -first, True
    if operation == "//":
        return first // second, False  # the processor may refuse it
    if operation == "<<":
        return (first << second, True) if second < 64 else (None, False)
    if operation == "**":
        if second > _LOOP_MAX:
            return None, False
        is_short = max(first.bit_length(), 1) * second <= _BITS_MAX
        return first**second if is_short else None, True
    return {"+": first + second, "-": first - second, "*": first * second}[operation], True


def _wrapped(found: Trap, exact: int | None) -> int:
    width = int(found.type.lstrip("uint"))
    bits = exact if exact is not None else pow(found.values[0], found.values[1], 1 << width)
    bits &= (1 << width) - 1
    return bits - (1 << width) if found.type.startswith("int") and bits >> width - 1 else bits


# -- breakpoints


def breakpoints() -> list[Any]:
    """Return the breakpoints of `jit trap`, in order of their numbers."""
    return sorted((b for b in gdb.breakpoints() or () if is_trap(b)), key=lambda b: b.number)


def is_trap(breakpoint: Any) -> bool:
    return breakpoint.type == gdb.BP_BREAKPOINT and f"{breakpoint.location} ".startswith(f"{LOCATION} ")


class Trapped(gdb.Function):
    """$jit_trapped("KIND", "NAME"): has compiled code stopped at a trap of this kind (overflow or nan), in the function
    NAME? Without NAME: in any. The condition of what `jit trap` makes."""

    def __init__(self) -> None:
        super().__init__(FUNCTION)

    def invoke(self, kind: Any, *names: Any) -> bool:
        if any(each.type.strip_typedefs().code not in _TEXTS for each in (kind, *names)):
            raise gdb.GdbError(f'Usage: ${FUNCTION}("overflow|nan", "NAME"), in quotes')
        try:
            found = here(target.current())
            is_there = found is not None and found.kind == kind.string()
            return found is not None and is_there and all(found.is_in(name.string()) for name in names)
        except (gdb.error, gdb.MemoryError, ValueError) as error:
            raise gdb.GdbError(report.line_of(error)) from None


@events.on("stop", order=101)
def arrived(event: Any) -> None:
    """Report, after a stop at a trap, what has happened, in one line."""
    if isinstance(event, gdb.BreakpointEvent) and any(map(is_trap, event.breakpoints)):
        text = line_of(target.current())
        if text and gdb.parameter("jitscope notes"):
            report.say(text)


@events.on("object_taken", order=11)
def _taken(debuggee: target.Target, _number: int) -> None:
    """Warn once for each process that cannot have traps."""
    if not debuggee.is_live or not breakpoints() or recompilation.is_possible(debuggee):
        return
    if any(function["level"] for function in frames.functions(debuggee).all):
        return  # the hook has compiled it, and libjitscope.so comes with the first call
    if not debuggee.keep(target.PROCESS, "no traps", list):
        debuggee.keep(target.PROCESS, "no traps", list).append(True)
        report.warn(NEEDS)


NEEDS = "`jit trap` stops only in a program that runs with jitscope: see `jit status`"
