"""LLDB on code that was compiled with the hook: types, assigned variables at each stop as the interpreter has them, and
conditions."""

from __future__ import annotations

import functools
import re
import runpy
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.dap import Client
from tests.gdb.harness import line_of
from tests.gdb.looks import LOOKS
from tests.gdb.looks import PROGRAM as TYPES
from tests.interpreters import lldb_adapter, lldbs, newest_python

PROGRAM = "stepped_by_lldb.py"
LLDBS = pytest.mark.parametrize("lldb", lldbs().values(), ids=[f"lldb-{name}" for name in lldbs()])
ALONE = pytest.mark.xdist_group("lldb")  # one session for them
FUNCTIONS = ("count", "nested")
CONDITION = "i == 17"
Stop = tuple[int, dict[str, Any]]


@functools.cache
def run(lldb: str, program: str, level: str, commands: Sequence[str]) -> str:
    command = [lldb, "--no-lldbinit", "-b", "-o", "settings set plugin.jit-loader.gdb.enable on"]
    for text in commands:
        command += ["-o", text]
    command += ["--", newest_python(), str(harness.PROGRAMS / program)]
    done = subprocess.run(
        command,
        env=harness.lean({"JITSCOPE_LEVEL": level}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout + done.stderr


@functools.cache
def interpreted() -> list[Stop]:
    """Return the lines of the program's functions in the order in which the interpreter runs them, with their
    variables."""
    found: list[Stop] = []

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_name not in FUNCTIONS:
            return None
        if event == "line":
            found.append((frame.f_lineno, dict(frame.f_locals)))
        return trace

    functions = runpy.run_path(str(harness.PROGRAMS / PROGRAM))
    calls = [(functions["count"].py_func, 20), (functions["nested"].py_func, 5)]
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for function, argument in calls:
            function(argument)
    finally:
        sys.settrace(before)
    return found


def lines(level: str) -> list[int]:
    """Return the lines that stop, each time that they run: at `exact` without those of innermost loops."""
    found = {line for line, _ in interpreted()}
    if level == "exact":
        found -= {line_of(PROGRAM, "sum") + by for by in (-2, -1, 0, 1)}
        found -= {line_of(PROGRAM, "half") - by for by in (1, 2, 3)}
    return sorted(found)


def session(lldb: str, level: str) -> str:
    """Run a session in which all lines print their variables, and a condition prints one."""
    show = "-G true -C 'frame info' -C 'frame variable'"
    commands = [f"breakpoint set -f {PROGRAM} -l {line} {show}" for line in lines(level)]
    at_sum = f"breakpoint set -f {PROGRAM} -l {line_of(PROGRAM, 'sum')} -c '{CONDITION}'"
    commands += [f"{at_sum} -G true -C 'frame variable i k'", "run"]
    return run(lldb, PROGRAM, level, tuple(commands))


def stops(text: str) -> list[tuple[int, dict[str, str]]]:
    found = []
    for part in re.split(r"^\(lldb\)  frame info$", text, flags=re.M)[1:]:
        at = re.search(rf" at {PROGRAM}:(\d+)", part)
        assert at is not None, part
        found.append((int(at[1]), dict(re.findall(r"^\(.*?\) (\w*) = (.*)$", part, re.M))))
    return found


def wrong(shown: dict[str, str], true: dict[str, Any], is_whole: bool) -> dict[str, tuple[str, Any]]:
    """Return the names whose value is not the interpreter's. `is_whole`: a value that the interpreter has must be
    shown."""
    return {
        name: (text, true.get(name))
        for name, text in shown.items()
        if (text.startswith("<") and is_whole and name in true)
        or (not text.startswith("<") and (name not in true or float(text) != true[name]))
    }


@ALONE
@LLDBS
def test_each_line_stops_as_the_interpreter_runs_them(lldb: str) -> None:
    seen = stops(session(lldb, "steps"))
    assert [line for line, _ in seen] == [line for line, _ in interpreted()]
    for (line, shown), (_, true) in zip(seen, interpreted()):
        assert set(shown) >= set(true), (line, shown)
        assert not wrong(shown, true, is_whole=True), line


@ALONE
@LLDBS
def test_lines_outside_of_innermost_loops_at_exact(lldb: str) -> None:
    seen = stops(session(lldb, "exact"))
    expected = [stop for stop in interpreted() if stop[0] in lines("exact")]
    assert [line for line, _ in seen] == [line for line, _ in expected]
    for (line, shown), (_, true) in zip(seen, expected):
        assert not wrong(shown, true, is_whole=False), line
    (_, shown) = next(stop for stop in seen if stop[0] == line_of(PROGRAM, "count-end"))
    assert (shown["s"], float(shown["last"])) == ("57", 28.5)


@ALONE
@LLDBS
def test_condition(lldb: str) -> None:
    found = session(lldb, "steps").split("(lldb)  frame variable i k\n")[1:]
    assert [part.splitlines()[:2] for part in found] == [["(long) i = 17", "(long) k = 3"]]


@LLDBS
def test_debug_adapter(lldb: str) -> None:
    """The requests are those of VS Code's LLDB DAP extension: a condition on a line that is not compiled yet,
    variables, hover, steps."""
    env = harness.lean({"JITSCOPE_LEVEL": "steps"})
    with Client([lldb_adapter(lldb)], env) as client:
        client.request("initialize", {"adapterID": "lldb"})
        arguments = {
            "program": newest_python(),
            "args": [str(harness.PROGRAMS / PROGRAM)],
            "initCommands": ["settings set plugin.jit-loader.gdb.enable on"],
            "env": [f"{name}={value}" for name, value in env.items()],
        }
        launched = client.send("launch", arguments)
        client.event("initialized")
        client.set_breakpoint(PROGRAM, line_of(PROGRAM, "sum"), CONDITION)
        client.request("configurationDone")
        client.response(launched)
        frame = client.stop()
        assert frame is not None and (frame["name"].split("(")[0], frame["line"]) == ("count", line_of(PROGRAM, "sum"))
        scopes = client.request("scopes", {"frameId": frame["id"]})["scopes"]
        local = next(scope["variablesReference"] for scope in scopes if scope["name"] == "Locals")
        rows = client.request("variables", {"variablesReference": local})["variables"]
        shown = {row["name"].split()[0]: row["value"] for row in rows}
        assert shown == {"n": "20", "s": "45", "last": "22.5", "i": "17", "k": "3"}
        assert client.evaluate("k + i", frame) == "20"
        for mark in ("last", "loop", "item", "sum"):
            frame = client.go_on("next")
            assert frame is not None and frame["line"] == line_of(PROGRAM, mark)


@LLDBS
def test_types(lldb: str) -> None:
    looks = ["frame variable v", "continue"] * len(LOOKS)
    stop = f"breakpoint set -f {TYPES} -l {line_of(TYPES, 'look')}"
    seen = run(lldb, TYPES, "steps", (stop, "run", *looks, "kill"))
    for text in (
        "(bool) v = true",
        "(unsigned long) v = 9223372036854775809",
        "(complex128) v = (real = 1.5, imag = -2)",
        "(IntEnum<int64>(Color)) v = Color.GREEN",
        "(UniTuple(int64 x 3)) v = ([0] = 1, [1] = 2, [2] = 3)",
        "(Point(float64 x 2)) v = (x = 1.5, y = 2.5)",
        "(slice<a:b:c>) v = (start = 1, stop = 5, step = 2)",
        "(none) v = None",
    ):
        assert text in seen, f"{text}\n{seen[-6000:]}"
    assert re.search(r"\(array\(int16, 2d, A\)\) v = \{\s+meminfo = 0x", seen), seen[-6000:]
