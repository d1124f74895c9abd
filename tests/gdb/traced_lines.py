"""Run a program under the interpreter's tracing, and print as one line of JSON which lines of its functions ran.

Usage: traced_lines.py PROGRAM (its absolute path), with NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

_path = sys.argv[1]
_events: list[dict[str, Any]] = []


def _depth(frame: Any) -> int:
    """Return how many frames of the program there are."""
    count = 0
    while frame is not None:
        count += frame.f_code.co_filename == _path
        frame = frame.f_back
    return count


def _text(value: Any) -> str | None:
    """Return a number or a text as GDB is to show it; None for other values."""
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        value = value.item()
    return repr(value) if type(value) in (int, float, bool, str) else None


def _trace(frame: Any, event: str, _argument: Any) -> Any:
    name = frame.f_code.co_name
    if frame.f_code.co_filename != _path or name.startswith("<"):
        return None
    if event in ("line", "return"):
        values = {each: text for each, value in frame.f_locals.items() if (text := _text(value)) is not None}
        _events.append(
            {
                "function": name,
                "line": frame.f_lineno,
                "depth": _depth(frame),
                "values": values,
                "is_return": event == "return",
            }
        )
    return _trace


_code = compile(pathlib.Path(_path).read_text(), _path, "exec")
sys.settrace(_trace)
try:
    exec(_code, {"__name__": "__main__", "__file__": _path})
finally:
    sys.settrace(None)
print(json.dumps(_events))
