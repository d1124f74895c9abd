"""The program's own record of its parallel loops (jitscope_descriptor.h: launches): the thread that started each loop,
and its workers. It shows which thread started a loop if several wait in one function, which stacks do not show."""

from __future__ import annotations

from typing import Any, Dict, Tuple

from . import thread_entries
from .functions.compiled_functions import Functions

Works = Dict[int, Tuple[Dict[str, Any], Dict[str, Any]]]  # by level: a launch, and the work of one thread in it


def apply(
    entries: list[dict[str, Any]],
    regions: list[dict[str, Any]],
    launches: list[dict[str, Any]],
    functions: Functions,
) -> None:
    """Put what js_program_regions and js_program_launches say into the entries of the threads, where it matches the
    loops on their stacks."""
    for region in regions:
        _describe(region, {entry["native_id"]: entry for entry in entries})
    if not launches:
        return
    threads = {entry["native_id"]: entry["thread"] for entry in entries}
    works: dict[int, Works] = {}
    for launch in launches:
        for work in launch["workers"]:
            works.setdefault(work["thread"], {})[work["level"]] = launch, work
    numbered = set()
    for entry in entries:
        own = works.get(entry["native_id"], {})
        if not entry["regions"] and list(own) == [0]:
            _begin(functions, entry, *own[0])
        if entry["role"] == "worker" and not entry["regions"] and own:  # the worker runs a ufunc
            _note_caller(entry, own, threads)
        if not own or len(own) != len(entry["regions"]):
            continue
        for level, region in enumerate(reversed(entry["regions"])):
            if level in own:
                _fill(region, *own[level])
        _note_caller(entry, own, threads)
        numbered.add((entry["layer"], entry["worker"]))
        starts: list[dict[str, Any]] = next(
            (other["starts"] for other in entries if [other["thread"]] == entry["callers"]), []
        )
        if starts and not entry["regions"][-1]["function"]:
            entry["regions"][-1]["function"] = starts[-1]["function"]
    for entry in entries:  # an idle thread has no number of its own in a layer that assigns numbers anew for each loop
        if not entry["regions"] and (entry["layer"], entry["worker"]) in numbered:
            entry["worker"] = None


def _note_caller(entry: dict[str, Any], own: Works, threads: dict[int, int]) -> None:
    """Note which thread has started the loops that the entry runs, and the entry's number as a worker. `threads`: the
    debugger's numbers by the kernel's ids."""
    started_by = threads.get(own[min(own)][0]["thread"])
    entry["worker"] = own[max(own)][1]["worker"]
    if started_by is not None:
        entry["callers"] = [started_by]


def body_of(functions: Functions, launch: dict[str, Any]) -> dict[str, Any] | None:
    """Return the loop's body that a launch runs; None: it is another JIT's."""
    called = functions.at(launch["kernel"]) or {"object": None, "qualname": None}
    same = (f for f in functions.all if (f["object"], f["qualname"]) == (called["object"], called["qualname"]))
    return next((f for f in same if f["kind"] == "parfor-kernel"), None)


def _begin(functions: Functions, entry: dict[str, Any], launch: dict[str, Any], work: dict[str, Any]) -> None:
    """Describe a thread whose stack has no loop's body: it is just before the body, where workers gather at `start`, or
    after it."""
    body = body_of(functions, launch)
    if body is None:
        return
    region = {
        **thread_entries.new_region(body["name"], body["parent"], "the loop has several indices, or works on rows"),
        "file": body["file"],
        "region_line": body["line"],
    }
    _fill(region, launch, work)
    if work["gathered"] and region["iterations"] is not None:
        region["done"] = 0
    if not entry["starts"]:
        entry["function"], entry["file"] = body["name"], body["file"]
    entry.update(role="worker", waits=work["gathered"], regions=[region])


def _describe(region: dict[str, Any], entries: dict[int, dict[str, Any]]) -> None:
    """Add a loop of another JIT, which its threads report as they run it, to the threads' entries."""
    for work in sorted(region["workers"], key=lambda each: each["level"]):
        entry = entries.get(work["thread"])
        if entry is None or entry["role"] == "running":
            continue
        has_begun = work["chunks"] > 0
        is_there = entry["file"] == region["file"] and work["innermost"]
        entry["role"] = "worker"
        problem = "" if has_begun else "the thread has begun none"
        added = {
            **thread_entries.new_region(region["name"], region["function"], problem),
            "file": region["file"],
            "region_line": region["line"],
            "line": (entry["line"] if is_there else None) or 0,
            "chunk": [[work["begin"], work["end"] - 1]] if has_begun else None,
            "problem": problem or None,
            "source": "recorded",
            "iterations": work["end"] - work["begin"] if has_begun else None,
        }
        entry["regions"].insert(0, added)


def number(launches: list[dict[str, Any]], native_id: int) -> int | None:
    """Return the thread's worker number in the innermost loop whose iterations it runs; None: it is not recorded."""
    own = [work for launch in launches for work in launch["workers"] if work["thread"] == native_id]
    return max(own, key=lambda work: work["level"])["worker"] if own else None


def _fill(region: dict[str, Any], launch: dict[str, Any], work: dict[str, Any]) -> None:
    if work["rows"] != 1 or launch["dimensions"] != 1:
        return
    chunk = [[work["begin"], work["end"] - 1]]
    if region["chunk"] is None:
        region["chunk"], region["problem"] = chunk, None
        region["iterations"] = max(0, work["end"] - work["begin"])
    if region["chunk"] == chunk:
        region["source"] = "recorded"
