"""What users write: `set var x = 1`, `print x = 1`, -var-assign. GDB has no event before it writes, only one behind."""

from __future__ import annotations

from typing import Any

import gdb

from . import frames, native, report, stops, target

_STACK_MAX = 1 << 16
_HOOKED = ("exact", "steps")


class _Stack:
    """A part of a thread's stack as the program has left it."""

    def __init__(self, low: int, data: bytes):
        self.low = low
        self.data = data

    def at(self, address: int, size: int) -> bytes | None:
        start = address - self.low
        return self.data[start : start + size] if 0 <= start and start + size <= len(self.data) else None


_stacks: dict[tuple[int, ...], _Stack] = {}  # by thread, since the last stop
_restoring: list[int] = []


def stopped(of: target.Target) -> None:
    """Remembers the stack of the thread that has stopped: its frames' variables are in it."""
    _stacks.clear()
    thread = gdb.selected_thread()
    if thread is None or not of.has_process or not of.feed.objects:
        return
    low = (int(gdb.newest_frame().read_register("sp")) & (1 << 64) - 1) - frames.RED_ZONE
    size = _STACK_MAX
    while size >= 1 << 9:  # it may end before
        try:
            _stacks[thread.ptid] = _Stack(low, of.data(low, size))
            return
        except gdb.MemoryError:
            size //= 2


def forget() -> None:
    _stacks.clear()


def wrote(of: target.Target, event: Any) -> None:
    """The compiler hook's variables are read by debuggers only: what was written is taken back. In optimised stock code
    the place is one of several, or will not be read again."""
    if stops.is_leaving() or _restoring:
        return
    frame = gdb.selected_frame()
    function = frames.compiled_at(of, frame)
    if function is None or not function["debug_info"]:
        return
    address = getattr(event, "address", None)
    if address is not None and not frames.holds(frame, address):
        return
    if function["level"] in _HOOKED:
        if address is not None and (name := _variable_at(frame, address)):
            _refuse(of, function, name, address, event.length)
        return
    if native.json_of("js_program_at", of.program, frames.lookup_pc(frame))["homes"]:
        return
    report.warn(
        f"{function['name']} is optimised and may go on with the old value: "
        "at NUMBA_OPT=0 each variable has one place, which the program reads"
    )


def _variable_at(frame: Any, address: int) -> str | None:
    block = frame.block()
    while block is not None and not block.is_global:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                value = symbol.value(frame)
                if value.address is not None and 0 <= address - int(value.address) < value.type.sizeof:
                    return str(symbol.name)
        block = block.superblock
    return None


def _refuse(of: target.Target, function: dict[str, Any], name: str, address: int, size: int) -> None:
    stack = _stacks.get(gdb.selected_thread().ptid)
    before = stack.at(address, size) if stack else None
    why = f"{function['name']} computes in registers, and its variables in memory are for debuggers only"
    if before is None:
        report.warn(f"{function['name']} goes on with the old value of {name}: {why}")
        return
    _restoring.append(address)
    try:
        of.inferior.write_memory(address, before)
    finally:
        _restoring.pop()
    report.warn(f"{name} is left as it was: {why}")
