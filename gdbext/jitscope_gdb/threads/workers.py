"""Each thread's role and, for threads in a parallel region, the loop, the chunk and the index.

The program's own records (jitscope_descriptor.h) take precedence over facts recovered from stacks and the schedule."""

from __future__ import annotations

from typing import Any, Iterator

import gdb
from jitscope_shared import loop_chunks, thread_entries
from jitscope_shared.base import native
from jitscope_shared.thread_entries import CALLER, IDLE, WORKER, in_region  # noqa: F401  (for those that use this module)

from ..base import report
from ..frames import folding, frames
from ..target import cells, sources, target
from . import inlined_bodies, pools, recorded_launches, same_stack, waiting_workers

_FRAMES = 400  # frames of one thread, at most


def all_threads(debuggee: target.Target) -> list[dict[str, Any]]:
    """Return the entries of docs/schema/threads.json, kept until the next stop."""
    return debuggee.keep(target.STOP, "threads", lambda: _collect(debuggee))  # type: ignore[no-any-return]


def of_thread(debuggee: target.Target, number: int) -> dict[str, Any] | None:
    return next((entry for entry in all_threads(debuggee) if entry["thread"] == number), None)


def _collect(debuggee: target.Target) -> list[dict[str, Any]]:
    thread = gdb.selected_thread()
    frame = gdb.selected_frame() if thread is not None and thread.is_stopped() else None
    found, bodies = [], waiting_workers.bodies(debuggee) if thread is not None else {}
    try:
        for other in sorted(debuggee.inferior.threads(), key=lambda t: t.num):
            if other.is_valid():
                body = bodies.get(other.ptid[1] or other.ptid[0])
                found.append(_entry(debuggee, other) if body is None else _waiting(debuggee, other, body))
    finally:
        if thread is not None and thread.is_valid():
            thread.switch()
            if frame is not None and frame.is_valid():
                frame.select()
    _layers(found, bodies)
    thread_entries.number(found)
    thread_entries.join(found)
    recorded_launches.apply(debuggee, found)
    return found


def _new(thread: Any) -> dict[str, Any]:
    return thread_entries.new(thread.num, thread.ptid[1] or thread.ptid[0])


def _waiting(debuggee: target.Target, thread: Any, body: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of a worker that waits for the others in the program; frame_of() fills in `frame` when asked."""
    region = body["region"]
    name = loop_chunks.index_name_at(debuggee, region["file"], region["region_line"], sources.find)
    seen = next((each for each in body["variables"] or () if each["name"] == name), {})
    loop_chunks.finish(region, None, loop_chunks.index_of(region, name, seen) if name is not None else None)
    entry = _new(thread)
    entry.update(role=WORKER, waits=True, regions=[region], function=region["name"], file=region["file"] or None)
    entry["line"] = region["line"] or None
    return entry


def _layers(found: list[dict[str, Any]], bodies: dict[int, dict[str, Any]]) -> None:
    """Give a thread that waits for the others the threading layer that the thread which started the loop has called."""
    known = {entry["native_id"]: entry for entry in found}
    for entry in found:
        if entry["waits"]:
            start = known.get(bodies[entry["native_id"]]["launch"]["thread"])
            entry["layer"] = start["starts"][0]["layer"] if start is not None and start["starts"] else None


def frame_of(debuggee: target.Target, entry: dict[str, Any], thread: Any) -> Any:
    """Return the frame of the loop's innermost body in this thread, which is then selected; None: its frame is not
    known."""
    thread.switch()
    level, frame = entry["regions"][0]["frame"], gdb.newest_frame()
    if level is None and not entry["waits"]:
        return None
    functions = frames.functions(debuggee)
    for _ in range(_FRAMES):
        if frame is None or frame.level() == level:
            return frame
        if level is None and frame.type() != gdb.INLINE_FRAME:
            function = functions.at(frames.lookup_pc(frame))
            if function is not None and function["kind"] == "parfor-kernel":
                entry["regions"][0]["frame"] = frame.level()
                return frame
        frame = frame.older()
    return None  # the thread is just before the body


def fill_frames(debuggee: target.Target, entries: list[dict[str, Any]]) -> None:
    """Fill in the numbers of the bodies' frames that were not asked for yet."""
    unknown = {entry["thread"]: entry for entry in entries if entry["waits"] and entry["regions"][0]["frame"] is None}
    thread, frame = gdb.selected_thread(), gdb.selected_frame() if unknown else None
    for other in debuggee.inferior.threads() if unknown else ():
        if other.num in unknown:
            frame_of(debuggee, unknown[other.num], other)
    if frame is not None:
        thread.switch()
        frame.select()


def _entry(debuggee: target.Target, thread: Any) -> dict[str, Any]:
    entry = _new(thread)
    if not thread.is_stopped():
        return entry
    at = pools.unselected(debuggee, thread)
    kind = pools.known(debuggee, at) if at is not None else None
    if at is None or kind is None:
        thread.switch()
        at = pools.selected(debuggee)
        kind = pools.of_thread(debuggee, at)
    entry["layer"] = kind if kind not in (pools.PYTHON, pools.OTHER) else None
    last = pools.last_return(debuggee, at)
    if last is not None or frames.functions(debuggee).at(at.pc) is not None:
        _read(debuggee, entry, thread, at, last or 0)
    thread_entries.set_role(entry, kind)
    return entry


def _read(debuggee: target.Target, entry: dict[str, Any], thread: Any, at: pools.Thread, last: int) -> None:
    like = same_stack.find(debuggee, thread, at, last)
    if like is not None:
        sample, body = like
        entry.update(sample.entry, starts=[dict(start) for start in sample.entry["starts"]])
        if body is not None:
            assert sample.level is not None
            entry["regions"].append(_region(debuggee, body, sample.level))
        return
    thread.switch()
    _read_stack(debuggee, entry, last)
    same_stack.learn(debuggee, at, last, entry)


def _read_stack(debuggee: target.Target, entry: dict[str, Any], last: int) -> None:
    """Note the selected thread's compiled frames, innermost first."""
    frame, newer, is_called, functions = gdb.newest_frame(), None, False, frames.functions(debuggee)
    inlined = None  # the innermost of the frames that are inlined in the next function
    body: tuple[Any, Any] | None = None  # the loop's body among them, and its frame
    for _ in range(_FRAMES):
        if frame is None:
            return
        kind = frame.type()
        function = functions.at(int(frame.pc()) - is_called)
        if kind == gdb.INLINE_FRAME:
            inlined = inlined or frame
            its = frames.compiled_at(debuggee, frame)
            body = (its, frame) if its is not None and its["kind"] == "parfor-kernel" else body
        elif function is not None:
            if function["kind"] in inlined_bodies.WRAPPERS:
                inlined_bodies.note(debuggee, entry, frame, function, body)
            else:
                _note(debuggee, entry, frame, newer, function, inlined or frame)
        if kind != gdb.INLINE_FRAME:
            if int(frame.read_register("sp")) & (1 << 64) - 1 > last:
                return
            is_called = kind == gdb.NORMAL_FRAME
            newer, inlined, body = frame, None, None
        frame = frame.older()


def _note(
    debuggee: target.Target, entry: dict[str, Any], frame: Any, newer: Any, function: dict[str, Any], inner: Any
) -> None:
    """Note a compiled frame in the entry. `inner`: the innermost frame that is inlined in this one, or `frame`
    itself."""
    if function["kind"] not in frames.WRITTEN:
        return
    layer = _layer_called(debuggee, newer) if newer is not None else None
    if layer is not None:
        entry["starts"].append({"function": function["name"], "layer": layer, **_place(frame, function)})
    region = None
    if function["kind"] == "parfor-kernel":
        region = region_of(debuggee, frame)
        entry["regions"].append(region)
    if entry["function"] is None:
        shown = inner if region is None else frame
        entry["function"] = (shown.name() if shown.type() == gdb.INLINE_FRAME else None) or function["name"]
        if region is None or not region["line"]:
            entry.update(_place(shown, function))
        else:
            entry["file"], entry["line"] = region["file"], region["line"]


def _place(frame: Any, function: dict[str, Any]) -> dict[str, Any]:
    sal = frame.find_sal()
    known = sal is not None and sal.symtab is not None
    path = sal.symtab.fullname() if known else function["file"]
    return {
        "file": cells.copied_from(target.current(), path) or path or None,
        "line": (sal.line if known else 0) or None,
    }


def _layer_called(debuggee: target.Target, newer: Any) -> str | None:
    """Return the layer whose code is called in `newer`; None: it is no layer's."""

    def find() -> str | None:
        above = newer
        while above is not None:
            layer = pools.layer_of(gdb.solib_name(int(above.pc())))
            is_between = _starts(debuggee, above) or folding.classify(debuggee, above, above.name()) == folding.RUNTIME
            if layer is not None or not is_between:
                return layer
            above = above.newer()  # the code that starts the loop calls the layer
        return None

    return debuggee.keep(target.OBJECT, ("layer", int(newer.pc())), find)  # type: ignore[no-any-return]


def _starts(debuggee: target.Target, frame: Any) -> bool:
    """True if the frame is the function that the compiler makes to start a loop, which NUMBA_OPT=0 keeps as a function
    of its own."""
    function = frames.functions(debuggee).at(frames.lookup_pc(frame))
    return function is not None and function["kind"] == inlined_bodies.LOOP


# -- one region of a worker


def region_of(debuggee: target.Target, frame: Any) -> dict[str, Any]:
    """Return the iterations that this call of a kernel runs, from its schedule. A fact that is not known is None, and
    `problem` says why."""
    return _region(debuggee, frames.NativeFrame(frame, debuggee.data_memory()), frame.level())


def _region(debuggee: target.Target, at: frames.NativeFrame, level: int) -> dict[str, Any]:
    found: dict[str, Any] = native.json_of("js_program_chunk", debuggee.program, at.pointer)
    name = loop_chunks.index_name_at(debuggee, found["file"], found["region_line"], sources.find)
    index = None
    if name is not None:
        seen = debuggee.evaluated(at.pointer, name, frames.summary_options(debuggee))
        index = loop_chunks.index_of(found, name, seen)
    loop_chunks.finish(found, level, index)
    return found


# -- all of them together


def running_in(debuggee: target.Target) -> Iterator[dict[str, Any]]:
    """Yield the workers of the region that the selected thread is in, or all workers if it is in none."""
    entries = in_region(all_threads(debuggee))
    thread = gdb.selected_thread()
    own = next((e for e in entries if thread is not None and e["thread"] == thread.num), None)
    for entry in entries:
        if own is None or thread_entries.run_same(entry, own):
            yield entry


def expect(debuggee: target.Target) -> list[dict[str, Any]]:
    """Return the threads of a stopped process or a core. Raise report.Problem if there are none."""
    if not debuggee.has_process:
        raise report.Problem("no process: run or attach to a program, or open a core")
    return all_threads(debuggee)
