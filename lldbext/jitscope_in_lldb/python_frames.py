"""The Python frames of a thread, and their variables."""

from __future__ import annotations

from typing import Any

from jitscope_shared import python_frames
from jitscope_shared.base import native
from jitscope_shared.variable_choice import ALL

from . import debuggee as debuggees
from . import native_frames, variables


def of_thread(debuggee: debuggees.Debuggee, thread: Any, notes: list[str]) -> list[dict[str, Any]]:
    """Return the thread's Python frames, innermost first; [] if it has none. `notes` receives why some are missing."""
    python = debuggee.python()
    if python is None:
        notes += [f"no Python frames: {debuggee.python_problem}"] if debuggee.python_problem else []
        return []
    given = thread.GetThreadID(), native_frames.pthread_of(thread), native.PollFn(_poll)
    return python_frames.of_thread(python, *given, notes.append)


def _poll(_context: Any) -> int:
    return int(native.is_interrupted())


def read(
    debuggee: debuggees.Debuggee, addresses: list[int], which: int = ALL, summary: bool = False
) -> list[list[dict[str, Any]]]:
    """Return, for each of the Python frames at these addresses, the entries of docs/schema/locals.json."""
    options = variables.render_options(summary)
    return python_frames.read(debuggee.python(), debuggee.types, addresses, which, options)


def fill(debuggee: debuggees.Debuggee, entries: list[dict[str, Any]], full: bool) -> None:
    """Add to the Python frames among the entries of docs/schema/bt.json their arguments; `full`: and their other
    variables."""
    python_frames.fill(entries, full, lambda *given: read(debuggee, *given))


def evaluate(debuggee: debuggees.Debuggee, address: int, expression: str) -> dict[str, Any]:
    """Return the entry of js_python_print."""
    given = address, expression, variables.render_options(), native.ProgressFn(variables.advance)
    return python_frames.evaluate(debuggee.python(), debuggee.types, *given)
