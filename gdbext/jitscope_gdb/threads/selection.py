"""The selected frame among those that `jit bt` numbers. GDB knows only its own frames, and one frame of the interpreter
may run several Python frames."""

from __future__ import annotations

import linecache
from typing import Any

import gdb

from ..base import report
from ..frames import frames
from ..target import sources, target
from . import stacks

_KEY = "selected frame"


def entries(debuggee: target.Target) -> list[dict[str, Any]]:
    """Return the frames of `jit bt`, each with its "index"; those of other threads also have "thread"."""
    selected = gdb.selected_frame()
    found, thread = [], None
    try:
        for entry in stacks.Stack(debuggee).frames():
            if entry["kind"] == "region":
                thread = entry["thread"]
                continue
            entry["index"] = len(found)
            if thread is not None:
                entry["thread"] = thread
            found.append(entry)
    finally:
        if selected.is_valid():
            selected.select()
    return found


def choose(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Select this frame; for a Python frame, also select the frame of GDB's that runs it."""
    level = entry["frame"] if entry["kind"] != "python" else entry["evaluation"]
    if "thread" in entry:
        raise report.Problem(
            f"frame {entry['index']} is in thread {entry['thread']}: type `thread {entry['thread']}` first"
        )
    frame = gdb.newest_frame() if level is not None else gdb.selected_frame()
    while frame.level() != (level if level is not None else frame.level()):
        frame = frame.older()
    frame.select()
    remember(debuggee, entry)


def remember(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Let GDB's selected frame mean this entry of `jit bt`, until another one is selected, or the program runs on."""
    debuggee.keep(target.STOP, _KEY, dict).update(frame=gdb.selected_frame(), entry=entry)


def _remembered(debuggee: target.Target) -> dict[str, Any] | None:
    kept = debuggee.keep(target.STOP, _KEY, dict)
    is_there = kept and kept["frame"].is_valid() and kept["frame"] == gdb.selected_frame()
    return kept["entry"] if is_there else None


def chosen_python(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the Python frame that `jit frame` or a step has selected; None: a frame of GDB's is selected."""
    entry = _remembered(debuggee) if debuggee.has_process and gdb.selected_thread() is not None else None
    return entry if entry is not None and entry["kind"] == "python" else None


def current(debuggee: target.Target, among: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the entry that was chosen, or else the first one at GDB's selected frame or outside of it."""
    chosen = _remembered(debuggee)
    level = gdb.selected_frame().level()
    for entry in among:
        if "thread" in entry:
            break
        if chosen is not None:
            if _is_same(entry, chosen):
                return entry
        elif entry["kind"] == "python":
            if entry["evaluation"] is None or entry["evaluation"] >= level:
                return entry
        elif entry["frame"] >= level:
            return entry
    return None


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one["kind"] == other["kind"] and all(one.get(key) == other.get(key) for key in ("address", "frame"))


def python(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the Python frame that is selected, or that has called the selected native frame; None if there is none."""
    if not debuggee.has_process or gdb.selected_thread() is None or not gdb.selected_thread().is_stopped():
        return None
    if _remembered(debuggee) is None and frames.compiled_at(debuggee, gdb.selected_frame()) is not None:
        return None
    found = entries(debuggee)
    entry = current(debuggee, found)
    while entry is not None and entry["kind"] not in ("python", "jit"):  # native frames may be on top of it
        rest = [each for each in found[entry["index"] + 1 :] if "thread" not in each]
        entry = rest[0] if rest else None
    return entry if entry is not None and entry["kind"] == "python" else None


def line_of_source(debuggee: target.Target, entry: dict[str, Any]) -> str | None:
    """Return the source line as GDB's `frame` shows it."""
    path = sources.find(debuggee, entry["file"]) if entry["file"] and entry["line"] else None
    text = linecache.getline(path, entry["line"]) if path else ""
    return f"{entry['line']}\t{text.rstrip()}" if text else None
