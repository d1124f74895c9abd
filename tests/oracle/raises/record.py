"""The run of a generated program in the interpreter: where each exception is raised, before it goes through any caller.

python record.py PROGRAM    a JSON list of [type, arguments' text, function, line]"""

from __future__ import annotations

import json
import os
import runpy
import sys
from types import FrameType
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"


def record(path: str) -> list[list[Any]]:
    found: list[list[Any]] = []
    last: list[Any] = [None]  # kept, so that no other object gets its place in memory

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != path:
            return None
        if event == "exception":
            kind, error, _ = argument
            if error is None or isinstance(error, type) or not isinstance(error, BaseException):
                error = kind(argument[1])
            if error is not last[0] and kind is not StopIteration and frame.f_code.co_name != "run":
                last[0] = error
                text = ", ".join(map(repr, error.args))
                found.append([kind.__name__, text, frame.f_code.co_name, frame.f_lineno])
        return trace

    sys.settrace(trace)
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        sys.settrace(None)
    return found


if __name__ == "__main__":
    output, sys.stdout = sys.stdout, sys.stderr
    json.dump(record(sys.argv[1]), output)
