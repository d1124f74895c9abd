"""The tasks of asyncio and the greenlets in the text of `jitscope stack`: those that do the same in the same place are
written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jitscope.stacks import alike

_NAMED = 3  # tasks of a group that are named

_Entry = dict[str, Any]


def lines(taken: _Entry, plain: Callable[[str], str], frames: Callable[[list[_Entry]], Iterator[str]]) -> Iterator[str]:
    """Yield the lines for all tasks and greenlets. `plain` escapes a text of the target; `frames` yields the lines of
    frames."""
    groups = [(_heading(tasks, plain), tasks[0]) for tasks in alike.by_key(taken["tasks"], _text_of)]
    groups += [(_greenlets(same), same[0]) for same in alike.by_key(taken["greenlets"], _text_of)]
    for heading, first in groups:
        yield ""
        yield heading
        yield from frames(first["frames"])
        for note in first["notes"]:
            yield f"({plain(note)})"
    if taken["task_notes"]:
        yield ""
        for note in taken["task_notes"]:
            yield f"({plain(note)})"


def _text_of(task: _Entry) -> str:
    """Return what tasks or greenlets that are shown once have in common: all of their text but for their names. A task
    that another one awaits is often one of many, whose awaiters differ in nothing but their names."""
    frames = [{key: value for key, value in frame.items() if key != "address"} for frame in task["frames"]]
    return repr((task["native_id"], task.get("does"), frames, task["notes"]))


def _heading(tasks: list[_Entry], plain: Callable[[str], str]) -> str:
    first = tasks[0]
    count = len(tasks)
    names = ", ".join(f'"{plain(task["name"])}"' for task in tasks[:_NAMED])
    start = f"{count:,} tasks {names}" if count > 1 else f"task {names}"
    start += ", …" if count > _NAMED else ""
    thread = f" of thread {first['native_id']}" if first["native_id"] is not None else ""
    awaited_by = first["awaited_by"]
    if count == 1 and awaited_by:
        more = f" and {len(awaited_by) - _NAMED:,} more" if len(awaited_by) > _NAMED else ""
        thread += ", awaited by " + ", ".join(f'"{plain(name)}"' for name in awaited_by[:_NAMED]) + more
    return f"{start}{thread}: {'each ' if count > 1 else ''}{plain(first['does'])}"


def _greenlets(same: list[_Entry]) -> str:
    count, thread = len(same), same[0]["native_id"]
    of_thread = f" of thread {thread}" if thread is not None else ""
    return (f"{count:,} greenlets" if count > 1 else "greenlet") + f"{of_thread} (switched out)"
