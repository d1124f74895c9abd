"""The selected frame among those that `jit bt` numbers. GDB knows only its own frames, and one frame of the interpreter
may run several Python frames."""

from __future__ import annotations

import linecache
from typing import Any

import gdb

from ..base import report
from ..frames import frames
from ..target import sources, target
from . import merged_stack, shown_frames

_KEY = "selected frame"
_FARTHEST = 5000  # GDB's number of the last frame of the interpreter that is selected with a Python frame


def entries(debuggee: target.Target) -> list[dict[str, Any]]:
    """Return the frames of `jit bt`, each with its "index"; those of other threads also have "thread". The frames that
    `jit bt` folds are not among them, except for those up to GDB's selected frame."""
    level = gdb.selected_frame().level()
    found = _entries(debuggee)
    after = next((i for i, each in enumerate(found) if each["kind"] == "folded"), None)
    if after is not None and found[after - 1]["frame"] < level <= found[after]["last"]:
        first = _entries(debuggee, lambda entry: entry["frame"] is not None and entry["frame"] >= level)
        found = first + [each for each in found if each.get("index", 0) > first[-1]["index"]]
    return [each for each in found if each["kind"] != "folded"]


def _entries(debuggee: target.Target, is_last: Any = None) -> list[dict[str, Any]]:
    """Return the frames with an entry for those that are folded, whose "last" is GDB's number of the last of them.
    `is_last`: return all frames up to the one that this is true for."""
    selected = gdb.selected_frame()
    found: list[dict[str, Any]] = []
    thread, stack = None, merged_stack.Stack(debuggee, folds=is_last is None)
    try:
        for entry in stack.numbered():
            if entry["kind"] == "region":
                thread = entry["thread"]
                continue
            if entry["kind"] == "folded" and stack.fold is not None:
                entry["last"] = found[-1]["frame"] + stack.fold.frames
            if thread is not None:
                entry["thread"] = thread
            found.append(entry)
            if is_last is not None and is_last(entry):
                break
    finally:
        if selected.is_valid():
            selected.select()
    return found


def numbered(debuggee: target.Target, found: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """Return the frame of this number, which is in the list or folded. Raise Problem if there is none."""
    entry = next((each for each in found if each["index"] == number), None)
    if entry is not None:
        return entry
    if not found or not 0 <= number < found[-1]["index"]:
        raise report.Problem(f"there is no frame {number}; `jit bt` shows {found[-1]['index'] + 1 if found else 0}")
    return _entries(debuggee, lambda each: each["index"] == number)[-1]


def choose(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Select this frame; for a Python frame, also select the frame of GDB's that runs it."""
    level = entry["frame"] if entry["kind"] != "python" else entry["evaluation"]
    if "thread" in entry:
        raise report.Problem(
            f"frame {entry['index']} is in thread {entry['thread']}: type `thread {entry['thread']}` first"
        )
    if entry["kind"] == "python" and level is not None and level > _FARTHEST:
        level = None
    frame = gdb.newest_frame() if level is not None else gdb.selected_frame()
    while frame.level() != (level if level is not None else frame.level()):
        frame = frame.older()
    frame.select()
    remember(debuggee, entry)


def remember(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Let GDB's selected frame mean this entry of `jit bt`, until another one is selected, or the program runs on."""
    debuggee.keep(target.STOP, _KEY, dict).update(frame=gdb.selected_frame(), entry=entry)


def _remembered(debuggee: target.Target) -> dict[str, Any] | None:
    kept, selected = debuggee.keep(target.STOP, _KEY, dict), gdb.selected_frame()
    if kept and kept["frame"].is_valid() and kept["frame"] == selected:
        return kept["entry"]  # type: ignore[no-any-return]
    if frames.compiled_at(debuggee, selected) is not None:
        return None
    return shown_frames.python_at(debuggee, selected)


def chosen_python(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the Python frame that a command or a step has selected, or that GDB's selected frame stands for in `bt`;
    None: a frame of GDB's is selected."""
    entry = _remembered(debuggee) if debuggee.has_process and gdb.selected_thread() is not None else None
    return entry if entry is not None and entry["kind"] == "python" else None


def current(debuggee: target.Target, among: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the entry that was chosen, or else the first one at GDB's selected frame or outside of it."""
    chosen = _remembered(debuggee)
    if chosen is not None and not any(_is_same(entry, chosen) for entry in among):
        return chosen  # a folded frame
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
