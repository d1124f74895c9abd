"""The values of the recorded sessions are those that the interpreter has at the same lines."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dap import session
from tests.gdb.harness import PROGRAMS
from tests.interpreters import newest_python

FILES = sorted(session.FOLDER.glob("*.jsonl"))
# Functions that Numba compiles even with NUMBA_DISABLE_JIT=1, or that it does not run then: their values by hand.
BY_HAND = {
    "half": {"x": (0.0, 1.0)},
    "callback": {"x": (2.5,)},
    "measure": {"x": (7,)},
    "Counter.add": {"k": (2,)},
    "factorial": {"n": (1,)},
}
Line = session.Line


def stops(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the lines from each stop to the next."""
    found: list[Line] = []
    for line in lines:
        if "any order" in line:
            for group in line["any order"]:
                yield from stops(group)
        elif line.get("event") == "stopped":
            yield found
            found = [line]
        else:
            found.append(line)
    yield found


def shown_at(stop: list[Line]) -> tuple[str, int, dict[str, str]] | None:
    """Return the function and line of the innermost frame, and what was shown there, by name or expression."""
    frame: dict[str, Any] | None = None
    found: dict[str, str] = {}
    asked = ""
    for line in stop:
        if line.get("send") == "evaluate":
            asked = line["arguments"]["expression"].replace("`jit print ", "")
        body = line.get("body") or {}
        if line.get("answer") == "stackTrace" and frame is None and body:
            frame = body["stackFrames"][0]
        elif line.get("answer") == "variables" and body:
            found.update({each["name"]: each["value"] for each in body["variables"]})
        elif line.get("answer") == "evaluate" and body:
            found[asked] = body["result"].splitlines()[-1]  # lldb-dap repeats the command
    return None if frame is None else (frame["name"], frame["line"], found)


def is_label(text: str) -> bool:
    return text.startswith("<") and text.endswith(">")


def agrees(text: str, value: Any) -> bool:
    """True if a text that a debugger shows is this value; value: as traced_values.py has it."""
    shown = json.loads(json.dumps(eval(text, {"__builtins__": {}, "array": list}), default=lambda _: "..."))
    if isinstance(shown, list) and "..." in shown:
        left = shown.index("...")
        right = len(shown) - left - 1
        return bool(shown[:left] == value[:left] and shown[left + 1 :] == value[len(value) - right :])
    return bool(shown == value and isinstance(shown, float) == isinstance(value, float))


def python_values(beginning: session.Beginning, wanted: dict[int, list[str]]) -> list[dict[str, Any]]:
    tracer = pathlib.Path(__file__).with_name("traced_values.py")
    done = subprocess.run(
        [newest_python(), tracer, PROGRAMS / beginning.program, json.dumps(list(wanted.items())), *beginning.arguments],
        env={**session.environment({}), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout, done.stderr
    return list(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_values(path: pathlib.Path) -> None:
    beginning, lines = session.read(path)
    seen = [found for stop in stops(lines) if (found := shown_at(stop))]
    wanted: dict[int, list[str]] = {}
    for _, line, shown in seen:
        wanted.setdefault(line, []).extend(each for each in shown if not each.isidentifier())
    visits = python_values(beginning, wanted)
    assert seen and visits
    for function, line, shown in seen:
        exact = {name: text for name, text in shown.items() if not is_label(text)}
        if function in BY_HAND:
            assert all(eval(exact[name]) in values for name, values in BY_HAND[function].items()), exact
            continue
        if function.endswith(".prange"):
            del exact["total"]  # the worker's own part
        here = [each["values"] for each in visits if each["line"] == line]
        right = [
            each for each in here if all(name in each and agrees(text, each[name]) for name, text in exact.items())
        ]
        assert right, (function, line, exact, here[:3])


@pytest.mark.parametrize("path", sorted(session.FOLDER.glob("D-*.jsonl")), ids=lambda path: path.stem)
def test_parts_of_workers(path: pathlib.Path) -> None:
    """`total` in a worker is the sum over its own iterations."""
    _, lines = session.read(path)
    workers = [stop for stop in stops(lines) if shown_at(stop)]
    assert len(workers) == 2
    for stop in workers:
        found = shown_at(stop)
        assert found is not None
        name = next(each for each in stop if each.get("answer") == "threads")["body"]["threads"][0]["name"]
        index, first = (int(text) for text in re.findall(r"i = (\d+) of (\d+)\.\.", name)[0])
        a = eval(found[2]["a"], {"array": list})
        assert int(found[2]["total"]) == sum(a[i] * 2 for i in range(first, index)) and int(found[2]["i"]) == index
