"""Run a program under the interpreter's tracing, and print as one line of JSON what its variables and some expressions
are whenever execution is at one of some lines.

Usage: traced_values.py PROGRAM '[[line, [expression…]]…]' ARGUMENT…, with NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import json
import pathlib
import sys
import time
from typing import Any

import numba
import numpy as np

import jitscope

_SECONDS = 10  # for a program that does not end
_path = sys.argv[1]
_wanted: dict[int, list[str]] = {line: expressions for line, expressions in json.loads(sys.argv[2])}
_visits: list[dict[str, Any]] = []
_end = time.monotonic() + _SECONDS


def _plain(value: Any) -> Any:
    """Return a number, a text, or a list of such, of a value; None for other values."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return value if isinstance(value, (int, float, str)) else None


def _evaluated(frame: Any, expression: str) -> Any:
    try:
        return _plain(eval(expression, frame.f_globals, frame.f_locals))
    except Exception:
        return None


def _trace(frame: Any, event: str, _argument: Any) -> Any:
    if time.monotonic() > _end:
        raise SystemExit
    if frame.f_code.co_filename != _path:
        return None
    if event == "line" and frame.f_lineno in _wanted:
        names = {name: _plain(value) for name, value in frame.f_locals.items()}
        found = {each: _evaluated(frame, each) for each in _wanted[frame.f_lineno]}
        _visits.append({"line": frame.f_lineno, "values": {**names, **found}})
    return _trace


# They stop in a debugger, and change nothing.
for _module in (numba, jitscope):
    for _name in ("gdb", "gdb_breakpoint", "attach", "breakpoint", "breakpoint_if"):
        setattr(_module, _name, lambda *_, **__: None)


def _njit(*functions: Any, **_options: Any) -> Any:
    """Return the function, with the one method of a dispatcher that the programs use."""
    if not functions:
        return _njit
    functions[0].compile = lambda *_: None
    return functions[0]


numba.njit = _njit
sys.argv = [_path, *sys.argv[3:]]
_code = compile(pathlib.Path(_path).read_text(), _path, "exec")
sys.settrace(_trace)
try:
    exec(_code, {"__name__": "__main__", "__file__": _path})
except BaseException as _error:  # the crash of scenario C is an IndexError here
    print(repr(_error), file=sys.stderr)
finally:
    sys.settrace(None)
print(json.dumps(_visits))
