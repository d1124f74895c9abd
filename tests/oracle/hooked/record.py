"""The truth: runs programs as Python under sys.settrace and writes every line event with its locals.

Usage: record.py FOLDER PROGRAM…, with NUMBA_DISABLE_JIT=1, in the interpreter that has Numba; writes
FOLDER/truth.json: of each program its functions, and of each call its result and events [function, line, activation,
locals].  Locals are those before the line runs; names without a value are absent.
"""

from __future__ import annotations

import ast
import json
import pathlib
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tests.oracle.hooked.debuggee import load, outcome
from tests.oracle.truth.snapshot import encode

EVENTS = 500  # of a program
LARGEST = 1 << 62


class Unfit(BaseException):
    """A program that is not for this test, and why."""


def checked(value: Any) -> dict[str, Any]:
    found = encode(value)
    if found["t"] == "int" and abs(found["v"]) >= LARGEST:
        raise Unfit("an integer beyond 64 bits")
    return found


def parallel(function: ast.FunctionDef) -> dict[str, Any] | None:
    """The prange of a function: its lines, and the names that its body assigns, reduces and uses."""
    for node in ast.walk(function):
        if not (isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)):
            continue
        if not (isinstance(node.iter.func, ast.Name) and node.iter.func.id == "prange"):
            continue
        assigned: dict[str, int] = {}
        inside = [child for statement in node.body for child in ast.walk(statement)]
        names = [child for child in inside if isinstance(child, ast.Name)]
        for child in names:
            if isinstance(child.ctx, ast.Store):
                assigned[child.id] = min(assigned.get(child.id, child.lineno), child.lineno)
        before = {
            child.id
            for child in ast.walk(function)
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store) and child.lineno < node.lineno
        }
        return {
            "header": node.lineno,
            "first": node.body[0].lineno,
            "last": node.end_lineno,
            "index": node.target.id,
            "reduced": sorted(set(assigned) & before),
            "private": {name: line for name, line in assigned.items() if name not in before},
            "used": sorted({child.id for child in names} | {node.target.id}),
        }
    return None


def functions(file: pathlib.Path) -> dict[str, dict[str, Any]]:
    """The program's functions by name: lines, arguments, local names, prange."""
    found = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            arguments = [argument.arg for argument in node.args.args]
            stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            found[node.name] = {
                "first": node.lineno,
                "body": node.body[0].lineno,
                "last": node.end_lineno,
                "arguments": arguments,
                "names": sorted({*arguments, *stored}),
                "parallel": parallel(node),
            }
    return found


def run(file: pathlib.Path) -> dict[str, Any]:
    activations: dict[FrameType, int] = {}
    events: list[list[Any]] = []
    total = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal total
        code = frame.f_code
        if code.co_filename != str(file) or code.co_name.startswith("<"):
            return None
        if event == "call":
            activations[frame] = len(activations)
        elif event == "line":
            total += 1
            if total > EVENTS:
                raise Unfit("too many events")
            known = {name: checked(value) for name, value in frame.f_locals.items()}
            events.append([code.co_name, frame.f_lineno, activations[frame], known])
        return trace

    calls = []
    for call in load(file):
        events = []
        sys.settrace(trace)
        try:
            result = outcome(call)
        finally:
            sys.settrace(None)
        calls.append({"result": result, "events": events})
    return {"functions": functions(file), "calls": calls}


def attempt(run: Callable[[pathlib.Path], dict[str, Any]], file: pathlib.Path) -> dict[str, Any]:
    try:
        return run(file)
    except Unfit as error:
        return {"unfit": str(error)}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    found = {name: attempt(run, folder / f"{name}.py") for name in sys.argv[2:]}
    (folder / "truth.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
