"""One stop for all workers of a parallel loop: they wait for each other in the program (libjitscope.so)."""

from __future__ import annotations

import re
from typing import Any

import gdb
from jitscope_shared.base import contract, native

from ..base import report
from ..frames import frames
from ..stops import requested_stops
from ..target import published, target
from ..threads import recorded_launches, waiting_workers, workers
from ..threads.gather_area import address as _address
from ..threads.gather_area import met
from ..threads.gather_area import read as _read
from . import line_arrivals

# Where workers gather: at the start of each worker's iterations, at jitscope.breakpoint(), at any line.
START, STOP, LINE = contract.GATHER_AT_START, contract.GATHER_AT_STOP, contract.GATHER_AT_LINE
_SCALAR = re.compile(r"-?\d|-?inf|nan|True|False|None|b?['\"]")
_LINES = 8  # lines for a worker that has many variables


def expect(debuggee: target.Target) -> None:
    """Raise report.Problem where workers cannot gather."""
    if not debuggee.has_process:
        raise report.Problem("no process: run or attach to a program")
    if not debuggee.is_live:
        raise report.Problem("a core cannot run: `run` or `attach` first")
    if _address(debuggee) is None:
        raise report.Problem(
            "workers gather where the program has jitscope loaded (libjitscope.so); `jit threads` shows where each is"
        )
    if debuggee.is_in_another_namespace:
        raise report.Problem(
            "the program is in another PID namespace (a container), where it cannot see its debugger, and would not "
            "wait for it: start GDB in there"
        )
    line_arrivals.expect_all_run()


def is_possible(debuggee: target.Target) -> bool:
    """True if the program has loaded libjitscope.so, which gathers workers."""
    return _address(debuggee) is not None


def where(debuggee: target.Target, line: line_arrivals.Line) -> int:
    """Return how workers gather at the line. Raise report.Problem where they cannot."""
    if line_arrivals.is_edge(debuggee, line):
        return START
    if line_arrivals.calls_breakpoint(debuggee, line):
        return STOP
    line_arrivals.check(debuggee, line)
    if line_calls(debuggee) is None:
        raise report.Problem("this program's workers gather at `start` and `breakpoint` only")
    return LINE


def arm(debuggee: target.Target, where: int, timeout_ms: int) -> None:
    """Have the next loop's workers gather, from now on."""
    at = _address(debuggee)
    assert at is not None
    requested_stops.look()
    request = {"at": where, "kernel": 0, "timeout_ms": timeout_ms, "state": contract.GATHER_ARMED}
    published.write(debuggee, at, contract.Gather, **request)


def line_calls(debuggee: target.Target) -> line_arrivals.Calls | None:
    """Return the code by which workers gather at a line; None if they cannot gather there."""
    at = _address(debuggee)
    found = _read(debuggee, at) if at is not None else None
    if found is None or not found.line_size:  # no address below 2 GiB was free, or libjitscope.so is an older one
        return None
    marker, call = (bytes(code)[: found.line_size] for code in (found.line_marker, found.line_call))
    return line_arrivals.Calls(found.line_stop, marker, call)


def disarm(debuggee: target.Target) -> None:
    """Cancel the gathering; waiting workers resume when the program does."""
    at = _address(debuggee)
    if at is not None and debuggee.is_live:
        published.write(debuggee, at, contract.Gather, state=contract.GATHER_OFF)


def is_elsewhere(debuggee: target.Target, where: int, line: line_arrivals.Line) -> bool:
    """True if the program has stopped for a gathering in another loop, or at another call of jitscope.breakpoint()."""
    found = met(debuggee) if debuggee.has_process else None
    if found is None:
        return False
    if where == STOP:
        place = gdb.selected_frame().find_sal()
        return not (place.symtab and line_arrivals.is_of(place.symtab.filename, place.line, line))
    launch = _launch(debuggee, found)
    body = recorded_launches.body_of(debuggee, launch) if launch else None
    return body is None or not line_arrivals.is_of(body["file"], body["line"], line)


def _launch(debuggee: target.Target, found: dict[str, Any]) -> dict[str, Any] | None:
    """Return the loop whose workers have gathered."""
    return next((each for each in recorded_launches.launches(debuggee) if each["launch"] == found["launch"]), None)


def release(debuggee: target.Target) -> None:
    """End the gathering: waiting workers resume when the program does."""
    at = _address(debuggee)
    found = _read(debuggee, at) if at is not None else None
    if found is not None and published.has(found, "released"):
        released = (found.released + 1) & 0xFFFFFFFF
        published.write(debuggee, at, contract.Gather, released=released, state=contract.GATHER_OFF)


def table(debuggee: target.Target, found: dict[str, Any], brief: bool) -> dict[str, Any]:
    """Return the gathering with its "workers", as docs/schema/gather.json says. `brief`: variables that have parts,
    such as arrays, have no values."""
    launch = _launch(debuggee, found) or {"workers": []}
    threads = {thread.ptid[1] or thread.ptid[0]: thread for thread in debuggee.inferior.threads()}
    entries = {entry["native_id"]: entry for entry in workers.all_threads(debuggee)}
    selected = gdb.selected_thread(), gdb.selected_frame()
    rows = []
    try:
        for work in sorted(launch["workers"], key=lambda each: each["worker"]):
            if work["thread"] in threads and work["thread"] in entries:  # GDB may have seen the thread only later
                thread = threads[work["thread"]]
                rows.append(_row(debuggee, work, thread, entries[work["thread"]], thread.num == selected[0].num, brief))
    finally:
        selected[0].switch()
        selected[1].select()
    return {**found, "workers": rows}


def _row(
    debuggee: target.Target, work: dict[str, Any], thread: Any, entry: dict[str, Any], is_stopped: bool, brief: bool
) -> dict[str, Any]:
    """Return the table's row for a worker. `is_stopped`: it has stopped for all, and no longer counts as waiting."""
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
        row["variables"] = _variables(debuggee, thread, entry, brief)
    return row


def _variables(debuggee: target.Target, thread: Any, entry: dict[str, Any], brief: bool) -> list[dict[str, Any]]:
    body = waiting_workers.bodies(debuggee, brief).get(entry["native_id"])
    if body is not None:
        return body["variables"] or []
    frame = workers.frame_of(debuggee, entry, thread)
    if frame is None:
        return []
    at = frames.NativeFrame(frame, debuggee.memory)
    try:
        return native.json_of(  # type: ignore[no-any-return]
            "js_program_locals", debuggee.program, at.pointer, 0, 0, frames.summary_options(debuggee, brief)
        )
    except native.NativeError:
        return []  # the kernel has no debug information


def columns(debuggee: target.Target, shown: dict[str, Any], place: str) -> list[str]:
    """Return the names of the variables that the lines of each worker of the table show, in their order. They stay as
    they are in the next meetings of this loop at this place: its first meeting chooses them, and a later one only adds
    to them.

    Raise gdb.MemoryError if the program's record cannot be read."""
    launch = _launch(debuggee, shown)
    body = recorded_launches.body_of(debuggee, launch) if launch else None
    loop = (body["file"], body["line"]) if body else launch and launch["kernel"]
    names: list[str] = debuggee.keep(target.PROCESS, ("gathered", place, loop), list)
    names += _chosen(shown["workers"], names)
    return names


def text_of(found: dict[str, Any], names: list[str]) -> str:
    """Return the table as text. `names`: see columns()."""
    missing = found["expected"] - found["arrived"]
    if found["reason"] == "all":
        lines = [f"{found['arrived']} worker{'s are' if found['arrived'] != 1 else ' is'} here:"]
    else:
        lines = [f"{found['arrived']} of {found['expected']} workers are here, {missing} did not come in time:"]
    for row in found["workers"]:
        index = row["index"]
        chunk = f"{row['first']}..{row['last']}"
        at = f"{index['name']} = {index['text']} of {chunk}" if index is not None else chunk
        line = f", line {row['line']}" if row["line"] else ""
        late = "" if row["arrived"] else "  (not here)"
        lines.append(f"worker {row['worker']}, thread {row['thread']}: {at}{line}{late}")
        texts = {each["name"]: each["text"] for each in row["variables"]}
        shown = [f"    {name} = {texts[name]}" for name in names if name in texts]
        lines += shown
        if len(shown) < len(texts):
            lines.append(f"    and {len(texts) - len(shown)} more: `jit apply {row['worker']} info locals`")
    return "\n".join(lines)


def _chosen(rows: list[dict[str, Any]], names: list[str]) -> list[str]:
    """Return the variables for which the workers' lines have room besides those of `names`: the loop's own, then the
    others in their order. Scalars that differ between the workers have precedence, and arrays and others that are the
    same come last."""
    texts: dict[str, list[str]] = {}
    for row in rows:
        for each in row["variables"]:
            texts.setdefault(each["name"], []).append(each["text"])
    indices = {row["index"]["name"] for row in rows if row["index"] is not None}
    new = [name for name in texts if name not in names]

    def rank(name: str) -> tuple[bool, bool, bool]:
        return name not in indices, len(set(texts[name])) == 1, not any(map(_SCALAR.match, texts[name]))

    chosen = sorted(new, key=rank)[: max(0, _LINES - len(names))]
    return sorted(chosen, key=lambda name: (name not in indices, new.index(name)))
