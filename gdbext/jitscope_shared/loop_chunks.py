"""The iterations that one call of a parallel loop's body runs, and the one that it is at: what js_program_chunk says,
completed by the loop's index."""

from __future__ import annotations

import linecache
import re
from typing import Any, Callable

from .debugged_process import PROCESS, DebuggedProcess

_HEADER = re.compile(r"\s*for\s+(\w+)\s+in\b")


def index_name(header: str) -> str | None:
    """Return the name that the line of a loop's header assigns; None: it has no loop of one name."""
    match = _HEADER.match(header)
    return match[1] if match else None


def index_name_at(
    debuggee: DebuggedProcess, file: str, line: int, find_source: Callable[[Any, str], str | None]
) -> str | None:
    """Return the name that a loop's header assigns, kept for the process. `find_source`: returns the path of the source
    of a file, None if it cannot be read."""

    def find() -> str | None:
        path = find_source(debuggee, file) if file and line else None
        return index_name(linecache.getline(path, line)) if path else None

    return debuggee.keep(PROCESS, ("index", file, line), find)  # type: ignore[no-any-return]


def finish(found: dict[str, Any], level: int | None, index: dict[str, Any] | None) -> None:
    """Complete a region of docs/schema/threads.json. `level`: the number of the body's frame."""
    found["frame"], found["index"] = level, index
    found["iterations"], found["done"] = _progress(found)
    found["source"] = "recovered" if found["chunk"] is not None else None
    found["problem"] = found["problem"] or None


def index_of(found: dict[str, Any], name: str, seen: dict[str, Any]) -> dict[str, Any]:
    """Return the variable that counts the loop's iterations: {"name", "state", "value", "text"}. `seen`: what
    js_program_print says of it."""
    index = {"name": name, "state": seen.get("state", "unknown"), "value": seen.get("value"), "text": seen.get("text")}
    if seen.get("error"):
        index["state"] = "unknown"
    if index["state"] not in ("exact", "unassigned") and _is_only_iteration(found):
        only = found["chunk"][0][0]
        return {"name": name, "state": "exact", "value": only, "text": str(only)}
    if index["state"] == "exact" and not _is_inside(found, index["value"]):
        return {
            "name": name,
            "state": "unknown",
            "value": None,
            "text": "<unknown: its value is outside of this chunk>",
        }
    index["text"] = index["text"] or f"<unknown: the compiler says nothing of {name}>"
    return index


def _is_only_iteration(found: dict[str, Any]) -> bool:
    """True if the place is in the body of a loop, and this call runs only one iteration of it."""
    chunk = found["chunk"]
    return bool(chunk and len(chunk) == 1 and chunk[0][0] == chunk[0][1] and found["line"] > found["region_line"])


def _is_inside(found: dict[str, Any], value: Any) -> bool:
    chunk = found["chunk"]
    if not chunk or len(chunk) != 1 or not isinstance(value, int):
        return True
    return bool(chunk[0][0] <= value <= chunk[0][1])


def _progress(found: dict[str, Any]) -> tuple[int | None, int | None]:
    """Return the number of iterations of the chunk, and how many of them are done."""
    chunk, index = found["chunk"], found["index"]
    if chunk is None:
        return None, None
    iterations = 1
    for first, last in chunk:
        iterations *= max(0, last - first + 1)
    is_known = len(chunk) == 1 and index is not None and index["state"] == "exact" and isinstance(index["value"], int)
    return iterations, index["value"] - chunk[0][0] if is_known else None
