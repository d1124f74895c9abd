"""The lines at which `next` and `step` stop, and the interpreter's trace of the same program."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from collections.abc import Mapping, Sequence

from tests.gdb import harness
from tests.interpreters import newest_python

_TRACER = pathlib.Path(__file__).with_name("traced_lines.py")
_MOST = 200  # steps at most
Line = tuple[str, int]  # the function, and the line
Values = dict[str, str]  # by the names of variables


def in_python(program: str, functions: Sequence[str], command: str) -> dict[str, tuple[list[Line], list[Values]]]:
    """Return for each function the lines of a call, from its first line to its last, and the numbers and texts there.

    `functions`: in the order of their calls, each after the end of the call before. `command`: `next` has the lines of
    the call alone, `step` also those of its callees."""
    done = subprocess.run(
        [newest_python(), str(_TRACER), str(harness.PROGRAMS / program)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "JITSCOPE": "0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    events = json.loads(done.stdout.splitlines()[-1])
    found, at = {}, 0
    for function in functions:
        at = next(n for n in range(at, len(events)) if events[n]["function"] == function)
        depth, own = events[at]["depth"], []
        while not (events[at]["is_return"] and events[at]["depth"] == depth):
            if not events[at]["is_return"] and (command == "step" or events[at]["depth"] == depth):
                own.append(events[at])
            at += 1
        found[function] = [(event["function"], event["line"]) for event in own], [event["values"] for event in own]
    return found


def in_gdb(
    program: str, counts: Mapping[str, int], command: str
) -> tuple[dict[str, tuple[list[Line], list[Values]]], str]:
    """Return the same as in_python(), and the whole session, for this number of stops from a breakpoint at each
    function."""
    commands = []
    for number, (function, count) in enumerate(counts.items()):
        assert count <= _MOST
        commands += [f"tbreak {function}", "continue" if number else "run", "jit bt 1", "jit locals"]
        commands += [command, "jit bt 1", "jit locals"] * (count - 1)
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""}, timeout=300)
    assert not done.timed_out, done.text
    place = re.compile(rf"#0  (?:\w+\.)*(\w+) \(.*/{re.escape(pathlib.Path(program).name)}:(\d+)$", re.M)
    found, first = {}, 0
    for function, count in counts.items():
        stops = range(first, first + count)
        lines = [place.search(done.of("jit bt 1", n)) for n in stops]
        values = [dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals", n), re.M)) for n in stops]
        found[function] = [(at[1], int(at[2])) for at in lines if at], values
        first += count
    return found, done.text


def false_values(expected: list[Values], shown: list[Values]) -> list[str]:
    """Return the shown values of variables at these stops that differ from Python's. A label is not false, except that
    a variable with a value is not unassigned."""
    found = []
    for number, (right, seen) in enumerate(zip(expected, shown)):
        for name, value in right.items():
            text = seen.get(name, "nothing")
            if text != value and (text == "<unassigned>" or not text.startswith("<")):
                found.append(f"stop {number}: {name} = {text}, which is {value}")
    return found
