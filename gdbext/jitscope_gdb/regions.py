"""The parallel loops that run now, each with all that its workers do."""

from __future__ import annotations

import ast
import linecache
import os
from typing import Any

import gdb

from . import sources, target, workers


def current(of: target.Target) -> list[dict[str, Any]]:
    """The loop that the selected thread is in, or waits for; where there is none, all that run.

    Entries of docs/schema/region.json."""
    entries = workers.expect(of)
    found: dict[Any, list[dict[str, Any]]] = {}
    for entry in workers.in_region(entries):
        region = entry["regions"][-1]
        found.setdefault((region["name"], tuple(entry["callers"])), []).append(entry)
    thread = gdb.selected_thread()
    number = thread.num if thread is not None else None
    own = [one for one in found.values() if any(number == e["thread"] or number in e["callers"] for e in one)]
    return [_region(of, one) for one in own or found.values()]


def _region(of: target.Target, entries: list[dict[str, Any]]) -> dict[str, Any]:
    regions = [entry["regions"][-1] for entry in entries]
    outer = regions[0]
    numbers = {entry["native_id"] for entry in entries}
    launch = next((each for each in of.launches() if numbers & {work["thread"] for work in each["workers"]}), None)
    turns = [region["turns"] for region in regions]
    done = [region["done"] for region in regions]
    return {
        "function": outer["function"] or outer["name"],
        "file": outer["file"],
        "line": outer["region_line"],
        "last_line": _last_line(of, outer["file"], outer["region_line"]),
        "layer": entries[0]["layer"],
        "launch": launch["launch"] if launch is not None else None,
        "rows": launch["rows"] if launch is not None else None,
        "callers": entries[0]["callers"],
        "turns": None if None in turns else sum(turns),
        "done": None if None in done else sum(done),
        "workers": entries,
    }


def _last_line(of: target.Target, file: str | None, line: int) -> int | None:
    """Of the loop that begins there; None: the source is not the program's, or has none there."""

    def find() -> int | None:
        path = sources.find(of, file) if file and line else None
        try:
            tree = ast.parse("".join(linecache.getlines(path)) if path else "")
        except (SyntaxError, ValueError):
            return None
        loops = (node for node in ast.walk(tree) if isinstance(node, ast.For) and node.lineno == line)
        return next((getattr(node, "end_lineno", None) for node in loops), None)

    return of.keep(target.PROCESS, ("last line", file, line), find)  # type: ignore[no-any-return]


def text_of(region: dict[str, Any]) -> str:
    file = os.path.basename(region["file"] or "")
    lines = f"{region['line']}" + (f"-{region['last_line']}" if region["last_line"] else "")
    text = [f"{region['function']}, prange at {file}:{lines}, on {region['layer']}"]
    chunks = f" of {region['rows']} chunks" if region["rows"] else ""
    running = len(region["workers"])
    text.append(f"{running} worker{'s' * (running != 1)} at work{chunks}")
    if region["turns"] is not None:
        done = f", {region['done']} done" if region["done"] is not None else ""
        text.append(f"{region['turns']} turns at hand{done}")
    return "; ".join(text)
