"""Workers that arrive at a line of a parallel loop's body, and wait there in the program for the others.

While they gather, the marker at the start of the line (level steps) is replaced by a call of libjitscope.so, which
returns to the instruction after it. So GDB sees a stop only for the last worker."""

from __future__ import annotations

import linecache
import os
import re
from typing import Any, NamedTuple

import gdb
from jitscope_shared.base import native
from jitscope_source import defined, loop_lines

from ..base import console, events, memory, report
from ..breakpoints import breakpoint_places
from ..frames import frames
from ..stops import requested_stops
from ..target import cells, sources, target

_NO_LOCK = ("off", "replay", "step")
_LOCATION = re.compile(r"(?:(?P<file>\S.*):)?(?P<line>\d+)$")
_ASKS = re.compile(r"\b(breakpoint|breakpoint_if|gdb_breakpoint)\s*\(")


# the thread that has stopped for all at a line, and its pc, until the thread runs on
_met: tuple[Any, int] | None = None


class Calls(NamedTuple):
    """The address where one worker stops for all, and the bytes of a marker and of the call that replaces it, as
    jitscope_gather has them (jitscope_descriptor.h)."""

    stop: int
    marker: bytes
    call: bytes


class Line(NamedTuple):
    path: str
    number: int

    def __str__(self) -> str:
        return f"{cells.base_name(self.path)}:{self.number}"


def line_of(text: str) -> Line | None:
    """Return the line for FILE:LINE, or for LINE in the selected frame's file; None: the text is neither."""
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
            raise report.Problem("the selected frame has no source file: type `jit gather FILE:LINE`")
        path = symtab.fullname()
    return Line(path, int(match["line"]))


def is_edge(debuggee: target.Target, line: Line) -> bool:
    """True if the line is the header of a parallel loop that is compiled."""
    return any(is_of(body["file"], body["line"], line) for body in _bodies(debuggee, line))


def is_compiled(debuggee: target.Target, line: Line) -> bool:
    """True if the line has compiled code."""
    bodies = {body["low"] for body in _bodies(debuggee, line)}
    return is_edge(debuggee, line) or any(place["places"] or place["low"] in bodies for place in _found(debuggee, line))


def is_of(path: str | None, number: int, line: Line) -> bool:
    """True if the path and the number are those of the line."""
    return number == line.number and os.path.basename(path or "") == os.path.basename(line.path)


def calls_breakpoint(debuggee: target.Target, line: Line) -> bool:
    """True if the source calls, on the line, a function that asks for a stop."""
    for body in _bodies(debuggee, line):
        path = sources.find(debuggee, body["file"])
        if path and _ASKS.search(linecache.getline(path, line.number)):
            return True
    return False


def check(debuggee: target.Target, line: Line) -> None:
    """Raise report.Problem where the line is compiled, and workers cannot wait there."""
    bodies = {body["low"]: body for body in _bodies(debuggee, line)}
    found = _found(debuggee, line)
    there = [place for place in found if place["low"] in bodies]
    if any(place["markers"] for place in there):
        return
    around = {place["function"] for place in found}
    around |= {bodies[place["low"]]["parent"] for place in there}
    other = [body for body in bodies.values() if body["parent"] in around and body["level"] != "steps"]
    before = [body["line"] for body in other if body["line"] < line.number]
    if before:  # whether the line is in the body is not checked
        raise report.Problem(
            f"{line}: workers gather at any line of a loop at level steps; at others where it begins "
            f"(line {max(before)}) and where its body calls jitscope.breakpoint()"
        )
    if there or any(_is_in_loop(debuggee, line, body) for body in bodies.values()):
        raise report.Problem(f"{line}: the compiler has left no code of this line")
    if found:
        raise report.Problem(f"{line} is in no parallel loop's body")
    check_source(debuggee, line)
    waits = gdb.parameter("breakpoint pending")
    if waits is False or (waits is None and not _may_come(debuggee, line)):
        raise report.Problem(
            f"{line}: no function with this line is compiled; `set breakpoint pending on` gathers once one is"
        )


def _is_in_loop(debuggee: target.Target, line: Line, body: dict[str, Any]) -> bool:
    """True if the source has the line in the loop whose compiled body this is."""
    loop = sources.loop_around(debuggee, body["file"], body["line"])
    return loop is not None and loop.first == body["line"] < line.number <= loop.last


def check_source(debuggee: target.Target, line: Line) -> None:
    """Raise report.Problem where the source shows that no parallel loop has the line, which may not be compiled yet."""
    folders = (
        ["", defined.start(debuggee.inferior.pid)[1]]
        if debuggee.has_process
        else [os.getcwd(), os.path.dirname(os.path.realpath(sources.script_to_run() or "."))]
    )
    paths = [os.path.join(folder, line.path) for folder in folders]
    if debuggee.has_process:
        found = next(filter(None, (sources.find(debuggee, path) for path in paths)), None)
    else:
        found = next(filter(os.path.isfile, paths), None)
    why = (
        loop_lines.why_not_parallel(found, line.number, sources.born(debuggee) if debuggee.has_process else None)
        if found
        else ""
    )
    if why:
        raise report.Problem(f"{line} {why}")


def _may_come(debuggee: target.Target, line: Line) -> bool:
    """True if there is a file of the line's name, whose code the program may still compile."""
    folders = {os.path.dirname(function["file"]) for function in frames.functions(debuggee).all}
    folders |= {"", sources.working_directory(debuggee) or ""}
    return any(os.path.isfile(os.path.join(folder, line.path)) for folder in folders)


def _found(debuggee: target.Target, line: Line) -> list[dict[str, Any]]:
    return debuggee.keep(  # type: ignore[no-any-return]
        target.OBJECT,
        ("line", line),
        lambda: native.json_of("js_program_line", debuggee.program, os.fsencode(line.path), line.number, 0),
    )


def _bodies(debuggee: target.Target, line: Line) -> list[dict[str, Any]]:
    bodies = (f for f in frames.functions(debuggee).all if f["kind"] == "parfor-kernel")
    return [body for body in bodies if is_of(body["file"], line.number, line)]


class Arrivals:
    """The breakpoints and calls at the line while workers gather there; the user's own breakpoints at the same places
    are disabled meanwhile."""

    def __init__(self, debuggee: target.Target, line: Line, calls: Calls):
        self.asked = debuggee, line, calls
        self._of, self._line, self._calls = debuggee, line, calls
        self._end = End(debuggee, calls)
        self._written: set[int] = set()
        self._held: list[Any] = []
        self.begin()

    def begin(self) -> None:
        self.is_on, self._end.enabled = True, True
        self._refusals: list[Refusal] = []
        self._send_met()
        self.look()

    def look(self) -> None:
        """Replace markers in new code; called when compiled code may have come."""
        bodies = {body["low"]: body for body in _bodies(self._of, self._line)}
        for place in _found(self._of, self._line):
            body = bodies.get(place["low"])
            if body is not None and not place["markers"] and place["places"]:
                self._refuse(body)
            for address in place["markers"] if body is not None else ():
                if address not in self._written and self._has(address, self._calls.marker):
                    self._of.write(address, self._calls.call)
                    self._written.add(address)
        for other in gdb.breakpoints() or ():
            if other.number > 0 and other.enabled and self._covers(other):
                other.enabled = False
                self._held.append(other)

    def _has(self, address: int, code: bytes) -> bool:
        return bytes(self._of.inferior.read_memory(address, len(code))) == code

    def _covers(self, other: Any) -> bool:
        theirs = set(breakpoint_places.addresses(other))
        return bool(theirs) and theirs <= self._written

    def _refuse(self, body: dict[str, Any]) -> None:
        if all(each.at != body["low"] for each in self._refusals):
            self._refusals.append(Refusal(body["low"], self._line, body["name"]))

    @property
    def refused(self) -> str | None:
        return next((each.said for each in self._refusals if each.is_hit), None)

    def _send_met(self) -> None:
        """Move the thread that has stopped for all past its marker, so that it does not meet the others there again
        when it runs on."""
        if _met is None:
            return
        selected, frame = gdb.selected_thread(), gdb.selected_frame()
        try:
            for thread in self._of.inferior.threads():
                if thread.ptid == _met[0]:
                    thread.switch()
                    if int(gdb.newest_frame().pc()) == _met[1]:
                        frame = None if thread == selected else frame
                        requested_stops.go_on_with([("pc", _met[1] + len(self._calls.marker))])
        finally:
            selected.switch()
            if frame is not None and frame.is_valid():
                frame.select()

    def finish(self) -> None:
        self.is_on = False
        for other in self._held:
            if other.is_valid():
                other.enabled = True
        self._held = []
        if self._of.is_live:
            for address in self._written:
                if self._has(address, self._calls.call):
                    self._of.write(address, self._calls.marker)
        self._written = set()
        if self._end.is_valid():
            self._end.enabled = False
        for each in self._refusals:
            if each.is_valid():
                each.delete()

    @property
    def is_whole(self) -> bool:
        return bool(self._end.is_valid())

    def remove(self) -> None:
        if self._end.is_valid():
            self._end.delete()


# the last Arrivals, kept because GDB looks at all objects for the place of a new breakpoint
_kept: Arrivals | None = None


def begin(debuggee: target.Target, line: Line, calls: Calls) -> Arrivals:
    """Have workers gather at the line from now on, until finish()."""
    global _kept
    if _kept is not None and _kept.is_whole and _kept.asked == (debuggee, line, calls):
        _kept.begin()
        return _kept
    forget()
    _kept = Arrivals(debuggee, line, calls)
    return _kept


@events.on("only_process_ended", order=20)
@events.on("program_replaced", order=20)
def forget() -> None:
    """Remove the kept Arrivals: GDB looks at their breakpoint again for each object that is registered."""
    global _kept
    if _kept is not None:
        _kept.remove()
    _kept = None


@events.on("objects_changed", order=30)
def look(_since: int) -> None:
    """Replace markers in compiled code that has come."""
    if _kept is not None and _kept.is_on:
        _kept.look()


@events.on("stop", order=90)
def stopped(_event: Any) -> None:
    """Remove the kept Arrivals at a stop that belongs to no gathering."""
    if _kept is not None and not (_kept.is_whole and _kept.is_on):
        forget()


class Refusal(gdb.Breakpoint):
    """A breakpoint at the start of a loop's body that has the line, but no markers."""

    def __init__(self, at: int, line: Line, name: str):
        super().__init__(f"*{at:#x}", gdb.BP_BREAKPOINT, internal=True)
        self.silent = True
        self.at, self.is_hit = at, False
        self.said = f"workers cannot gather at {line}, where {name} is not at level steps"

    def stop(self) -> bool:
        self.is_hit = True
        return True


class End(gdb.Breakpoint):
    """A breakpoint at the address where the last worker stops for all; it moves the worker to the line, as a breakpoint
    there would."""

    def __init__(self, debuggee: target.Target, calls: Calls):
        super().__init__(f"*{calls.stop:#x}", gdb.BP_BREAKPOINT, internal=True)
        self.silent = not console.is_machine_interface()
        self._of, self._size = debuggee, len(calls.marker)

    def stop(self) -> bool:
        try:
            sp = int(gdb.newest_frame().read_register("sp")) & (1 << 64) - 1
            back = memory.integer(self._of.inferior, sp)
            requested_stops.go_on_with([("sp", sp + 8), ("pc", back - self._size)])
        except (gdb.error, gdb.MemoryError) as error:
            report.warn(report.line_of(error))
        return True


def remember() -> None:
    """Note that the selected thread has stopped for all at its place."""
    global _met
    _met = gdb.selected_thread().ptid, int(gdb.newest_frame().pc())


@events.on("cont", order=20)
def continued(_event: Any) -> None:
    global _met
    _met = None


def expect_all_run() -> None:
    """Raise report.Problem if some threads would not run."""
    if gdb.parameter("scheduler-locking") not in _NO_LOCK:
        raise report.Problem("the other workers do not run: `set scheduler-locking off`")
    if gdb.parameter("non-stop"):
        raise report.Problem("workers gather in all-stop mode only: `set non-stop off` before the program starts")
