"""One step through interpreted Python. Its functions have no machine code of their own, at which a breakpoint could
stop. But before each instruction the interpreter writes into the function's frame which one it is, and where it calls a
Python function, it writes which frame is the innermost. GDB stops the thread at these writes by hardware watchpoints,
and lets it run on until it has come to another line."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import gdb
from jitscope_shared.base import contract, native

from ..base import report
from ..frames import frames
from ..target import target
from .passed import Passed, remove

NEXT, STEP, FINISH = "next", "step", "finish"  # the kinds of steps, by GDB's commands
_CALLERS = 2  # Python frames around the function in which the step may end, because the function returns or raises
_REGISTERS = 4  # hardware watchpoints of a processor (x86-64, and aarch64 at least)
_FUNCTIONS = 200  # compiled functions that `step` may enter, at most: each needs a breakpoint
_CALLS = 100  # of other functions that are looked at, at most: while Numba compiles there are a hundred thousand
_SHIM = "<interpreter trampoline>"  # a frame of 3.12 and later, which is left out once it is set up


class Step:
    """A step of the selected thread from the Python frame at this address (0: its innermost one). STEP may end in a
    function that the line calls; `at_body`: in a compiled one at its first line, and not at its first instruction.
    FINISH ends in a caller of the frame. Raise report.Problem if the thread cannot be stepped."""

    def __init__(self, debuggee: target.Target, address: int, kind: str = NEXT, at_body: bool = False):
        self._debuggee = debuggee
        thread = gdb.selected_thread()
        pthread = frames.register_bytes(gdb.newest_frame(), "fs_base", 8) or b""
        self.thread = thread.global_num
        self._ids = thread.ptid[1] or thread.ptid[0], int.from_bytes(pthread, "little")
        self._enters, self._leaves, self._at_body = kind == STEP, kind == FINISH, at_body
        self._watches: list[_Watch] = []
        self._entries: list[Passed] = []
        self._written = native.Written()
        self._at = 0  # the address of the function's instruction
        self._calls = 0
        self._entering = 0  # the address of a frame that the interpreter is about to enter
        self._is_incomplete = False  # the innermost frame cannot be read
        self._watched: set[int] = set()  # the compiled functions that have an entry
        self.has_arrived = False  # at the end of the step
        self.is_in_callee = False  # where a Python function begins that the line calls
        self._was_entered = False
        self.is_between = False  # where other words have to be watched for the rest of the step
        self.is_lost = False  # the function and those around it have been left, by an exception or at the program's end
        callers = _REGISTERS if self._leaves else _CALLERS
        found, _ = self._read(0)
        self._outermost = found[-1:]
        self._inner: list[dict[str, Any]] = []  # functions that the line has called before
        while found and address not in (0, found[0]["address"]):
            self._inner.append(found.pop(0))
        if not found:
            raise report.Problem("its frame cannot be read")
        self._start, self._callers = found[0], found[1 : callers + 1]
        if self._leaves and not self._callers:
            raise report.Problem("no Python function has called it")
        if self._start["line"] is None:  # the frame is being set up
            self._start["line"] = self._start["first_line"]

    def _read(self, count: int) -> tuple[list[dict[str, Any]], bool]:
        """Return the thread's innermost Python frames (0: all), and whether the interpreter is not just changing
        them."""
        given = *self._ids, count and count + 1, contract.PollFn(), None
        try:
            found = native.json_of("js_python_frames_json", self._debuggee.python(), *given)
        except native.NativeError:
            return [], False
        return [each for each in found["frames"] if each["function"] != _SHIM], not found["truncated"]

    # -- the places where the thread may stop

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Have GDB stop the thread where the step ends, within the `with` block."""
        try:
            self.watch()
            yield
        finally:
            self.forget()

    def watch(self) -> None:
        self.is_between = False
        written = self._written
        if native.library.js_python_find_written(self._debuggee.python(), *self._ids, written):
            raise report.Problem("where the interpreter notes its instruction is not known")
        self._at = self._word(written.instruction, 8)
        free, words = _free_registers(), self._words(written)
        entered = self._entered(written) if self._enters and self._calls < _CALLS else []
        kept = words[: max(free - len(entered), 0)]
        if len(kept) < min(len(words), 1 if self._leaves or self._enters else 2):
            raise report.Problem(
                f"it takes hardware watchpoints, and yours leave {free} of {_REGISTERS}: delete or disable some "
                "(`info watchpoints`)"
            )
        words = kept + entered
        self._watches += [_Watch(self, *each) for each in words]
        if any(each.type != gdb.BP_HARDWARE_WATCHPOINT for each in self._watches):
            raise report.Problem("it takes hardware watchpoints, and this GDB has none (`show can-use-hw-watchpoints`)")
        self.watch_functions()

    def _words(self, written: native.Written) -> list[tuple[int, int]]:
        """Return the addresses and widths of the words at which the step may end in the function or its callers."""
        watched = self._callers if self._leaves else [self._start, *self._callers]
        return [(each["address"] + written.instruction, written.width) for each in watched]

    def _entered(self, written: native.Written) -> list[tuple[int, int]]:
        """Return those of the words that are written where the thread enters another function."""
        found = [(each, 8) for each in written.entered if each]
        if self._is_incomplete:
            self._entering = self._innermost(found[-1][0])
        if self._entering:  # its frame is complete where its first instruction runs
            found.append((self._entering + written.instruction, written.width))
        return found

    def watch_functions(self) -> None:
        """Have GDB stop the thread in the compiled functions that the line may call, also in those that it has had
        compiled by now."""
        if not self._enters or not self._watches:
            return
        known = frames.functions(self._debuggee).all
        found = [each["low"] for each in known if each["kind"] == "function" and each["debug_info"]][-_FUNCTIONS:]
        for low in set(found) - self._watched:
            self._watched.add(low)
            place = _body(low) if self._at_body else low
            if place:
                self._entries.append(Passed(place, thread=self.thread))

    def forget(self) -> None:
        self._was_entered = self.has_entered
        for each in self._watches:
            if each.is_valid():
                each.delete()
        remove(*self._entries)
        self._watches.clear()
        self._entries.clear()
        self._watched.clear()

    # -- where it is

    def may_stop(self) -> bool:
        """True if the thread has come to the step's end, as it writes a word that is watched."""
        thread = gdb.selected_thread()
        if thread is None or thread.global_num != self.thread:
            return False
        found, _ = self._read(2)
        is_returned_to = self._is_returned_to()
        self._entering, self._is_incomplete = 0, not found
        if not found:  # the interpreter enters a function whose frame is not complete yet
            self.is_between = self._enters
        elif _is_same(found[0], self._start):
            is_at_line = found[0]["line"] not in (None, self._start["line"]) and not is_returned_to
            self.has_arrived = is_at_line and not self._leaves
        elif any(_is_same(found[0], each) for each in self._callers):
            self.has_arrived = found[0]["line"] is not None
        elif self._is_callee(found):
            is_left_out = any(_is_same(found[0], each) for each in self._inner)
            self.is_in_callee = self._enters and not is_left_out and not _is_installed(found[0]["file"])
        else:
            self._judge_other(found)
        return self.has_arrived or self.is_in_callee or self.is_lost or self.is_between

    @property
    def has_entered(self) -> bool:
        """True if the step has ended where a compiled function begins that the line calls."""
        return self._was_entered or any(each.was_hit for each in self._entries)

    def _is_returned_to(self) -> bool:
        """True if another function returns to the one of the step, and it has not come to an instruction yet."""
        last, self._at = self._at, self._word(self._written.instruction, 8)
        units = self._word(self._written.returned, 2) if self._written.returned else 0
        return bool(units) and self._at == last + 2 * units

    def _word(self, offset: int, size: int) -> int:
        """Return a number in the frame of the step's function."""
        return int.from_bytes(self._debuggee.read(self._start["address"] + offset, size), "little")

    def _innermost(self, place: int) -> int:
        """Return the address of the innermost frame, which is kept at this place; 0: there is none yet."""
        try:
            address = int.from_bytes(self._debuggee.read(place, 8), "little")
            self._debuggee.read(address, self._written.instruction + self._written.width)
        except gdb.MemoryError:
            return 0
        return address if address != self._start["address"] and address % 8 == 0 else 0

    def _is_callee(self, found: list[dict[str, Any]]) -> bool:
        """True if the function of the step has called the innermost one. While the interpreter enters that, the frames
        around it may not be found."""
        caller = self._debuggee.read(found[0]["address"] + self._written.previous, 8)
        is_called = int.from_bytes(caller, "little") == self._start["address"]
        return is_called or len(found) > 1 and _is_same(found[1], self._start)

    def _judge_other(self, found: list[dict[str, Any]]) -> None:
        """Judge a stop in a function that the function of the step has not called directly."""
        known = [self._start, *self._callers]
        there, is_whole = self._read(0)
        # while a generator begins or ends, the frames may be linked to none of those around it
        is_linked = is_whole and any(_is_same(there[-1], each) for each in self._outermost)
        self.is_lost = is_linked and not any(_is_same(one, other) for one in there for other in known)
        if self._enters:
            self._calls += 1
            self._entering = found[0]["address"] if len(there) == 1 and not is_whole else 0
            self.is_between = bool(self._entering) or self._calls == _CALLS


def _body(low: int) -> int:
    """Return the address of the first line of the function that begins here; 0: it has no lines."""
    table = gdb.find_pc_line(low).symtab
    return min((row.pc for row in (table.linetable() if table is not None else ()) if low < row.pc), default=0)


class _Watch(gdb.Breakpoint):
    """A watchpoint on a word that the interpreter writes."""

    def __init__(self, step: Step, address: int, width: int):
        kind = "unsigned long" if width == 8 else "unsigned int"
        super().__init__(f"*({kind} *) {address:#x}", gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
        self.silent = True
        self._step = step

    def stop(self) -> bool:
        return self._step.may_stop()


def _free_registers() -> int:
    """Return how many hardware watchpoints those that exist leave; each is taken to need one."""
    kinds = (gdb.BP_HARDWARE_WATCHPOINT, gdb.BP_READ_WATCHPOINT, gdb.BP_ACCESS_WATCHPOINT)
    return _REGISTERS - sum(each.type in kinds and each.enabled for each in gdb.breakpoints())


def _is_installed(file: str | None) -> bool:
    return bool(native.library.js_python_is_installed(os.fsencode(file) if file else None))


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("address", "function", "file", "first_line"))
