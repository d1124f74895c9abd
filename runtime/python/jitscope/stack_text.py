"""The text of `jitscope stack`. Its frames are written as `jit bt` writes them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

_WAITS = {
    "gil": "the GIL",
    "lock": "a lock",
    "rlock": "a lock (an RLock)",
    "notification": "a notification",
    "thread": "a thread to end",
    "item": "an item of a queue",
    "room": "room in a queue",
    "tasks": "the tasks of a queue to be done",
    "work": "work",
}


def lines(taken: dict[str, Any], *, reverse: bool = False) -> list[str]:
    """Return the lines for one process or core (docs/schema/stack.json); `reverse`: the outermost frame first."""
    return list(_lines(taken, reverse))


def _lines(taken: dict[str, Any], reverse: bool) -> Iterator[str]:
    yield _head(taken)
    if taken["python_problem"]:
        yield f"(no Python frames: {taken['python_problem']})"
    if taken["lacking"]:
        yield f"(the core lacks {taken['lacking']:,} bytes at its end)"
    for file in taken["missing"]:
        yield f"({plain(file['path'])} {file['reason']})"
    for threads in _alike(taken["threads"]):
        yield ""
        yield _thread(threads)
        frames = list(enumerate(threads[0]["frames"]))
        for index, frame in reversed(_numbered(frames)) if reverse else _numbered(frames):
            yield from _frame(index, frame)
        for note in threads[0]["notes"]:
            yield f"({plain(note)})"


def _numbered(frames: list[tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
    """Return the frames with numbers that do not count the headings among them."""
    numbered, number = [], 0
    for _, frame in frames:
        numbered.append((number, frame))
        number += frame["kind"] != "region"
    return numbered


def _head(taken: dict[str, Any]) -> str:
    count = len(taken["threads"])
    parts = [f"core {plain(taken['core'])}" if "core" in taken else f"process {taken['pid']}"]
    if taken["command"]:
        parts.append(f"({plain(taken['command'])[:100]})")
    python = f", Python {taken['python']}" if taken["python"] else ""
    rested = f", which rested for {taken['pause_ms']:.1f} ms" if "core" not in taken else ""
    return f"{' '.join(parts)}: {count} thread{'s' * (count != 1)}{python}{rested}"


def _alike(threads: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the threads in groups that have the same text but for their numbers, in order of the first of each."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for thread in threads:
        key = repr((thread["name"], does(thread), thread["frames"], thread["notes"]))
        is_idle = not any(frame["kind"] in ("python", "jit") for frame in thread["frames"])
        groups.setdefault(key if is_idle else str(thread["native_id"]), []).append(thread)
    return list(groups.values())


def _thread(threads: list[dict[str, Any]]) -> str:
    first = threads[0]
    numbers = ", ".join(str(thread["native_id"]) for thread in threads)
    name = f" {plain(first['name'])}" if first["name"] else ""
    heading = f"thread{'s' * (len(threads) > 1)} {numbers}{name}"
    text = does(first)
    return f"{heading}: {text}" if text else heading


def does(thread: dict[str, Any]) -> str:
    """Return what the thread does, such as `runs kern at k.py:12, holds the GIL`; "" if nothing is known."""
    said = []
    fault = thread.get("signal")
    if fault:
        said.append(f"received {_signal_name(fault['number'])}")
    activity = thread["activity"] or {}
    waits = activity.get("waits")
    if waits:
        said.append(f"waits for {_WAITS[waits['for']]}{_owner(waits)}")
    elif not fault:
        place = next((frame for frame in thread["frames"] if frame["kind"] in ("python", "jit")), None)
        native = thread["frames"][0] if thread["frames"] and thread["frames"][0]["kind"] == "native" else None
        if place is not None and native is None:
            said.append(f"runs {plain(place['name'])}{_at(place)}")
        elif native is not None:
            where = f", called by {plain(place['name'])}{_at(place)}" if place is not None else ""
            said.append(f"is in {plain(native['name'])}{where}")
    if activity.get("holds_gil"):
        said.append("holds the GIL")
    return ", ".join(said)


def _owner(waits: dict[str, Any]) -> str:
    owner = waits.get("owner")
    return f" that thread {owner['native_id']} holds" if owner and owner.get("native_id") else ""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _at(frame: dict[str, Any]) -> str:
    if not frame["file"]:
        return ""
    return f" at {plain(os.path.basename(frame['file']))}" + (f":{frame['line']}" if frame["line"] else "")


def _frame(index: int, frame: dict[str, Any]) -> Iterator[str]:
    if frame["kind"] == "region":
        yield f"--- loop started by thread {frame['thread']} ---"
        return
    line = f"#{index:<2} {plain(frame['name'])}"
    if "arguments" in frame:
        arguments = ", ".join(f"{plain(each['name'])}={plain(each['text'])}" for each in frame["arguments"])
        line += f" ({arguments})"
    if frame["file"]:
        line += f" at {plain(frame['file'])}" + (f":{frame['line']}" if frame["line"] else "")
    elif frame.get("library"):
        line += f" from {plain(frame['library'])}"
    line += " [py]" if frame["kind"] == "python" else ""
    line += f" [found by {frame['found_by']}]" if "found_by" in frame else ""
    yield line
    definitions = 0
    for each in frame.get("locals", []):
        if each.get("definition"):
            definitions += 1
        else:
            yield f"        {plain(each['name'])} = {plain(each['text'])}"
    if definitions:
        yield (
            f"        ({definitions} function{'s' * (definitions > 1)}, class{'es' * (definitions > 1)} or "
            f"module{'s' * (definitions > 1)})"
        )


def plain(text: str) -> str:
    """Return the text with characters that control a terminal escaped, as repr() escapes them."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
