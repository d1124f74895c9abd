"""Variables of Python's own frames."""

from __future__ import annotations

from typing import Any

from . import console, frames, native, target

ALL, ARGUMENTS = 0, 1  # js_python_variables


def variables(of: target.Target, address: int, which: int = ALL, summary: bool = False) -> list[dict[str, Any]]:
    """Return the entries of docs/schema/locals.json for the frame at this address; what cannot be read is labelled."""
    python = of.python()
    options = frames.summary_options(of) if summary else frames.render_options()
    try:
        found = native.json_of("js_python_variables", python, of.types, address, which, options)
    except native.NativeError as error:
        return [_label(f"its variables cannot be read ({error})")]
    return found  # type: ignore[no-any-return]


def _label(reason: str) -> dict[str, Any]:
    label: dict[str, Any] = {"name": "...", "type": "", "state": "unknown", "value": None}
    return {**label, "text": f"<unknown: {reason}>", "assigned_line": None, "argument": False}


def lines(found: list[dict[str, Any]]) -> list[str]:
    """Return a line for each variable; what a module defines or imports is only counted."""
    shown = [f"{console.plain(entry['name'])} = {entry['text']}" for entry in found if not entry.get("definition")]
    count = len(found) - len(shown)
    if count:
        shown.append(f"({count} function{'s' * (count > 1)}, class{'es' * (count > 1)} or module{'s' * (count > 1)})")
    return shown
