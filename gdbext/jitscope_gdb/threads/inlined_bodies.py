"""Bodies of parallel loops and ufuncs that LLVM has made a part of the wrapper that a pool calls."""

from __future__ import annotations

from typing import Any

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
        entry["regions"].append(_described_body(*body))
    elif not _has_kernel(debuggee, function):
        entry["regions"].append(_inlined_body(function, frame.level()))


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


def _inlined_body(function: dict[str, Any], level: int) -> dict[str, Any]:
    """Return the region of a loop whose body LLVM has inlined into the wrapper that the pool calls, without debug
    information."""
    return {
        "name": function["name"],
        "function": None,
        "file": None,
        "region_line": 0,
        "line": 0,
        "frame": level,
        "chunk": None,
        "problem": "the loop was compiled without debug information",
        "source": None,
        "index": None,
        "iterations": None,
        "done": None,
    }


def _described_body(body: dict[str, Any], frame: Any) -> dict[str, Any]:
    """Like _inlined_body(), for a body that has its lines."""
    return {
        **_inlined_body(body, frame.level()),
        "function": body["parent"],
        "file": body["file"],
        "region_line": body["line"],
        "line": frame.find_sal().line,
    }
