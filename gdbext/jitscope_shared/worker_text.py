"""A thread's role in words, and all threads as a table."""

from __future__ import annotations

import os
from typing import Any

from .base.escaping import plain
from .thread_entries import CALLER, IDLE, OTHER, PYTHON, RUNNING, WORKER


def text_of(entry: dict[str, Any], brief: bool = False) -> str:
    """Return a text such as `worker 2 of omp: foo, prange at par.py:16, i = 5 of 4..6, line 18`."""
    role = entry["role"]
    who = role
    if entry["worker"] is None and role == IDLE:
        return f"a worker of {entry['layer']}: idle"
    if entry["worker"] is not None:
        who = f"worker {entry['worker']}" + (f" of {entry['layer']}" if entry["layer"] else "")
    if role == WORKER and not entry["regions"]:
        return f"{who}: {entry['function']} (){_at(entry)}"
    if role == WORKER:
        text = "; in ".join(_region_text(region, brief, entry["waits"]) for region in entry["regions"])
        also = " (and caller)" if entry["starts"] and not brief else ""
        return f"{who}{also}: {text}"
    if role == CALLER:
        start = entry["starts"][-1]
        return f"caller: {start['function']} () waits for its workers{_at(start)}"
    if role == IDLE:
        return f"{who}: idle"
    names = {PYTHON: "Python thread", OTHER: "other thread", RUNNING: "running"}
    text = names.get(role, role)
    return f"{text}: {entry['function']} (){_at(entry)}" if entry["function"] else text


def table_of(entries: list[dict[str, Any]]) -> list[str]:
    """Return a line for each entry, and one for all idle threads."""
    idle = [entry for entry in entries if entry["role"] == IDLE]
    lines = [f"thread {entry['thread']}, {text_of(entry)}" for entry in entries if entry not in idle]
    numbers = [str(entry["worker"]) for entry in idle if entry["worker"] is not None]
    if numbers:
        lines.append(f"idle: worker{'s' * (len(numbers) > 1)} {', '.join(numbers)} of {idle[0]['layer']}")
    elif idle:
        lines.append(f"idle: {len(idle)} worker{'s' * (len(idle) > 1)} of {idle[0]['layer']}")
    return lines


def base_name(path: str) -> str:
    """Return a file's name for a message."""
    return plain(os.path.basename(path))


def _at(place: dict[str, Any]) -> str:
    return f" at {base_name(place['file'])}:{place['line']}" if place["file"] and place["line"] else ""


def _region_text(region: dict[str, Any], brief: bool, waits: bool) -> str:
    name = region["function"] or region["name"]
    header = f" at {base_name(region['file'])}:{region['region_line']}" if region["file"] else ""
    is_known = region["frame"] is not None or waits or region["name"].endswith(".prange")
    loop = "prange" if is_known else "loop"
    text = f"{name}:{region['region_line']}" if brief and header else f"{name}, {loop}{header}"
    if not region["region_line"]:
        text = name if brief else f"{name}, {'a loop that Numba has made' if region['file'] else loop}"
    if region["chunk"] is None:
        chunk = f"chunk <unknown: {region['problem']}>"
    else:
        chunk = ", ".join(f"{first}..{last}" for first, last in region["chunk"])
        chunk = chunk if region["iterations"] else "no iterations"
    index = region["index"]
    if index is not None and index["state"] == "exact":
        text += f", {index['name']} = {index['text']}" + (f" of {chunk}" if chunk else "")
    elif index is not None and not brief:
        text += f", {index['name']} = {index['text']} of {chunk}"
    else:
        text += f", {chunk}"
    if brief:
        return text
    if region["line"]:
        text += f", line {region['line']}"
    if region["done"] is not None and region["iterations"]:
        text += f", {region['done']} of {region['iterations']} done"
    return text
