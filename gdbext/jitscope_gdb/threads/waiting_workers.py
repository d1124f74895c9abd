"""Workers that wait for each other in the program (`jit gather`): the loop's body of each, from the program's record of
it. GDB unwinds only one thread for each place where they wait."""

from __future__ import annotations

from typing import Any, NamedTuple

import gdb
from jitscope_shared.base import contract, native

from ..frames import frames
from ..target import target
from . import recorded_launches

_FRAMES = 16  # frames between the stop and the body, at most
# bytes from the place that rbp points to, if it is a frame pointer, to the CFA (System V ABI x86-64 psABI 1.0, 3.2.2)
_SAVED = 16
_RBP = 1  # the index of rbp in jitscope_waiting.kept


class _Worker(NamedTuple):
    launch: dict[str, Any]
    work: dict[str, Any]
    place: contract.Waiting


def bodies(debuggee: target.Target, brief: bool = True) -> dict[int, dict[str, Any]]:
    """Return by the kernel's id of the thread: {"launch", "work", "region", "variables" (None: without debug
    information)}. `brief`: variables that have parts, such as arrays, have their text and no value."""
    return debuggee.keep(target.STOP, ("waiting", brief), lambda: _collect(debuggee, brief))  # type: ignore[no-any-return]


def _collect(debuggee: target.Target, brief: bool) -> dict[int, dict[str, Any]]:
    known: list[_Worker] = debuggee.keep(target.STOP, "waiting workers", lambda: _find(debuggee))
    if not known:
        return {}
    places = (contract.Waiting * len(known))(*(each.place for each in known))
    said = native.json_of(
        "js_program_waiting",
        debuggee.program,
        places,
        len(known),
        debuggee.data_memory(),
        frames.summary_options(debuggee, brief),
    )
    return {
        each.work["thread"]: {"launch": each.launch, "work": each.work, **body}
        for each, body in zip(known, said)
        if body is not None
    }


def _find(debuggee: target.Target) -> list[_Worker]:
    launches = recorded_launches.launches(debuggee)
    starts = {launch["thread"] for launch in launches}
    places: dict[int, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for launch in launches:
        for work in launch["workers"]:
            if work["place"] and work["innermost"] and work["level"] == 0 and work["thread"] not in starts:
                places.setdefault(work["place"][0], []).append((launch, work))
    if not places:
        return []
    threads = {thread.ptid[1] or thread.ptid[0]: thread for thread in debuggee.inferior.threads()}
    known = []
    for pc, there in places.items():
        found = _unwound(debuggee, pc, there, threads)
        for launch, work in there if found is not None else ():
            offset, by_rbp, caller = found
            _, sp, *kept = work["place"]
            cfa = kept[_RBP] + _SAVED if by_rbp else sp + offset
            place = contract.Waiting(pc, sp, tuple(kept), cfa & (1 << 64) - 1, caller)
            if work["thread"] in threads:
                known.append(_Worker(launch, work, place))
    return known


def _unwound(debuggee: target.Target, pc: int, there: Any, threads: dict[int, Any]) -> tuple[int, bool, int] | None:
    """Like _sample(), but kept: the result for one place is the same at each stop."""
    known: dict[int, tuple[int, bool, int]] = debuggee.keep(target.OBJECT, "waiting places", dict)
    found = known.get(pc) or _sample(debuggee, pc, there, threads)
    if found is not None:
        known[pc] = found
    return found


def _sample(debuggee: target.Target, pc: int, there: Any, threads: dict[int, Any]) -> tuple[int, bool, int] | None:
    """Return the distance of the CFA from the stack pointer, whether the CFA is found by rbp instead, and where the
    body returns to."""
    selected, frame = gdb.selected_thread(), gdb.selected_frame()
    work = next((work for _, work in there if work["thread"] in threads), None)
    if work is None:
        return None
    try:
        threads[work["thread"]].switch()
        body = _frame(pc)
        if body is None or body.older() is None:
            return None
        cfa = frames.cfa(body)
        return cfa - work["place"][1], cfa - work["place"][2 + _RBP] == _SAVED, int(frames.outer(body).older().pc())
    finally:
        selected.switch()
        frame.select()


def _frame(pc: int) -> Any:
    """Return the selected thread's frame that goes on at `pc`, and is not inlined there."""
    found = gdb.newest_frame()
    for _ in range(_FRAMES):
        if found is None or (int(found.pc()) == pc and found.type() != gdb.INLINE_FRAME):
            return found
        found = found.older()
    return None
