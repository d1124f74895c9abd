"""Workers that come to a line of a parallel loop's body, and wait there in the program for the others.

Each is sent from its breakpoint into libjitscope.so's `line_entry`, which returns behind the marker that stands where
the line begins (a `nop`, level steps). So GDB need not hold the thread, which it cannot."""

from __future__ import annotations

import linecache
import os
import re
import struct
from typing import Any, NamedTuple

import gdb

from . import breakpoints, frames, native, report, sources, stops, target

_BELOW = frames.RED_ZONE + 8  # the stack pointer, where line_entry finds what it returns to
_MARKER = b"\x90"
_NO_LOCK = ("off", "replay", "step")
_LOCATION = re.compile(r"(?:(?P<file>\S.*):)?(?P<line>\d+)$")
_ASKS = re.compile(r"\b(breakpoint|breakpoint_if|gdb_breakpoint)\s*\(")


_met: tuple[Any, int] | None = None  # who has stopped for all at a line, and where; until it runs on


class Line(NamedTuple):
    path: str
    number: int

    def __str__(self) -> str:
        return f"{os.path.basename(self.path)}:{self.number}"


def line_of(text: str) -> Line | None:
    """FILE:LINE, or LINE of the selected frame's file; None: it is neither."""
    match = _LOCATION.match(text)
    if match is None:
        return None
    path = match["file"]
    if path is None:
        try:
            symtab = gdb.selected_frame().find_sal().symtab
        except gdb.error:
            symtab = None
        if symtab is None:
            raise report.Problem("the selected frame has no source file: FILE:LINE")
        path = symtab.fullname()
    return Line(path, int(match["line"]))


def is_edge(of: target.Target, line: Line) -> bool:
    """Is it the header of a parallel loop that is compiled?"""
    return any(body["line"] == line.number for body in _bodies(of, line))


def asks_to_stop(of: target.Target, line: Line) -> bool:
    """Does the source call a function to stop there?"""
    for body in _bodies(of, line):
        path = sources.find(of, body["file"])
        if path and _ASKS.search(linecache.getline(path, line.number)):
            return True
    return False


def check(of: target.Target, line: Line) -> None:
    """Raises report.Problem where the line is compiled, and workers cannot wait there."""
    bodies = {body["low"]: body for body in _bodies(of, line)}
    found = of.keep(
        target.OBJECT,
        ("line", line),
        lambda: native.json_of("js_program_line", of.program, os.fsencode(line.path), line.number),
    )
    there = [(place, bodies[place["low"]]) for place in found if place["low"] in bodies]
    if any(place["state"] == "marked" and body["level"] == "steps" for place, body in there):
        return
    around = {place["function"] for place in found}
    other = [body for body in bodies.values() if body["parent"] in around and body["level"] != "steps"]
    before = [body["line"] for body in other if body["line"] < line.number]
    if before:  # which of its lines are the body's is not asked
        raise report.Problem(
            f"{line}: workers gather at any line of a loop at level steps; at others where it begins "
            f"(line {max(before)}) and where its body calls jitscope.breakpoint()"
        )
    if there:
        raise report.Problem(f"{line}: nothing is left of this line")
    if found:
        raise report.Problem(f"{line} is in no parallel loop's body")
    if gdb.parameter("breakpoint pending") is not True:
        raise report.Problem(
            f"{line}: no function with this line is compiled; `set breakpoint pending on` gathers once one is"
        )


def _bodies(of: target.Target, line: Line) -> list[dict[str, Any]]:
    name = os.path.basename(line.path)
    all_functions = frames.functions(of).all
    return [f for f in all_functions if f["kind"] == "parfor-kernel" and os.path.basename(f["file"] or "") == name]


class Arrivals(gdb.Breakpoint):
    """At the line, while workers gather there; the user's own breakpoints at the same places wait meanwhile."""

    def __init__(self, of: target.Target, line: Line, entry: int, stop: int):
        super().__init__(f"{line.path}:{line.number}", gdb.BP_BREAKPOINT, internal=True)
        self.silent = True
        self.asked = of, line, entry, stop
        self._of, self._line, self._entry = of, line, entry
        self._end = End(of, stop)
        self.begin()

    def begin(self) -> None:
        self.refused: str | None = None
        self._known: dict[int, bool] = {}
        for each in (self, self._end):
            each.enabled = True
        self._held = [b for b in gdb.breakpoints() if b.number > 0 and b.enabled and self._covers(b)]
        for other in self._held:
            other.enabled = False

    def _covers(self, other: Any) -> bool:
        own, theirs = breakpoints.addresses(self), breakpoints.addresses(other)
        return bool(theirs) and theirs <= own

    def finish(self) -> None:
        for other in self._held:
            if other.is_valid():
                other.enabled = True
        self._held = []
        for each in (self, self._end):
            if each.is_valid():
                each.enabled = False

    @property
    def is_whole(self) -> bool:
        return bool(self.is_valid() and self._end.is_valid())

    def remove(self) -> None:
        for each in (self, self._end):
            if each.is_valid():
                each.delete()

    def send_selected(self) -> None:
        """The selected thread, if it stands there already: it would run on past the place, as it shall where it has
        met the others there."""
        frame = gdb.newest_frame()
        pc = int(frame.pc())
        if pc not in breakpoints.addresses(self):
            return
        if _met == (gdb.selected_thread().ptid, pc):
            frame.select()
            stops.go_on_with([("pc", pc + len(_MARKER))])
        else:
            self.stop()

    def stop(self) -> bool:
        try:
            return self._stop()
        except (gdb.error, gdb.MemoryError, report.Problem) as error:
            self.refused = report.line_of(error)
            return True

    def _stop(self) -> bool:
        frame = gdb.newest_frame()
        pc = int(frame.pc())
        if pc not in self._known:
            self._known[pc] = self._is_marker(pc)
        if self._known[pc]:
            send(self._of, frame, pc + len(_MARKER), self._entry)
        return False

    def _is_marker(self, pc: int) -> bool:
        function = frames.functions(self._of).at(pc)
        if function is None or function["kind"] != "parfor-kernel":
            return False
        if function["level"] != "steps" or bytes(self._of.inferior.read_memory(pc, len(_MARKER))) != _MARKER:
            raise report.Problem(
                f"workers cannot gather at {self._line}, where {function['name']} is not at level steps"
            )
        return True


_kept: Arrivals | None = None  # the last one: GDB looks through all files for the line of a new one


def begin(of: target.Target, line: Line, entry: int, stop: int) -> Arrivals:
    """From now on workers meet at the line, until `finish`."""
    global _kept
    if _kept is not None and _kept.is_whole and _kept.asked == (of, line, entry, stop):
        _kept.begin()
        return _kept
    forget()
    _kept = Arrivals(of, line, entry, stop)
    return _kept


def forget() -> None:
    """Each object that is registered has GDB look for the line."""
    global _kept
    if _kept is not None:
        _kept.remove()
    _kept = None


def stopped() -> None:
    """At a stop: one that is not of a gathering is the end of them."""
    if _kept is not None and not (_kept.is_whole and _kept.enabled):
        forget()


class End(gdb.Breakpoint):
    """Where the last one stops for all: it is taken to the line, as at any breakpoint there."""

    def __init__(self, of: target.Target, address: int):
        super().__init__(f"*{address:#x}", gdb.BP_BREAKPOINT, internal=True)
        self.silent = not stops.is_machine_interface()
        self._of = of

    def stop(self) -> bool:
        try:
            sp = int(gdb.newest_frame().read_register("sp")) & (1 << 64) - 1
            back = struct.unpack("<Q", bytes(self._of.inferior.read_memory(sp, 8)))[0]
            stops.go_on_with([("sp", sp + _BELOW), ("pc", back - len(_MARKER))])
        except (gdb.error, gdb.MemoryError) as error:
            report.warn(report.line_of(error))
        return True


def remember() -> None:
    """The selected thread has met the others at its place."""
    global _met
    _met = gdb.selected_thread().ptid, int(gdb.newest_frame().pc())


def continued() -> None:
    global _met
    _met = None


def send(of: target.Target, frame: Any, back: int, entry: int) -> None:
    """The selected thread goes on in libjitscope.so, which returns to `back` with all registers as they are."""
    below = (int(frame.read_register("sp")) & (1 << 64) - 1) - _BELOW
    of.inferior.write_memory(below, struct.pack("<Q", back))
    stops.go_on_with([("sp", below), ("pc", entry)])


def expect_all_run() -> None:
    """Raises report.Problem where threads would not run together."""
    if gdb.parameter("scheduler-locking") not in _NO_LOCK:
        raise report.Problem("the other workers do not run: `set scheduler-locking off`")
    if gdb.parameter("non-stop"):
        raise report.Problem("workers gather in all-stop mode only: `set non-stop off` before the program starts")
