"""The exception that compiled code is about to raise where a thread has stopped: at the symbols of corrected objects
that mark the places which raise (program/hook/raises.c)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, NamedTuple

from ..base import native, pickled_exception

SYMBOL = "jitscope.raise"
_PICKLE_MAX = 1 << 20
_WORD = 8  # bytes of a pointer
_LEFT = 256  # bytes of a frame that are compared
# bytes below the stack pointer that are compared, too: a function that calls nothing uses them (the ABI's red zone)
_BELOW = 128

Read = Callable[[int, int], "bytes | None"]


class Stop(NamedTuple):
    """What is asked of the thread that has stopped, and of its innermost frame."""

    program: Any
    thread: Any  # a key of the thread
    pc: int
    stack: int  # the stack pointer
    place: tuple[str, int] | None  # of the source
    is_compiled: bool
    machine: str  # x86-64, aarch64
    register: Callable[[str], int]  # the value of a register by its name
    numbered: Callable[[int], "bytes | None"]  # the bytes of a register by its DWARF number
    read: Read  # of the memory


class Raise:
    """A raise. `exception`: None if it cannot be read; `is_called`: code that the frame has called raised it;
    `is_python`: the interpreter holds it; `has_line`: the frame's line is the one that raises."""

    def __init__(
        self,
        exception: pickled_exception.Exception_ | None,
        is_called: bool,
        is_python: bool = False,
        has_line: bool = True,
    ):
        self.exception = exception
        self.is_called = is_called
        self.is_python = is_python
        self.has_line = has_line

    @property
    def is_called_elsewhere(self) -> bool:
        """True if code without debug information that the line calls raises."""
        return self.is_called and not self.is_python

    def may_be(self, names: tuple[str, ...]) -> bool:
        """True if the exception has one of these names, or if its names are not known."""
        return not names or self.exception is None or any(map(self.exception.is_a, names))

    def text(self, name: str, file: str, line: int, base_name: Callable[[str], str]) -> str:
        """Return a text such as "Exception ValueError('bad') raised in foo at x.py:12". `base_name`: returns the
        name of a source for a message."""
        held = "(Python holds it)" if self.is_python else "of unknown type"
        what = self.exception.text if self.exception else held
        if not self.has_line:
            raised = self.exception.place if self.exception else None
            merged = "a line that is not known, as the compiler may have merged it with others"
            where = f"{base_name(raised[0])}:{raised[1]}" if raised else merged
            return f"Exception {what} leaves {name}, raised at {where}"
        how = " (in code without debug information that it calls)" if self.is_called_elsewhere else ""
        return f"Exception {what} raised in {name} at {file}:{line}{how}"


@lru_cache(maxsize=1)
def convention() -> dict[str, Any]:
    """Return js_numba_convention's answer."""
    return native.json_of("js_numba_convention")  # type: ignore[no-any-return]


def here(stop: Stop, last: dict[Any, tuple[int, int, bytes]]) -> Raise | None:
    """Return the exception that the thread is about to raise, at a place that the symbol marks; None if there is none,
    or if an inner frame raised it. `last`: what each thread has raised last, kept for the process."""
    try:
        stock = native.json_of("js_program_raise", stop.program, stop.pc)
    except native.NativeError:
        return _here_in_hooked(stop, last) if stop.is_compiled else None
    return _here_in_stock(stop, stock, last)


def _here_in_hooked(stop: Stop, last: dict[Any, tuple[int, int, bytes]]) -> Raise | None:
    means = convention()["status"]
    holder, result = convention()["raise"][stop.machine]
    pointer, status = stop.register(holder) & (1 << 64) - 1, stop.register(result) & (1 << 32) - 1
    status -= (status >> 31) << 32  # an int32
    if status in (means["none"], means["stop_iteration"]):
        return None
    if status == means["python_raised"]:
        return Raise(None, True, True)
    is_called = status != 0
    if not _is_first(stop, pointer, is_called, last):
        return None
    return Raise(read(stop.read, pointer), is_called)


def _here_in_stock(stop: Stop, stock: dict[str, Any], last: dict[Any, tuple[int, int, bytes]]) -> Raise | None:
    pointer = int.from_bytes(stop.numbered(stock["register"]) or b"", "little")
    if not pointer or not _is_first(stop, pointer, not stock["made"], last):
        return None
    exception = read(stop.read, pointer)
    said = exception.place if exception is not None else None
    if said is not None and said == stop.place:
        return Raise(exception, False)
    has_line = stock["line"] and (stock["called"] or (stock["made"] and said is None))
    return Raise(exception, stock["called"], has_line=has_line)


def _is_first(stop: Stop, pointer: int, is_called: bool, last: dict[Any, tuple[int, int, bytes]]) -> bool:
    """True unless the exception comes from a call in which it has already stopped: then the frames that it has left
    since are unchanged below the stack pointer. `last`: by thread the last exception, the stack pointer, and the bytes
    around it."""
    known, is_first = last.get(stop.thread), True
    if is_called and known is not None and known[0] == pointer and known[1] < stop.stack:
        left = known[2][: stop.stack - known[1] + _BELOW]
        is_first = not left or _bytes(stop, known[1])[: len(left)] != left
    last[stop.thread] = pointer, stop.stack, _bytes(stop, stop.stack)
    return is_first


def _bytes(stop: Stop, stack: int) -> bytes:
    return stop.read(stack - _BELOW, _BELOW + _LEFT) or b""


def read(read_memory: Read, structure: int) -> pickled_exception.Exception_ | None:
    """Return the exception that Numba's structure at this address describes."""
    size = read_memory(structure + convention()["pickle_size"], 4)
    place = read_memory(structure + convention()["pickle"], _WORD)
    if size is None or place is None or not 0 < int.from_bytes(size, "little") <= _PICKLE_MAX:
        return None
    pickled = read_memory(int.from_bytes(place, "little"), int.from_bytes(size, "little"))
    return None if pickled is None else pickled_exception.read(pickled)
