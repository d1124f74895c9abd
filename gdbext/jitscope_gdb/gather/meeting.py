"""One stop for all workers of a parallel loop: they wait for each other in the program (libjitscope.so)."""

from __future__ import annotations

import struct
from typing import Any

import gdb

from ..base import native, report
from ..frames import frames
from ..stops import requested_stops
from ..target import target
from ..threads import recorded_launches, waiting_workers, workers
from ..threads.gather_area import address as _address
from ..threads.gather_area import met
from . import line_arrivals

# runtime/include/jitscope.h
_OFF, _ARMED = 0, 1
START, STOP, LINE = 1, 2, 3  # where: the beginning of each worker's share; jitscope.breakpoint(); any line
_STATE = 8
_REQUEST = struct.Struct("<IIQI")  # state, at, kernel, timeout_ms
_RELEASED = 48
_LINE = struct.Struct("<IQ8s8s")  # line_size, line_stop, line_marker, line_call
_SIZE = 80
_LINES = 8  # of a worker that has many variables


def expect(of: target.Target) -> None:
    """Raises report.Problem where workers cannot gather."""
    if not of.has_process:
        raise report.Problem("no process: run or attach to a program")
    if not of.is_live:
        raise report.Problem("a core does not run")
    if _address(of) is None:
        raise report.Problem(
            "workers gather where the program has jitscope loaded (libjitscope.so); `jit threads` shows where each is"
        )
    if of.is_in_another_namespace:
        raise report.Problem(
            "the program is in another PID namespace (a container), where it cannot see its debugger, and would not "
            "wait for it: start GDB in there"
        )
    line_arrivals.expect_all_run()


def is_possible(of: target.Target) -> bool:
    """True once the program has what workers gather by."""
    return _address(of) is not None


def where(of: target.Target, line: line_arrivals.Line) -> int:
    """Return how workers gather at the line. Raise report.Problem where they cannot."""
    if line_arrivals.is_edge(of, line):
        return START
    if line_arrivals.asks_to_stop(of, line):
        return STOP
    line_arrivals.check(of, line)
    if line_calls(of) is None:
        raise report.Problem("this program's workers gather at `start` and `breakpoint` only")
    return LINE


def arm(of: target.Target, where: int, timeout_ms: int) -> None:
    """From now on the next loop's workers gather."""
    at = _address(of)
    assert at is not None
    requested_stops.look()
    of.write(at + _STATE, _REQUEST.pack(_ARMED, where, 0, timeout_ms))


def line_calls(of: target.Target) -> line_arrivals.Calls | None:
    """What workers run into at a line; None: they cannot gather there."""
    at = _address(of)
    if at is None or _size(of, at) < _SIZE:
        return None
    size, stop, marker, call = _LINE.unpack(bytes(of.inferior.read_memory(at + _RELEASED + 4, _LINE.size)))
    return line_arrivals.Calls(stop, marker[:size], call[:size]) if size else None


def _size(of: target.Target, at: int) -> int:
    return int(struct.unpack("<I", bytes(of.inferior.read_memory(at + 4, 4)))[0])


def disarm(of: target.Target) -> None:
    """Who waits goes on with the program."""
    at = _address(of)
    if at is not None and of.is_live:
        of.write(at + _STATE, struct.pack("<I", _OFF))


def is_elsewhere(of: target.Target, where: int, line: line_arrivals.Line) -> bool:
    """Has the program stopped for a meeting of another loop, or at another call of jitscope.breakpoint()?"""
    found = met(of) if of.has_process else None
    if found is None:
        return False
    if where == STOP:
        place = gdb.selected_frame().find_sal()
        return not (place.symtab and line_arrivals.is_of(place.symtab.filename, place.line, line))
    launch = _launch(of, found)
    body = recorded_launches.body_of(of, launch) if launch else None
    return body is None or not line_arrivals.is_of(body["file"], body["line"], line)


def _launch(of: target.Target, found: dict[str, Any]) -> dict[str, Any] | None:
    """Whose workers have met."""
    return next((each for each in recorded_launches.launches(of) if each["launch"] == found["launch"]), None)


def release(of: target.Target) -> None:
    """The meeting is over: who waits goes on as soon as the program does."""
    at = _address(of)
    if at is not None and _size(of, at) >= _SIZE:
        released = struct.unpack("<I", bytes(of.inferior.read_memory(at + _RELEASED, 4)))[0]
        of.write(at + _RELEASED, struct.pack("<I", (released + 1) & 0xFFFFFFFF))
        of.write(at + _STATE, struct.pack("<I", _OFF))


def table(of: target.Target, found: dict[str, Any], brief: bool) -> dict[str, Any]:
    """The meeting with its "workers", as docs/schema/gather.json says; brief: but values of variables that have
    parts, as arrays."""
    launch = _launch(of, found) or {"workers": []}
    threads = {thread.ptid[1] or thread.ptid[0]: thread for thread in of.inferior.threads()}
    entries = {entry["native_id"]: entry for entry in workers.all_threads(of)}
    selected = gdb.selected_thread(), gdb.selected_frame()
    rows = []
    try:
        for work in sorted(launch["workers"], key=lambda each: each["worker"]):
            if work["thread"] in threads and work["thread"] in entries:  # GDB may know of it only since
                thread = threads[work["thread"]]
                rows.append(_row(of, work, thread, entries[work["thread"]], thread.num == selected[0].num, brief))
    finally:
        selected[0].switch()
        selected[1].select()
    return {**found, "workers": rows}


def _row(
    of: target.Target, work: dict[str, Any], thread: Any, entry: dict[str, Any], is_stopped: bool, brief: bool
) -> dict[str, Any]:
    """is_stopped: it stops for all, and has left the meeting."""
    row = {
        "worker": work["worker"],
        "thread": thread.num,
        "arrived": work["gathered"] or is_stopped,
        "first": work["begin"],
        "last": work["end"] - 1,
        "index": None,
        "line": None,
        "variables": [],
    }
    if entry["regions"]:
        region = entry["regions"][0]
        row["index"], row["line"] = region["index"], region["line"] or None
        row["variables"] = _variables(of, thread, entry, brief)
    return row


def _variables(of: target.Target, thread: Any, entry: dict[str, Any], brief: bool) -> list[dict[str, Any]]:
    body = waiting_workers.bodies(of, brief).get(entry["native_id"])
    if body is not None:
        return body["variables"] or []
    frame = workers.frame_of(of, entry, thread)
    if frame is None:
        return []
    at = frames.NativeFrame(frame, of.memory)
    try:
        return native.json_of(  # type: ignore[no-any-return]
            "js_program_locals", of.program, at.pointer, 0, 0, frames.summary_options(of, brief)
        )
    except native.NativeError:
        return []  # a kernel without debug information


def text_of(found: dict[str, Any]) -> str:
    """The table in words."""
    missing = found["expected"] - found["arrived"]
    if found["reason"] == "all":
        lines = [f"{found['arrived']} worker{'s are' if found['arrived'] != 1 else ' is'} here:"]
    else:
        lines = [f"{found['arrived']} of {found['expected']} workers are here, {missing} did not come in time:"]
    for row in found["workers"]:
        index = row["index"]
        turns = f"{row['first']}..{row['last']}"
        at = f"{index['name']} = {index['text']} of {turns}" if index is not None else turns
        line = f", line {row['line']}" if row["line"] else ""
        late = "" if row["arrived"] else "  (not here)"
        lines.append(f"worker {row['worker']}, thread {row['thread']}: {at}{line}{late}")
        shown = [f"{each['name']} = {each['text']}" for each in row["variables"]]
        lines += [f"    {text}" for text in shown[:_LINES]]
        if len(shown) > _LINES:
            lines.append(f"    and {len(shown) - _LINES} more: `jit apply {row['worker']} info locals`")
    return "\n".join(lines)
