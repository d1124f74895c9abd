"""The text of `jitscope stack`. Its frames are written as `jit bt` writes them."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jitscope.stacks.ranks import Rank

_SHOWN = 3  # calls of a function that are shown before others are folded
_FEWEST = 100  # frames that are worth folding
_LONGEST_CYCLE = 8  # functions that call each other in turn, at most


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
        yield from _stack(threads, reverse)


def _stack(threads: list[dict[str, Any]], reverse: bool) -> Iterator[str]:
    """Yield the lines for threads with one stack."""
    yield _thread(threads)
    shown = list(_folded(_numbered(threads[0]["frames"])))
    for each in reversed(shown) if reverse else shown:
        if isinstance(each, str):
            yield each
        else:
            yield from _frame(*each)
    for note in threads[0]["notes"]:
        yield f"({plain(note)})"


def _numbered(frames: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    """Return the frames with numbers that do not count the headings among them."""
    numbered, number = [], 0
    for frame in frames:
        numbered.append((number, frame))
        number += frame["kind"] != "region"
    return numbered


def _folded(frames: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]] | str]:
    """Yield the numbered frames. Of functions that call themselves or each other very often, the first calls and the
    last are given, and a line for those between them."""
    keys = [(frame["kind"], frame.get("name"), frame.get("file")) for _, frame in frames]
    at = 0
    while at < len(frames):
        period, end = _repeated(keys, at)
        first, last = at + _SHOWN * period, end - period
        if last - first < _FEWEST:
            yield frames[at]
            at += 1
            continue
        yield from frames[at:first]
        counts = Counter(frame["name"] for _, frame in frames[first:last])
        (name, count), *others = counts.most_common()
        also = "".join(f", {number:,} of {plain(other)}" for other, number in others)
        yield f"… {count:,} more frames of {plain(name)}{also}"
        yield from frames[last:end]
        at = end


def _repeated(keys: list[tuple[Any, ...]], start: int) -> tuple[int, int]:
    """Return how many functions call each other in turn from there on, and where that ends; the shortest such cycle."""
    for period in range(1, _LONGEST_CYCLE + 1):
        end = start + period
        while end < len(keys) and keys[end] == keys[end - period]:
            end += 1
        if end - start >= _FEWEST:
            return period, end
    return 1, start + 1


def _head(taken: dict[str, Any]) -> str:
    count = len(taken["threads"])
    parts = [f"core {plain(taken['core'])}" if "core" in taken else f"process {taken['pid']}"]
    if taken["command"]:
        parts.append(f"({plain(taken['command'].strip())[:100]})")
    rank = f", {Rank(**taken['rank'])}" if taken.get("rank") else ""
    python = f", Python {taken['python']}" if taken["python"] else ""
    rested = f", which rested for {taken['pause_ms']:.1f} ms" if taken["pause_ms"] else ""
    return f"{' '.join(parts)}{rank}: {count} thread{'s' * (count != 1)}{python}{rested}"


def _alike(threads: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the threads in groups that have the same text but for their numbers, in order of the first of each."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for thread in threads:
        key = repr((thread["name"], _does(thread), thread["frames"], thread["notes"]))
        is_idle = not any(frame["kind"] in ("python", "jit") for frame in thread["frames"])
        groups.setdefault(key if is_idle else str(thread["native_id"]), []).append(thread)
    return list(groups.values())


def _thread(threads: list[dict[str, Any]]) -> str:
    first = threads[0]
    numbers = ", ".join(str(thread["native_id"]) for thread in threads)
    name = f" {plain(first['name'])}" if first["name"] else ""
    name += f' "{plain(first["python_name"])}"' if first["python_name"] else ""
    heading = f"thread{'s' * (len(threads) > 1)} {numbers}{name}"
    text = plain(_does(first))
    return f"{heading}: {text}" if text else heading


def _does(thread: dict[str, Any]) -> str:
    """Return the signal that the thread of a core received, and what it does; "" if nothing is known."""
    fault = thread["signal"]
    received = f"received {_signal_name(fault['number'])}" if fault else ""
    return ", ".join(filter(None, (received, thread["does"])))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def deadlocks(taken: dict[str, Any]) -> Iterator[str]:
    """Yield the circles of threads that wait for each other, and then the stacks of these threads."""
    found = taken["deadlock"]
    yield _head(taken)
    shown = []
    for circle in found["circles"]:
        yield ""
        count = len(circle["threads"])
        yield f"deadlock: {count} thread{'s wait for each other' if count > 1 else ' waits for itself'}"
        for thread in circle["threads"]:
            yield f"  thread {thread['native_id']} {plain(thread['name'])}".rstrip() + f": {plain(thread['does'])}"
            shown.append(thread["native_id"])
    yield ""
    yield found["summary"]
    for thread in taken["threads"]:
        if thread["native_id"] in shown:
            yield ""
            yield from _stack([thread], False)


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
    if frame.get("chunk"):
        loop = f" of the loop at line {frame['loop_line']}" if frame["loop_line"] else ""
        line += f", iterations {_ranges(frame['chunk'])}{loop}"
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


def _ranges(chunk: list[list[int]]) -> str:
    """Return the iterations that a worker was given, of each dimension, such as `0..24`."""
    return ", ".join(f"{first}..{last}" for first, last in chunk)


def plain(text: str) -> str:
    """Return the text with characters that control a terminal escaped, as repr() escapes them."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
