"""The activities of threads, as dictionaries of docs/schema/threads.json, and what follows from all of them."""

from __future__ import annotations

from typing import Any

CALLER, WORKER, IDLE, RUNNING = "caller", "worker", "idle", "running"  # roles
PYTHON, OTHER = "python", "other"  # roles of threads of no pool
WORKQUEUE, OMP, TBB = "workqueue", "omp", "tbb"  # the names of js_numba_layer
# The first worker's number: in the other layers the thread that starts a region works, too, and is 0.
FIRST = {WORKQUEUE: 0}


def new(thread: int, native_id: int) -> dict[str, Any]:
    """Return the entry of a thread whose stack was not read yet. `thread`: the debugger's number, `native_id`: the
    kernel's."""
    return {
        "thread": thread,
        "native_id": native_id,
        "role": RUNNING,
        "waits": False,
        "layer": None,
        "worker": None,
        "starts": [],
        "regions": [],
        "callers": [],
        "function": None,
        "file": None,
        "line": None,
        "caller": None,
        "holds_gil": None,
        "waits_for": None,
    }


def new_region(name: str, function: str | None, problem: str) -> dict[str, Any]:
    """Return the region of a loop's body whose iterations are not known, for the reason `problem`."""
    return {
        "name": name,
        "function": function,
        "file": None,
        "region_line": 0,
        "line": 0,
        "frame": None,
        "chunk": None,
        "problem": problem,
        "source": None,
        "index": None,
        "iterations": None,
        "done": None,
    }


def undescribed_region(function: dict[str, Any], level: int) -> dict[str, Any]:
    """Return the region of a loop whose body LLVM has inlined into the wrapper that the pool calls, without debug
    information."""
    found = new_region(function["name"], None, "the loop was compiled without debug information")
    return {**found, "frame": level}


def described_region(body: dict[str, Any], level: int, line: int) -> dict[str, Any]:
    """Like undescribed_region(), for a body that has its lines."""
    known = {"function": body["parent"], "file": body["file"], "region_line": body["line"], "line": line}
    return {**undescribed_region(body, level), **known}


def set_role(entry: dict[str, Any], kind: str) -> None:
    """Set the role of a stopped thread whose stack was read. `kind`: PYTHON, OTHER or the layer of its pool."""
    if entry["regions"]:
        entry["role"] = WORKER
    elif entry["starts"]:
        entry["role"] = CALLER
    elif entry["layer"]:
        entry["role"] = WORKER if entry["function"] else IDLE  # a worker that runs a ufunc has no region
    else:
        entry["role"] = kind


def in_region(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries of the threads that run iterations of a parallel loop now."""
    return [entry for entry in entries if entry["regions"]]


def number(found: list[dict[str, Any]]) -> None:
    """Number a pool's threads in the order in which they were made; if the thread that starts regions works, too, it is
    0."""
    for layer in (WORKQUEUE, OMP, TBB):
        own = sorted((e for e in found if e["layer"] == layer), key=lambda e: e["native_id"])
        for number, entry in enumerate(own, FIRST.get(layer, 1)):
            entry["worker"] = number
    for entry in found:
        if entry["layer"] is None and entry["starts"]:
            entry["layer"] = entry["starts"][0]["layer"]
            entry["worker"] = 0 if entry["regions"] else None


def join(found: list[dict[str, Any]]) -> None:
    """Note the thread that started each region: one that waits in its function."""
    callers: dict[str, list[int]] = {}
    for entry in found:
        for name in {start["function"] for start in entry["starts"]}:
            callers.setdefault(name, []).append(entry["thread"])
    for entry in in_region(found):
        outermost = entry["regions"][-1]
        if not outermost["function"] and len(callers) == 1:  # there is no other loop
            outermost["function"] = next(iter(callers))
        entry["callers"] = callers.get(outermost["function"], [])


def run_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """True if both run the same loop, as far as that is known."""
    callers = [set(entry["callers"]) for entry in (one, other)]
    is_name = one["regions"][-1]["name"] == other["regions"][-1]["name"]
    return is_name and (not all(callers) or bool(callers[0] & callers[1]))
