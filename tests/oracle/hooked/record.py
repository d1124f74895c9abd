"""The truth: it runs programs as Python under sys.settrace and writes every line event with its locals.

Usage: record.py FOLDER PROGRAM…, with NUMBA_DISABLE_JIT=1, in the interpreter that has Numba; writes FOLDER/truth.json:
for each program its functions, and for each of its calls and for its FAULT the result, the events [function, line,
activation, locals] and, under "callers", for all activations except the outermost [activation, its caller, and the line
and the offset in the code of its call]. Locals are those before the line runs; names without a value are absent."""

from __future__ import annotations

import ast
import itertools
import json
import pathlib
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from tests.oracle.hooked.debuggee import module_at
from tests.oracle.hooked.returned import outcome
from tests.oracle.truth.snapshot import PROGRAMS, encode

EVENTS = 500  # events of a program, at most
LARGEST = 1 << 62
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
LEFT_OUT = ("CALLS", "FAULT")


# What arrays of np.empty have in the interpreted functions of a package, by the kind of dtype: such an element's value
# is not known.
UNWRITTEN = {"f": -1.2345678901234567e-301, "i": -7_654_321}


class Emptied:
    """NumPy, as an interpreted module of a package has it: its empty arrays have the elements of UNWRITTEN."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, *arguments: Any, **named: Any) -> np.ndarray:
        return self._unwritten(np.empty(*arguments, **named))

    def empty_like(self, *arguments: Any, **named: Any) -> np.ndarray:
        return self._unwritten(np.empty_like(*arguments, **named))

    def _unwritten(self, made: np.ndarray) -> np.ndarray:
        if made.dtype.kind in "fi" and made.dtype.itemsize == 8:
            made[...] = UNWRITTEN[made.dtype.kind]
        return made


def is_unwritten(item: dict[str, Any]) -> bool:
    return item in ({"t": "float", "v": repr(UNWRITTEN["f"])}, {"t": "int", "v": UNWRITTEN["i"]})


class Unfit(BaseException):
    """A program that is not for this test, and why."""


def checked(value: Any) -> dict[str, Any]:
    found = encode(value)
    if found["t"] == "int" and abs(found["v"]) >= LARGEST:
        raise Unfit("an integer beyond 64 bits")
    if found["t"] == "array":
        found["data"] = [{"t": "any"} if is_unwritten(item) else item for item in found["data"]]
    return found


def spans(block: list[ast.stmt]) -> dict[str, tuple[int, int]]:
    """Return for each name that the block assigns the lines where each iteration has assigned it: after the first one,
    up to the last one."""
    found: dict[str, tuple[int, int]] = {}

    def add(name: str, first: int, last: int | None) -> None:
        span = first, last or first
        found[name] = max(found.get(name, (0, 0)), span, key=lambda one: one[1] - one[0])

    for statement in block:
        inner = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
        inner += [handler.body for handler in getattr(statement, "handlers", [])]
        nested = {id(child) for one in inner for each in one for child in ast.walk(each)}
        for one in filter(None, inner):
            for name, span in spans(one).items():
                add(name, *span)
        last = inner[0][-1] if inner[0] else block[-1]  # for a loop's index: in the loop's body
        line = statement.lineno if inner[0] else statement.end_lineno or 0
        for child in ast.walk(statement):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store) and id(child) not in nested:
                add(child.id, line, last.end_lineno)
    return found


def is_parallel(node: ast.AST) -> bool:
    is_loop = isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
    return is_loop and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "prange"  # type: ignore[attr-defined]


def outermost(node: ast.AST) -> Iterator[ast.For]:
    """Yield the prange loops that are in no other: Numba runs these in parallel."""
    for child in ast.iter_child_nodes(node):
        if is_parallel(child):
            assert isinstance(child, ast.For)
            yield child
        elif not isinstance(child, FUNCTIONS):
            yield from outermost(child)


def named(nodes: Iterable[ast.AST], kind: type = ast.expr_context) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, kind)}


def parallel(function: ast.FunctionDef) -> list[dict[str, Any]]:
    """Return each parallel prange of a function: its lines, and the names that its body assigns, reduces and uses."""
    loops = list(outermost(function))
    within = {id(child) for loop in loops for child in ast.walk(loop)}
    outside = [child for child in ast.walk(function) if id(child) not in within]
    before = named(outside, ast.Store)
    found = []
    for loop in loops:
        inside = [child for statement in loop.body for child in ast.walk(statement)]
        assigned = spans(loop.body)
        assert isinstance(loop.target, ast.Name)
        found.append(
            {
                "header": loop.lineno,
                "first": loop.body[0].lineno,
                "last": loop.end_lineno,
                "index": loop.target.id,
                "reduced": sorted(set(assigned) & before),
                "private": {name: span for name, span in assigned.items() if name not in before},
                "used": sorted({*named(inside), loop.target.id}),
            }
        )
    return found


def inside(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of the function itself, without those of functions in it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, FUNCTIONS):
            yield from inside(child)


def several(function: ast.AST) -> list[tuple[int, int]]:
    """Return the first and the last line of each of its statements, and headers, that have several lines."""
    found = []
    for node in inside(function):
        if isinstance(node, ast.stmt) and not isinstance(node, FUNCTIONS):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or 0
            if last > node.lineno:
                found.append((node.lineno, last))
    return found


def functions(file: pathlib.Path) -> dict[str, dict[str, Any]]:
    """Return the program's functions by name, each once: lines, arguments, local names, prange loops. Functions that
    only the interpreter runs are left out: those of CALLS and FAULT, and python_…"""
    found = {}
    module = ast.parse(file.read_text("utf-8"))
    calls = [node for node in module.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in LEFT_OUT]
    left_out = {id(node) for call in calls for node in ast.walk(call)}
    for node in ast.walk(module):
        if isinstance(node, FUNCTIONS) and id(node) not in left_out:
            name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
            if name.startswith(("python_", "__")):  # methods have no debug information
                continue
            body = node.body if isinstance(node, ast.Lambda) else node.body[0]
            arguments = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
            stored = {n.id for n in inside(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            found[name] = {
                "begins": min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]),
                "first": node.lineno,
                "body": body.lineno,
                "last": node.end_lineno,
                "inlined": any("inline" in ast.unparse(each) for each in getattr(node, "decorator_list", ())),
                "statements": several(node),
                "arguments": arguments,
                "names": sorted({*arguments, *stored}),
                "parallel": [] if isinstance(node, ast.Lambda) else parallel(node),
            }
    return found


def run(file: pathlib.Path) -> dict[str, Any]:
    """Return the truth about a program. Its SOURCE, if it has one, is the file of a package that is observed in place
    of the program's own; the compiled functions of the modules INTERPRETED are replaced by their Python functions."""
    module, is_fault = module_at(file), False
    for interpreted in getattr(module, "INTERPRETED", ()):
        for name, value in list(vars(interpreted).items()):
            setattr(interpreted, name, Emptied() if value is np else getattr(value, "py_func", value))
    source = pathlib.Path(getattr(module, "SOURCE", file))
    activations: dict[FrameType, int] = {}
    numbers = itertools.count()
    callers: list[tuple[int, int, int, int]] = []
    events: list[list[Any]] = []
    known = functions(source)
    if getattr(module, "INLINED", False):  # Numba inlines all functions of the file, without a word in its decorators
        for function in known.values():
            function["inlined"] = True
    begun: set[FrameType] = set()
    faulted: list[int] = []  # lines
    total = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename == str(source) and code.co_name in COMPREHENSIONS:
            return comprehension if in_function(frame) else None
        if code.co_filename != str(source) or known.get(code.co_name, {}).get("begins") != code.co_firstlineno:
            return None
        if event == "exception" and "out of bounds" in str(_argument[1]):
            faulted.append(frame.f_lineno)
        if event == "call":
            begin(frame)
        elif event == "line":
            note(frame, frame.f_lineno)
        return trace

    def begin(frame: FrameType) -> None:
        """Begin an activation; a generator begins one each time that it goes on."""
        activations[frame] = next(numbers)
        outer = frame.f_back
        while outer is not None and outer not in activations:
            outer = outer.f_back
        if outer is not None:
            callers.append((activations[frame], activations[outer], outer.f_lineno, outer.f_lasti))

    def in_function(frame: FrameType) -> FrameType | None:
        """Return the frame of the function around a comprehension."""
        outer: FrameType | None = frame
        while outer is not None and outer not in activations:
            outer = outer.f_back if outer.f_code.co_name in COMPREHENSIONS else None
        return outer

    def comprehension(frame: FrameType, event: str, _argument: Any) -> Any:
        """Record a comprehension's iterations as later Pythons do: up to Python 3.11 it is a function of its own."""
        function = in_function(frame)
        if event == "line" and function is not None:
            if frame in begun:
                note(function, frame.f_lineno)
            begun.add(frame)
        return comprehension

    def note(frame: FrameType, line: int) -> None:
        nonlocal total
        if is_fault and faulted:  # compiled code has ended
            return
        total += 1
        if total > EVENTS:
            raise Unfit("too many events")
        values = {name: checked(value) for name, value in frame.f_locals.items()}
        events.append([frame.f_code.co_name, line, activations[frame], values])

    def traced(call: Callable[[], Any]) -> dict[str, Any]:
        nonlocal events, callers
        events, callers = [], []
        sys.settrace(trace)
        try:
            result = outcome(call)
        finally:
            sys.settrace(None)
        return {"result": result, "events": events, "callers": callers}

    calls = [traced(call) for call in module.CALLS]
    result = {"functions": known, "calls": calls, "source": source.name}
    if hasattr(module, "FAULT"):
        is_fault = True
        faulted.clear()
        result["fault"] = {**traced(module.FAULT), "faults": bool(faulted)}
    return result


def attempt(run: Callable[[pathlib.Path], dict[str, Any]], file: pathlib.Path) -> dict[str, Any]:
    try:
        return run(file)
    except Unfit as error:
        return {"unfit": str(error)}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    PROGRAMS.update(sys.argv[2:])
    found = {name: attempt(run, folder / f"{name}.py") for name in sys.argv[2:]}
    (folder / "truth.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
