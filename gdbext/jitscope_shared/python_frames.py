"""The Python frames of a thread, and their variables."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

from .base import contract, native
from .variable_choice import ALL, ARGUMENTS


def of_thread(
    python: Any, native_id: int, pthread: int, poll: Any, note: Callable[[str], object]
) -> list[dict[str, Any]]:
    """Return the thread's Python frames, innermost first; [] if it has none. `python`: a js_python; `poll`: a
    contract.PollFn; `note` receives why frames are missing."""
    try:
        found = native.json_of("js_python_frames_json", python, native_id, pthread, 0, poll, None)
    except native.NativeError as error:
        if error.status != contract.ENOTFOUND:  # a thread that Python does not know has no frames
            note(f"no Python frames: {error}")
        return []
    if found["truncated"]:
        note(f"Python frames end early: {found.get('why', 'they cannot be read')}")
    return list(found["frames"])


def read(python: Any, types: Any, addresses: list[int], which: int, options: Any) -> list[list[dict[str, Any]]]:
    """Return, for each of the Python frames at these addresses, the entries of docs/schema/locals.json; variables that
    cannot be read have a label."""
    if not addresses:
        return []
    count = len(addresses)
    given = (ctypes.c_uint64 * count)(*addresses)
    try:
        found = native.json_of("js_python_variables", python, types, given, count, which, options)
    except native.NativeError as error:
        return [[label(f"its variables cannot be read ({error})")]] * count
    return [[label("its variables cannot be read")] if each is None else each for each in found]


def fill(
    entries: list[dict[str, Any]],
    full: bool,
    variables: Callable[[list[int], int, bool], list[list[dict[str, Any]]]],
) -> None:
    """Add to the Python frames among the entries of docs/schema/bt.json their arguments; `full`: and their other
    variables. `variables`: reads those of frames by their addresses, the choice and whether in one line."""
    python = [entry for entry in entries if entry["kind"] == "python"]
    addresses = [entry["address"] for entry in python]
    for entry, found in zip(python, variables(addresses, ARGUMENTS, True)):
        entry["arguments"] = found
    for entry, found in zip(python, variables(addresses, ALL, False) if full else ()):
        entry["locals"] = found


def evaluate(python: Any, types: Any, address: int, expression: str, options: Any, progress: Any) -> dict[str, Any]:
    """Return the entry of js_python_print. `progress`: a native.ProgressFn."""
    text = expression.encode("utf-8", "replace")
    given = python, types, address, text, options, progress, None
    return native.json_of("js_python_print", *given)  # type: ignore[no-any-return]


def label(reason: str) -> dict[str, Any]:
    """Return the entry that stands for variables that cannot be read."""
    entry: dict[str, Any] = {"name": "...", "type": "", "state": "unknown", "value": None}
    return {**entry, "text": f"<unknown: {reason}>", "assigned_line": None, "argument": False}
