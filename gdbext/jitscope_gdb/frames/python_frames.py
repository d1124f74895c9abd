"""Variables of Python's own frames."""

from __future__ import annotations

import ctypes
from typing import Any

from jitscope_shared import python_frames
from jitscope_shared.base import native
from jitscope_shared.python_frames import label  # noqa: F401  (for those that use this module)
from jitscope_shared.variable_choice import ALL, ARGUMENTS  # noqa: F401  (for those that use this module)

from ..base import progress
from ..target import target
from . import frames


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
        given = address, expression, frames.render_options(), shown.callback
        return python_frames.evaluate(debuggee.python(), debuggee.types, *given)


def fill(debuggee: target.Target, entries: list[dict[str, Any]], full: bool = False) -> None:
    """Add to the Python frames among the entries of docs/schema/bt.json their arguments; `full`: and their other
    variables."""
    python_frames.fill(entries, full, lambda *given: _read(debuggee, *given))


def _read(debuggee: target.Target, addresses: list[int], which: int, summary: bool) -> list[list[dict[str, Any]]]:
    options = frames.summary_options(debuggee) if summary else frames.render_options()
    return python_frames.read(debuggee.python(), debuggee.types, addresses, which, options)
