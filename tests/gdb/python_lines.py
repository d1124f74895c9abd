"""The lines that `next` and `step` come to, beside those that the interpreter tells its tracing of the same program."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess

from tests.gdb import harness
from tests.interpreters import newest_python

_TRACER = pathlib.Path(__file__).with_name("traced_lines.py")
_MOST = 200  # steps
Line = tuple[str, int]  # the function, and the line
Values = dict[str, str]  # of names


def in_python(program: str, function: str, command: str) -> tuple[list[Line], list[Values]]:
    """Return the lines from the first of `function`'s first call to its last, and the numbers and texts of each.

    command: `next` has the lines of that call alone, `step` also those of what it calls."""
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
    start = next(n for n, event in enumerate(events) if event["function"] == function)
    depth = events[start]["depth"]
    own = []
    for event in events[start:]:
        if event["is_return"] and event["depth"] == depth:
            break
        if event["is_return"]:
            continue
        if command == "step" or event["depth"] == depth:
            own.append(event)
    return [(event["function"], event["line"]) for event in own], [event["values"] for event in own]


def in_gdb(program: str, function: str, command: str, count: int) -> tuple[list[Line], list[Values], str]:
    """Return as in_python(), and the whole session, for `count` stops from a breakpoint at `function`."""
    assert count <= _MOST
    commands = [
        f"tbreak {function}",
        "run",
        "jit bt 1",
        "jit locals",
        *[command, "jit bt 1", "jit locals"] * (count - 1),
    ]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""}, timeout=150)
    assert not done.timed_out, done.text
    place = re.compile(rf"#0  (?:\w+\.)*(\w+) \(.*/{re.escape(pathlib.Path(program).name)}:(\d+)$", re.M)
    lines = [place.search(done.of("jit bt 1", n)) for n in range(count)]
    values = [dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals", n), re.M)) for n in range(count)]
    return [(at[1], int(at[2])) for at in lines if at], values, done.text


def false_values(expected: list[Values], shown: list[Values]) -> list[str]:
    """Return what is shown of variables at these stops that Python does not have so. A label is not false, except that
    a variable with a value is not unassigned."""
    found = []
    for number, (right, seen) in enumerate(zip(expected, shown)):
        for name, value in right.items():
            text = seen.get(name, "nothing")
            if text != value and (text == "<unassigned>" or not text.startswith("<")):
                found.append(f"stop {number}: {name} = {text}, which is {value}")
    return found
