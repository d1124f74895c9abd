"""Runs a program and prints what its functions do, as JSON: ["call", "line", "exception"
or "return", depth, name, line, the line of its caller],
by sys.settrace. Usage: python python_lines_trace.py PROGRAM"""

from __future__ import annotations

import json
import runpy
import sys
from types import FrameType
from typing import Any

PROGRAM = sys.argv[1]
found: list[tuple[str, int, str, int, int]] = []


def depth_of(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += frame.f_code.co_filename == PROGRAM
        frame = frame.f_back
    return depth


def trace(frame: FrameType, event: str, _argument: Any) -> Any:
    if frame.f_code.co_filename != PROGRAM:
        return None
    if event in ("call", "line", "return", "exception"):
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename != PROGRAM:
            caller = caller.f_back
        line = caller.f_lineno if caller is not None else 0
        found.append((event, depth_of(frame), frame.f_code.co_name, frame.f_lineno, line))
    return trace


sys.settrace(trace)
runpy.run_path(PROGRAM, run_name="__main__")
sys.settrace(None)
print(json.dumps(found))
