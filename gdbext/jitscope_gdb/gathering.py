"""One stop for all workers of a parallel loop: they wait for each other in the program (libjitscope.so)."""

from __future__ import annotations

import struct
from typing import Any

import gdb

from . import frames, native, report, stops, target, workers

# runtime/include/jitscope.h
_GATHER = 144  # jitscope_descriptor.gather
_OFF, _ARMED, _MET = 0, 1, 2
START, STOP = 1, 2  # where: the beginning of each worker's share; jitscope.breakpoint()
_ALL = 1
_STATE, _KERNEL, _TIMEOUT = 8, 16, 24
_FIELDS = struct.Struct("<IIIIQIIQII")
_LINES = 8  # of a worker that has many variables


def arm(of: target.Target, where: int, timeout_ms: int) -> None:
    """From now on the next loop's workers gather. Raises report.Problem where they cannot."""
    if not of.is_live:
        raise report.Problem("a core does not run")
    at = _address(of)
    if at is None:
        raise report.Problem(
            "workers gather where the program has jitscope loaded (libjitscope.so); `jit threads` shows where each is"
        )
    stops.look()
    inferior = of.inferior
    inferior.write_memory(at + _STATE, struct.pack("<II", _OFF, where))
    inferior.write_memory(at + _KERNEL, struct.pack("<QI", 0, timeout_ms))
    inferior.write_memory(at + _STATE, struct.pack("<I", _ARMED))


def disarm(of: target.Target) -> None:
    """Who waits goes on with the program."""
    at = _address(of)
    if at is not None and of.is_live:
        of.inferior.write_memory(at + _STATE, struct.pack("<I", _OFF))


def _address(of: target.Target) -> int | None:
    descriptor = target.address_of("__jitscope_descriptor")
    if not descriptor:
        return None
    try:
        size = struct.unpack("<I", bytes(of.inferior.read_memory(descriptor + 12, 4)))[0]
        if size < _GATHER + 8:
            return None
        return struct.unpack("<Q", bytes(of.inferior.read_memory(descriptor + _GATHER, 8)))[0] or None
    except gdb.MemoryError:
        return None


def met(of: target.Target) -> dict[str, Any] | None:
    """The meeting that the program has stopped for: {"reason", "launch", "expected", "arrived"}."""
    at = _address(of) if of.is_live else None
    if at is None:
        return None
    fields = _FIELDS.unpack(bytes(of.inferior.read_memory(at, _FIELDS.size)))
    if fields[2] != _MET:
        return None
    reason = "all" if fields[6] == _ALL else "timeout"
    return {"reason": reason, "launch": fields[7], "expected": fields[8], "arrived": fields[9]}


def table(of: target.Target, found: dict[str, Any]) -> dict[str, Any]:
    """The meeting with its "workers", as docs/schema/gather.json says."""
    launch = next((each for each in of.launches() if each["launch"] == found["launch"]), {"workers": []})
    threads = {thread.ptid[1] or thread.ptid[0]: thread for thread in of.inferior.threads()}
    selected = gdb.selected_thread(), gdb.selected_frame()
    rows = []
    try:
        for worker in sorted(launch["workers"], key=lambda each: each["worker"]):
            if worker["thread"] in threads:
                rows.append(_row(of, worker, threads[worker["thread"]]))
    finally:
        selected[0].switch()
        selected[1].select()
    return {**found, "workers": rows}


def _row(of: target.Target, worker: dict[str, Any], thread: Any) -> dict[str, Any]:
    row = {
        "worker": worker["worker"],
        "thread": thread.num,
        "arrived": worker["gathered"],
        "first": worker["begin"],
        "last": worker["end"] - 1,
        "index": None,
        "line": None,
        "variables": [],
    }
    entry = workers.of_thread(of, thread.num)
    if entry is None or not entry["regions"]:
        return row
    region = entry["regions"][0]
    row["index"], row["line"] = region["index"], region["line"]
    thread.switch()
    frame = gdb.newest_frame()
    while frame is not None and frame.level() != region["frame"]:
        frame = frame.older()
    if frame is not None:
        at = frames.NativeFrame(frame, of.memory)
        options = frames.render_options(True)
        try:
            row["variables"] = native.json_of("js_program_locals", of.program, at.pointer, 0, 0, options)
        except native.NativeError:
            pass  # a kernel without debug information
    return row


def text_of(found: dict[str, Any]) -> str:
    """The table in words."""
    missing = found["expected"] - found["arrived"]
    if found["reason"] == "all":
        lines = [f"{found['arrived']} workers are here:"]
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
