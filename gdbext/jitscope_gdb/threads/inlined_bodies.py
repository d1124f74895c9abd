"""Bodies of parallel loops and ufuncs that LLVM has made a part of the wrapper that a pool calls."""

from __future__ import annotations

from typing import Any

from jitscope_shared import thread_entries

from ..frames import folding, frames
from ..target import target

WRAPPERS = LOOP, UFUNC = "gufunc-wrapper", "ufunc-wrapper"  # kinds of the functions that a pool calls


def note(debuggee: target.Target, entry: dict[str, Any], frame: Any, function: dict[str, Any], body: Any) -> None:
    """Note a wrapper that a pool calls, if the body of the loop or of the ufunc is a part of it. `body`: the body and
    its frame, where it is described."""
    if entry["regions"] or not _is_run_by_pool(debuggee, frame):
        return
    if function["kind"] == UFUNC:
        entry["function"] = entry["function"] or function["name"]
    elif body is not None:
        entry["regions"].append(thread_entries.described_region(body[0], body[1].level(), body[1].find_sal().line))
    elif not _has_kernel(debuggee, function):
        entry["regions"].append(thread_entries.undescribed_region(function, frame.level()))


def _has_kernel(debuggee: target.Target, wrapper: dict[str, Any]) -> bool:
    """True if the loop's body is a function of its own that the wrapper calls, which it is with debug information."""
    found = frames.functions(debuggee).all
    return any(
        each["kind"] == "parfor-kernel" and each["name"] == wrapper["name"] and each["debug_info"] for each in found
    )


def _is_run_by_pool(debuggee: target.Target, frame: Any) -> bool:
    """True if a pool calls the frame. With NUMBA_OPT=0 the function that the pool calls is a wrapper of its own."""
    older = frames.outer(frame).older()
    return older is not None and folding.classify(debuggee, older, older.name()) in (folding.POOL, folding.RUNTIME)
