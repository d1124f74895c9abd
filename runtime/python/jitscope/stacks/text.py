"""The text of `jitscope stack`. One module, which is GDB's, too, writes the frames here and in `jit bt`."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from typing import Any

from jitscope.paths import shared_module
from jitscope.stacks import alike, tasks_text
from jitscope.stacks.ranks import Rank

_MANY = 4  # threads whose number is said
_COMMAND = 100  # characters of a command line that are shown


def lines(taken: dict[str, Any], *, reverse: bool = False, folds: bool = False, left_out: int = 0) -> list[str]:
    """Return the lines for one process or core (docs/schema/stack.json); `reverse`: the outermost frame first; `folds`:
    threads whose stacks differ in few values are shown once, too, with these values; `left_out`: other threads that the
    process has."""
    return list(_lines(taken, reverse, folds, left_out))


def _lines(taken: dict[str, Any], reverse: bool, folds: bool, left_out: int) -> Iterator[str]:
    yield from _heading(taken, left_out)
    if taken["python_problem"]:
        yield f"(no Python frames: {taken['python_problem']})"
    if taken["lacking"]:
        lost = "" if taken["threads"] else ", where the registers of its threads are"
        yield f"(the core lacks {taken['lacking']:,} bytes at its end{lost})"
    for file in taken["missing"]:
        yield f"({plain(file['path'])} {file['reason']})"
    listed = taken["threads"]
    for threads in alike.groups(listed) if folds else alike.by_key(listed, _text_of):
        yield ""
        yield from _stack(threads, reverse)
        yield from differences(threads)
    yield from tasks_text.lines(taken, plain, lambda frames: _frames(frames, reverse))


def _stack(threads: list[dict[str, Any]], reverse: bool) -> Iterator[str]:
    """Yield the lines for threads with one stack."""
    yield heading(threads)
    yield from _frames(threads[0]["frames"], reverse)
    for note in threads[0]["notes"]:
        yield f"({plain(note)})"


def differences(threads: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each thread of a group that has something of its own."""
    for thread in threads[1:]:
        own = alike.differences(threads[0], thread)
        if own:
            yield f"(thread {thread['native_id']}: {plain(', '.join(own))})"


def _frames(entries: list[dict[str, Any]], reverse: bool) -> Iterator[str]:
    frames = shared_module("jitscope_shared.base.stack_text")
    shown = list(frames.folded(frames.numbered(entries)))
    for each in reversed(shown) if reverse else shown:
        yield from frames.lines(each)


def _heading(taken: dict[str, Any], left_out: int = 0) -> Iterator[str]:
    yield _head(taken, left_out)
    if taken["threads"] and all(thread.get("state") == "T" for thread in taken["threads"]):
        yield f"(a signal has stopped the process, and nothing runs; type kill -CONT {taken['pid']})"


def _head(taken: dict[str, Any], left_out: int) -> str:
    count = len(taken["threads"]) + left_out
    parts = [f"core {plain(taken['core'])}" if "core" in taken else f"process {taken['pid']}"]
    if taken["command"]:
        parts.append(f"({_shortened(plain(taken['command'].strip()))})")
    rank = f", {Rank(**taken['rank'])}" if taken.get("rank") else ""
    python = f", Python {taken['python']}" if taken["python"] else ""
    rested = f", which rested for {taken['pause_ms']:.1f} ms" if taken["pause_ms"] else ""
    tasks = len(taken["tasks"])
    listed = f", {tasks:,} task{'s' * (tasks != 1)}" if tasks else ""
    return f"{' '.join(parts)}{rank}: {count} thread{'s' * (count != 1)}{listed}{python}{rested}"


def _shortened(command: str) -> str:
    return command if len(command) <= _COMMAND else command[: _COMMAND - 2] + " …"


def _text_of(thread: dict[str, Any]) -> str:
    """Return what threads that are shown once have in common: all of their text but for their numbers, if they run no
    Python or compiled function."""
    if any(frame["kind"] in ("python", "jit") for frame in thread["frames"]):
        return str(thread["native_id"])
    return repr((thread["name"], _does(thread), thread["frames"], thread["notes"]))


def plain(text: str) -> str:
    """Return the text with characters that control a terminal escaped."""
    escaped: str = shared_module("jitscope_shared.base.escaping").plain(text)
    return escaped


def heading(threads: list[dict[str, Any]]) -> str:
    """Return the line above the frames of threads with one stack: their numbers and names, and what they do."""
    first = threads[0]
    named = any(thread["python_name"] != first["python_name"] for thread in threads)
    numbers = ", ".join(f"{thread['native_id']}{_quoted(thread) if named else ''}" for thread in threads)
    name = f" {plain(first['name'])}" if first["name"] else ""
    name += "" if named else _quoted(first)
    count = f" ({len(threads)} in all)" if len(threads) >= _MANY else ""
    text = plain(_does(first))
    return f"thread{'s' * (len(threads) > 1)} {numbers}{count}{name}" + (f": {text}" if text else "")


def _quoted(thread: dict[str, Any]) -> str:
    return f' "{plain(thread["python_name"])}"' if thread["python_name"] else ""


def _does(thread: dict[str, Any]) -> str:
    """Return the signal that the thread of a core received, and what it does; "" if nothing is known."""
    fault = thread["signal"]
    received = f"received {signal_name(fault['number'])}" if fault else ""
    return ", ".join(filter(None, (received, thread["does"])))


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _circle(threads: list[dict[str, Any]]) -> str:
    """Return the heading of threads that wait for each other."""
    is_one = len(threads) == 1
    if all(thread["waits_for"]["certain"] for thread in threads):
        return (
            "deadlock: 1 thread waits for itself" if is_one else f"deadlock: {len(threads)} threads wait for each other"
        )
    seems = "1 thread seems to wait for itself" if is_one else f"{len(threads)} threads seem to wait for each other"
    return f"a possible deadlock: {seems}"


def _task_circle(circle: dict[str, Any]) -> str:
    """Return the heading of tasks that wait for each other."""
    count, certain = len(circle["tasks"]), circle["certain"]
    start = "circle" if certain else "a possible circle"
    if count == 1:
        return f"{start}: 1 task {'waits' if certain else 'seems to wait'} for itself, until it is cancelled"
    waits = "wait" if certain else "seem to wait"
    return f"{start}: {count} tasks {waits} for each other, until one of them is cancelled"


def deadlocks(taken: dict[str, Any]) -> Iterator[str]:
    """Yield the circles of threads and of tasks that wait for each other, and then their stacks."""
    found = taken["deadlock"]
    yield from _heading(taken)
    shown, names = [], []
    for circle in found["circles"]:
        yield ""
        yield _circle(circle["threads"])
        for thread in circle["threads"]:
            yield f"  thread {thread['native_id']} {plain(thread['name'])}".rstrip() + f": {plain(thread['does'])}"
            shown.append(thread["native_id"])
            names.append((thread["waits_for"]["native_id"], thread["waits_for"].get("task")))
    for circle in found["task_circles"]:
        yield ""
        yield _task_circle(circle)
        for task in circle["tasks"]:
            yield f'  task "{plain(task["name"])}": {plain(task["does"])}'
            names.append((task["native_id"], task["name"]))
    yield ""
    yield found["summary"]
    for thread in taken["threads"]:
        if thread["native_id"] in shown:
            yield ""
            yield from _stack([thread], False)
    concerned = [task for task in taken["tasks"] if (task["native_id"], task["name"]) in names]
    of_tasks = {**taken, "tasks": concerned, "greenlets": [], "task_notes": []}
    yield from tasks_text.lines(of_tasks, plain, lambda frames: _frames(frames, False))


_HALF = re.compile("[\ud800-\udfff]")


def json_of(taken: dict[str, Any]) -> str:
    """Return the JSON in UTF-8's characters; the others, halves of surrogate pairs, are escaped."""
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(taken, ensure_ascii=False))
