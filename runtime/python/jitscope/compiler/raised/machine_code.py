"""The machine code of compiled functions of this process: which functions it calls, where the return addresses are
then, at which lines of the source, of inlined functions too, and which constants it refers to. For x86-64."""

from __future__ import annotations

import array
import ctypes
import functools
import os
import struct
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from jitscope import native, stops

_FRAMES = 64  # frames that are inlined into each other at one address
_CALLS = 4096  # calls of one function
_LARGEST = 1 << 20  # bytes of a function
_KEPT = (3, 5, 12, 13, 14, 15)  # registers that a call does not change (System V ABI x86-64 psABI 1.0, 3.2.1)
_NEAR = 256  # bytes from where an address is put into a register to the end of the call that uses it
_STACK_POINTER = 7  # DWARF number (System V ABI x86-64 psABI 1.0, figure 3.36)
_SECTION = struct.Struct("=IIQQQQIIQQ")  # an Elf64_Shdr
_PROGBITS, _ALLOC, _EXECUTABLE = 1, 2, 4  # of its type and flags (ELF-64, version 1.5)


class _Frame(ctypes.Structure):
    """js_names_frame."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("qualified", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("first_line", ctypes.c_uint32),
        ("kind", ctypes.c_char_p),
        ("low", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("is_inlined", ctypes.c_bool),
        ("is_line_certain", ctypes.c_bool),
    )


class _Rules(ctypes.Structure):
    """js_names_rules."""

    _fields_ = (
        ("low", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("initial", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        ("initial_size", ctypes.c_size_t),
        ("rows_size", ctypes.c_size_t),
        ("code_alignment", ctypes.c_uint64),
        ("data_alignment", ctypes.c_int64),
        ("return_register", ctypes.c_uint64),
    )


class _Call(ctypes.Structure):
    """js_names_call."""

    _fields_ = (("after", ctypes.c_uint64), ("target", ctypes.c_uint64))


def _function(name: str, *arguments: Any, result: Any = ctypes.c_int) -> Any:
    """Return a function of the C library, called with the GIL: no two threads are in it, and it calls no Python."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, native.load()))


class _Process(NamedTuple):
    """What js_names_… know of this process."""

    pid: int
    names: ctypes.c_void_p
    update_at: Any
    at: Any
    rules_at: Any
    calls_at: Any
    call_before: Any


@functools.lru_cache(maxsize=1)
def _open(pid: int) -> _Process | None:
    """Return what is read of this process; None: it cannot be read. A forked process is another one."""
    pointer = ctypes.c_void_p
    try:
        create = _function("js_names_create", ctypes.c_int, pointer)
        found = _Process(
            pid,
            ctypes.c_void_p(),
            _function("js_names_update_at", pointer, ctypes.c_uint64),
            _function("js_names_at", pointer, ctypes.c_uint64, pointer, ctypes.c_size_t, result=ctypes.c_size_t),
            _function("js_names_rules_at", pointer, ctypes.c_uint64, pointer),
            _function("js_names_calls_at", pointer, ctypes.c_uint64, pointer, ctypes.c_size_t, pointer),
            _function("js_names_call_before", pointer, ctypes.c_uint64, pointer, ctypes.c_size_t, pointer),
        )
    except (OSError, RuntimeError, AttributeError):
        return None
    return None if create(pid, ctypes.byref(found.names)) else found


Lines = tuple[tuple[str, int], ...]  # file and line of frames, the outermost first


class Code:
    """The machine code of one function, at [low, high)."""

    def __init__(self, low: int, high: int, rows: list[tuple[int, int]]) -> None:
        """`rows`: from which address on the function's canonical frame address (DWARF 5, 6.4) is how many bytes above
        the stack pointer."""
        self.low, self.high = low, high
        self._rows = rows
        self.text = ctypes.string_at(low, high - low)

    def depth_at(self, address: int) -> int:
        """Return how many bytes below the canonical frame address the word begins that has the return address of a call
        that returns to this address: 8 more than this."""
        return next((depth for start, depth in reversed(self._rows) if start <= address), 0)

    def lines_of_call(self, address: int) -> Lines | None:
        """Return the lines of the functions of the source that contain a call, inlined ones too; nothing of Numba's own
        functions. None: not all are known. `address`: what the call returns to."""
        process, frames = _open(os.getpid()), (_Frame * _FRAMES)()
        if process is None or process.update_at(process.names, address - 1):
            return None
        count = process.at(process.names, address - 1, frames, _FRAMES)
        if not 0 < count <= _FRAMES or frames[count - 1].low != self.low:
            return None
        found = [(os.fsdecode(each.file), each.line) for each in frames[:count][::-1] if each.file]
        return tuple(found) if all(line for _, line in found) else None

    @functools.cached_property
    def targets(self) -> dict[int, int]:
        """The addresses that its calls call, by what they return to; 0: not known, or not always the same. It is empty
        if the code cannot be followed."""
        process, calls, count = _open(os.getpid()), (_Call * _CALLS)(), ctypes.c_size_t()
        if process is None or process.update_at(process.names, self.low):
            return {}
        if process.calls_at(process.names, self.low, calls, _CALLS, ctypes.byref(count)) or count.value > _CALLS:
            return {}
        return {each.after: each.target for each in calls[: count.value]}

    def call_before(self, address: int, calls: Collection[int]) -> int | None:
        """Return which of the calls, by what they return to, is the last one before another call of the function; None:
        it may be several ones, or none is known. `address`: what the other call returns to."""
        process, found = _open(os.getpid()), ctypes.c_uint64()
        if process is None or process.update_at(process.names, self.low):
            return None
        listed = (ctypes.c_uint64 * len(calls))(*calls)
        status = process.call_before(process.names, address, listed, len(calls), ctypes.byref(found))
        return None if status else found.value

    def calls_of(self, targets: Mapping[int, str]) -> dict[int, set[str]] | None:
        """Return calls of functions, by what they return to, with the symbols of those that each may call. None: the
        function has the address of such a function for something else. `targets`: the symbols by the addresses."""
        may = self._may_calls_of(targets)
        if may is None or not self.targets:
            return may
        return {at: symbols for at, symbols in may.items() if self.targets.get(at, -1) in (0, *targets)}

    def _may_calls_of(self, targets: Mapping[int, str]) -> dict[int, set[str]] | None:
        """Do calls_of() without following what the registers hold."""
        found: dict[int, set[str]] = {}
        for target, symbol in targets.items():
            for place in _indices(self.text, struct.pack("=Q", target)):
                ends = self._ends_of_calls(place)
                if not ends:
                    return None
                for end in ends:
                    found.setdefault(self.low + end, set()).add(symbol)
        for place in _indices(self.text, b"\xe8"):  # call rel32
            target = self.low + place + 5 + int.from_bytes(self.text[place + 1 : place + 5], "little", signed=True)
            if target in targets and place + 5 <= len(self.text):
                found.setdefault(self.low + place + 5, set()).add(targets[target])
        return found

    def _ends_of_calls(self, place: int) -> list[int]:
        """Return where the calls end that use the address at `place`, the operand of `mov r64, imm64`: the next one, or
        all of the register's, if functions keep it."""
        prefix, opcode = self.text[place - 2 : place] if place >= 2 else b"\0\0"
        if prefix not in (0x48, 0x49) or opcode & 0xF8 != 0xB8:
            return []
        register = opcode & 7 | (8 if prefix == 0x49 else 0)
        call = bytes([0xFF, 0xD0 | opcode & 7])  # call r64
        first, last = (0, len(self.text)) if register in _KEPT else (place + 8, place + 8 + _NEAR)
        ends = [
            index + 2
            for index in _indices(self.text[:last], call, first)
            if (index > 0 and self.text[index - 1] == 0x41) == (register > 7)
        ]
        return ends if register in _KEPT else ends[:1]

    def refers_to(self, address: int) -> bool:
        """True if an instruction may have the address as an operand. Each place is taken for one."""
        if struct.pack("=Q", address) in self.text:
            return True
        if address < 1 << 32 and struct.pack("=I", address) in self.text:
            return True
        for shift in range(4):  # relative to the next instruction, after which an operand of 4 bytes may come
            words = array.array("i", self.text[shift : shift + (len(self.text) - shift) // 4 * 4])
            start = self.low + shift + 4 - address
            if any(-4 <= start + 4 * index + word <= 0 for index, word in enumerate(words)):
                return True
        return False


def code_at(low: int) -> Code | None:
    """Return the function whose code begins at the address; None: it is not known how its frames lie."""
    found = code_with(low)
    return found if found is not None and found.low == low else None


def code_with(address: int) -> Code | None:
    """Return the function whose code has the address; None as for code_at()."""
    process = _open(os.getpid())
    if process is None or process.update_at(process.names, address):
        return None
    frames, rules = (_Frame * _FRAMES)(), _Rules()
    count = process.at(process.names, address, frames, _FRAMES)
    if not 0 < count <= _FRAMES or process.rules_at(process.names, address, ctypes.byref(rules)):
        return None
    low, high = frames[count - 1].low, frames[count - 1].high
    rows = list(_rows(rules)) if (low, high) == (rules.low, rules.high) and high - low < _LARGEST else []
    return Code(low, high, rows) if rows else None


def _rows(rules: _Rules) -> Iterator[tuple[int, int]]:
    """Yield from which address on the canonical frame address is how many bytes above the stack pointer; nothing if it
    is not computed from the stack pointer everywhere. Source: DWARF 5, 6.4.2; LSB 5.0, 10.6."""
    initial = ctypes.string_at(rules.initial or 0, rules.initial_size)
    first = _Table(rules, rules.low, None)
    then = _Table(rules, rules.low, first if first.run(initial) else None)
    if then.offset is not None and then.run(ctypes.string_at(rules.rows or 0, rules.rows_size)):
        yield from then.rows.items()


class _Table:
    """Runs the instructions of call frame information, as far as the canonical frame address needs them."""

    # the operands of instructions that change nothing here: u: LEB128, b: a block
    _OTHERS = {0: "", 5: "uu", 6: "u", 7: "u", 8: "u", 9: "uu", 0x10: "ub", 0x11: "uu", 0x14: "uu", 0x15: "uu",
               0x16: "ub", 0x2E: "u"}  # fmt: skip

    def __init__(self, rules: _Rules, at: int, before: _Table | None) -> None:
        self._alignment = rules.code_alignment
        self._at = at
        self.offset: int | None = before.offset if before is not None else None
        self.rows: dict[int, int] = {at: self.offset} if self.offset is not None else {}
        self._kept: list[int | None] = []

    def run(self, text: bytes) -> bool:
        """Return False if the address is not computed from the stack pointer, or an instruction is not known."""
        self._text, self._next = text, 0
        while self._next < len(text):
            code = text[self._next]
            self._next += 1
            if not self._step(code >> 6, code & 0x3F):
                return False
            if self.offset is not None:
                self.rows[self._at] = self.offset
        return True

    def _step(self, high: int, low: int) -> bool:
        if high == 1:
            self._at += low * self._alignment
        elif high == 2:
            self._unsigned()
        elif high == 0 and low in (2, 3, 4):  # DW_CFA_advance_loc1, 2, 4
            size = 1 << low - 2
            self._at += int.from_bytes(self._bytes(size), "little") * self._alignment
        elif high == 0 and low == 0x0C:  # DW_CFA_def_cfa
            if self._unsigned() != _STACK_POINTER:
                return False
            self.offset = self._unsigned()
        elif high == 0 and low == 0x0E:  # DW_CFA_def_cfa_offset
            self.offset = self._unsigned()
        elif high == 0 and low == 0x0A:  # DW_CFA_remember_state
            self._kept.append(self.offset)
        elif high == 0 and low == 0x0B:  # DW_CFA_restore_state
            self.offset = self._kept.pop() if self._kept else None
        elif high == 0 and low in self._OTHERS:
            for kind in self._OTHERS[low]:
                size = self._unsigned()
                if kind == "b":
                    self._bytes(size)
        elif high != 3:
            return False
        return True

    def _bytes(self, size: int) -> bytes:
        self._next += size
        return self._text[self._next - size : self._next]

    def _unsigned(self) -> int:
        value = shift = 0
        while self._next < len(self._text):
            byte = self._text[self._next]
            self._next += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        return value


# -- constants


@functools.lru_cache(maxsize=1)
def _image() -> Any:
    """Return jitscope_raised_image, called with the GIL; it calls no Python."""
    arguments = ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64)
    return ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(("jitscope_raised_image", stops.library()))


def holders(constant: int) -> tuple[int, ...] | None:
    """Return where the constants of an object are that have the address of one of its constants in them; None: they
    cannot be found, or the addresses of these are in constants, too, so that code may read them."""
    at, size = ctypes.c_uint64(), ctypes.c_uint64()
    if _image()(constant, ctypes.byref(at), ctypes.byref(size)) != 1:
        return None
    data = list(_data(ctypes.string_at(at.value, size.value)))
    word = struct.pack("=Q", constant)
    found = tuple(start + place for start, content in data for place in _indices(content, word))
    if any(struct.pack("=Q", one) in content for one in found for _, content in data):
        return None
    return found


def _indices(text: bytes, part: bytes, index: int = 0) -> Iterator[int]:
    while (index := text.find(part, index)) >= 0:
        yield index
        index += 1


def _data(image: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield address and content, as it is in memory, of each section of data that an object in memory has."""
    table, size, count = *struct.unpack_from("=Q", image, 0x28), *struct.unpack_from("=HH", image, 0x3A)
    for number in range(count):
        _, kind, flags, address, _, length, *_ = _SECTION.unpack_from(image, table + number * size)
        if address and length and kind == _PROGBITS and flags & _ALLOC and not flags & _EXECUTABLE:
            yield address, ctypes.string_at(address, length)
