"""Variables of Python's own frames."""

from __future__ import annotations

import ctypes
from typing import Any

from ..base import native, progress
from ..target import target
from . import frames

ALL, ARGUMENTS = 0, 1  # values of js_python_variables' argument


def variables(debuggee: target.Target, address: int, which: int = ALL, summary: bool = False) -> list[dict[str, Any]]:
    """Return the entries of docs/schema/locals.json for the Python frame at this address; a value that cannot be read
    has a label."""
    return _read(debuggee, [address], which, summary)[0]


def held(debuggee: target.Target, address: int, name: str) -> native.Held | None:
    """Return the memory that an array, a typed container or an instance of a jitclass holds, which is a variable of
    the Python frame at this address; None: the variable is none of them."""
    found = native.Held()
    python = debuggee.python()
    if python is None or native.library.js_python_find_held(python, address, name.encode(), ctypes.byref(found)):
        return None
    return found


def held_by_freed(debuggee: target.Target, address: int) -> native.Held | None:
    """Like held(), for the object at this address, which its class is freeing."""
    found = native.Held()
    python = debuggee.python()
    if python is None or native.library.js_python_freed_held(python, address, ctypes.byref(found)):
        return None
    return found


def evaluate(debuggee: target.Target, address: int, expression: str) -> dict[str, Any]:
    """Return the entry of js_python_print. Ctrl-C ends the work, and work that takes longer than a second shows its
    progress."""
    with progress.Progress() as shown:
        return native.json_of(  # type: ignore[no-any-return]
            "js_python_print",
            debuggee.python(),
            debuggee.types,
            address,
            expression.encode("utf-8", "replace"),
            frames.render_options(),
            shown.callback,
            None,
        )


def fill(debuggee: target.Target, entries: list[dict[str, Any]], full: bool = False) -> None:
    """Add to the Python frames among the entries of docs/schema/bt.json their arguments; `full`: and their other
    variables."""
    python = [entry for entry in entries if entry["kind"] == "python"]
    addresses = [entry["address"] for entry in python]
    for entry, found in zip(python, _read(debuggee, addresses, ARGUMENTS, True)):
        entry["arguments"] = found
    for entry, found in zip(python, _read(debuggee, addresses, ALL, False) if full else ()):
        entry["locals"] = found


def _read(debuggee: target.Target, addresses: list[int], which: int, summary: bool) -> list[list[dict[str, Any]]]:
    if not addresses:
        return []
    options = frames.summary_options(debuggee) if summary else frames.render_options()
    given = (ctypes.c_uint64 * len(addresses))(*addresses)
    try:
        count = len(addresses)
        found = native.json_of("js_python_variables", debuggee.python(), debuggee.types, given, count, which, options)
    except native.NativeError as error:
        return [[label(f"its variables cannot be read ({error})")]] * len(addresses)
    return [[label("its variables cannot be read")] if each is None else each for each in found]


def label(reason: str) -> dict[str, Any]:
    """Return the entry that stands for variables that cannot be read."""
    entry: dict[str, Any] = {"name": "...", "type": "", "state": "unknown", "value": None}
    return {**entry, "text": f"<unknown: {reason}>", "assigned_line": None, "argument": False}
