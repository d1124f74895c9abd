"""The parallel loops that run now, each with the activities of its workers."""

from __future__ import annotations

import ast
import ctypes
import linecache
import math
import struct
from collections.abc import Iterable
from typing import Any, Callable

from . import thread_entries
from .base import native
from .base.escaping import counted
from .debugged_process import DebuggedProcess

_ROWS = 1 << 16  # rows of a schedule that are read, at most


def current(debuggee: DebuggedProcess, entries: list[dict[str, Any]], number: int | None) -> list[dict[str, Any]]:
    """Return the loop that a thread is in, or waits for; if there is none, all loops that run: entries of
    docs/schema/region.json, whose "last_line" is still None. `entries`: all threads; `number`: the debugger's number of
    the thread."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for entry in thread_entries.in_region(entries):
        region = entry["regions"][-1]
        found.setdefault((region["name"], tuple(entry["callers"])), []).append(entry)
    own = [one for one in found.values() if any(number == e["thread"] or number in e["callers"] for e in one)]
    return [_region(debuggee, one) for one in own or found.values()]


def _region(debuggee: DebuggedProcess, entries: list[dict[str, Any]]) -> dict[str, Any]:
    regions = [entry["regions"][-1] for entry in entries]
    outer = regions[0]
    numbers = {entry["native_id"] for entry in entries}
    launch = next(
        (each for each in debuggee.launches() if numbers & {work["thread"] for work in each["workers"]}), None
    )
    return {
        "function": outer["function"] or outer["name"],
        "file": outer["file"],
        "line": outer["region_line"],
        "last_line": None,
        "layer": entries[0]["layer"],
        "launch": launch["launch"] if launch is not None else None,
        "rows": launch["rows"] if launch is not None else None,
        "callers": entries[0]["callers"],
        "iterations": _sum(region["iterations"] for region in regions),
        "done": _sum(region["done"] for region in regions),
        "all_iterations": _all_iterations(debuggee, launch) if launch is not None else None,
        "ended": launch["ended"] if launch is not None else None,
        "workers": entries,
    }


def _sum(numbers: Iterable[int | None]) -> int | None:
    found = list(numbers)
    return None if None in found else sum(found)  # type: ignore[arg-type]


def _all_iterations(debuggee: DebuggedProcess, launch: dict[str, Any]) -> int | None:
    """Return the number of the whole loop's iterations by its schedule; None: it has none, or one of too many rows."""
    dimensions, rows = launch["dimensions"], launch["rows"]
    if not dimensions or rows > _ROWS:
        return None
    row = struct.Struct(f"<{2 * dimensions}q")
    schedule = ctypes.create_string_buffer(rows * row.size)
    if rows and native.library.js_bytes_read(debuggee.data_memory(), launch["schedule"], schedule, rows * row.size):
        return None
    bounds = row.iter_unpack(schedule.raw)
    numbers = (math.prod(max(0, b[d + dimensions] - b[d] + 1) for d in range(dimensions)) for b in bounds)
    return int(sum(numbers))


def last_line(path: str, line: int) -> int | None:
    """Return the last line of the loop that begins at a line of this file; None: there is none."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError):
        return None
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.For) and node.lineno == line)
    return next((node.end_lineno for node in loops), None)


def text_of(region: dict[str, Any], base_name: Callable[[str], str]) -> str:
    """Return the loop as a line. `base_name`: returns the name of a source for a message."""
    file = base_name(region["file"] or "")
    lines = f"{region['line']}" + (f"-{region['last_line']}" if region["last_line"] else "")
    place = f"prange at {file}:{lines}" if region["line"] else "prange without debug information"
    text = [f"{region['function']}, {place}" + (f", on {region['layer']}" if region["layer"] else "")]
    text += [_running_text(region), *_whole_text(region)]
    return "; ".join(text)


def _running_text(region: dict[str, Any]) -> str:
    """Return how far the workers that run are with the chunks that they run."""
    running = len(region["workers"])
    who, chunks = (f"{running} workers run", "their chunks") if running != 1 else ("1 worker runs", "its chunk")
    if region["iterations"] is None:
        return f"{who} {chunks}"
    done = f", {region['done']} of them done" if region["done"] is not None else ""
    return f"{who} {counted(region['iterations'], 'iteration')} ({chunks}){done}"


def _whole_text(region: dict[str, Any]) -> list[str]:
    """Return how far the whole loop is, or nothing where that is not known."""
    chunks = counted(region["rows"], "chunk") if region["rows"] else ""
    if region["all_iterations"] is None or region["ended"] is None:
        return [f"the whole loop has {chunks}"] if chunks else []
    done, least = region["done"], "at least " if region["done"] is None else ""
    within = f" in {chunks}" if chunks else ""
    total = counted(region["all_iterations"], "iteration")
    return [f"the whole loop has {total}{within}, {least}{region['ended'] + (done or 0)} done"]
