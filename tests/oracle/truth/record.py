"""The truth: it runs a program's cases as Python under sys.settrace and writes every line event with its locals.

Usage: record.py PROGRAM OUT [NAME …], with NUMBA_DISABLE_JIT=1, in the interpreter that has Numba. An event is
{"function", "line", "kind": call|line|return, "activation", "locals": {name: encoded}, "around"}; locals are those
*before* the line runs; names without a value are absent. Numba inlines a closure's code in the function that made it:
`around` has {"activation", "locals"} of each function in which the code is nested and that waits for it."""

from __future__ import annotations

import json
import pathlib
import sys
from types import FrameType
from typing import Any

from debuggee import load
from snapshot import encode

EVENTS = 20000


def main() -> None:
    path, out, *names = sys.argv[1:]
    cases = load(path).CASES
    file = str(pathlib.Path(path))
    events: list[dict[str, Any]] = []
    codes: dict[str, dict[str, Any]] = {}
    activations: dict[int, int] = {}
    alive: list[FrameType] = []  # keeps the frames, so that an id is one activation

    def around(frame: FrameType) -> dict[str, dict[str, Any]]:
        """Return the state of the frames, among the callers, of the functions in which this one is written."""
        result: dict[str, dict[str, Any]] = {}
        outer, inner = frame.f_back, frame.f_code
        while outer is not None:
            if inner in outer.f_code.co_consts and id(outer) in activations:
                known = {name: encode(value) for name, value in outer.f_locals.items()}
                result[outer.f_code.co_name] = {"activation": activations[id(outer)], "locals": known}
                inner = outer.f_code
            outer = outer.f_back
        return result

    def note(frame: FrameType, kind: str, line: int) -> None:
        if len(events) >= EVENTS:
            raise SystemExit("too many events: make the case smaller")
        known = {name: encode(value) for name, value in frame.f_locals.items()}
        events.append(
            {
                "function": frame.f_code.co_name,
                "line": line,
                "kind": kind,
                "activation": activations[id(frame)],
                "locals": known,
                "around": around(frame),
            }
        )

    def trace(frame: FrameType, event: str, _arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename != file or code.co_name.startswith("<"):
            return None
        if event == "call":
            activations[id(frame)] = len(alive)
            alive.append(frame)
            codes[code.co_name] = {
                "first": code.co_firstlineno,
                "names": [*code.co_varnames, *code.co_cellvars, *code.co_freevars],
            }
            note(frame, "call", frame.f_lineno)
        elif event == "line":
            note(frame, "line", frame.f_lineno)
        elif event == "return":
            note(frame, "return", frame.f_lineno)
        return trace

    for name in names or cases:
        sys.settrace(trace)
        try:
            cases[name]()
        finally:
            sys.settrace(None)
    pathlib.Path(out).write_text(json.dumps({"functions": codes, "events": events}))


if __name__ == "__main__":
    main()
