"""At `steps` innermost loops are written twice: the copy that runs depends on whether a debugger is there."""

from __future__ import annotations

import json
import pathlib
import re
import runpy
import subprocess
import time

import pytest

from tests.gdb import harness
from tests.interpreters import newest_python

PROGRAM = "plain_loops.py"
STEPS = {"JITSCOPE_LEVEL": "steps"}
IN_LOOP = harness.line_of(PROGRAM, "in the loop")


def numbers(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"^(\w+) = (-?\d+)$", text, re.M)}


def test_a_loop_steps_once_a_debugger_is_there() -> None:
    """GDB attaches in the middle of an endless loop: from its next iteration on each line is a stop."""
    walked = runpy.run_path(str(harness.PROGRAMS / PROGRAM))["walked"]
    with harness.target(PROGRAM, env={**STEPS, "PLAIN_LOOPS": "walk"}) as pid:
        time.sleep(0.5)
        commands = [f"break {PROGRAM}:{IN_LOOP}", "continue", "info locals", "continue", "print k", "next", "next"]
        done = harness.run([*commands, "info locals", "delete", "detach"], pid=pid, jitscope=False)
    first, second = (numbers(text) for name, text in done.sections if name == "info locals")
    assert first["k"] > 10
    assert first["x"] == walked(first["k"] + 1)
    assert numbers(done.of("print k").replace("$1", "k")) == {"k": first["k"] + 1}
    assert second["k"] == first["k"] + 2
    assert second["x"] == walked(second["k"])


def crashed(folder: pathlib.Path, **env: str) -> dict[str, object]:
    """Return the variables in a core of a program that ran without a debugger."""
    core = harness.kernel_core(PROGRAM, folder, {**STEPS, "PLAIN_LOOPS": "fault", **env}, None)
    if core is None:
        pytest.skip("the kernel pipes cores elsewhere")
    done = harness.run(["bt 1", "jit locals -json"], core=core)
    assert f"{PROGRAM}:{harness.line_of(PROGRAM, 'faults')}" in done.of("bt 1")
    return {each["name"]: each["value"] for each in json.loads(done.of("jit locals -json"))}


def test_a_core_says_what_is_not_known(tmp_path: pathlib.Path) -> None:
    found = crashed(tmp_path)
    assert found["far"] == (1 << 30) * 1000
    assert [found[name] for name in ("i", "place", "total")] == [None] * 3


def test_loops_always_step_where_that_is_asked_for(tmp_path: pathlib.Path) -> None:
    found = crashed(tmp_path, JITSCOPE_LOOPS="stepped")
    assert [found[name] for name in ("i", "place", "total")] == [1, (1 << 30) * 1000, 0.0]


def test_callees_without_stops_are_no_places_to_stop_at() -> None:
    line = harness.line_of(PROGRAM, "behind the loop")
    inner = harness.line_of(PROGRAM, "in a callee")
    commands = [f"tbreak {PROGRAM}:{line}", "break clip", "run", "info breakpoints", "continue"]
    done = harness.run(
        [*commands, "jit args", f"break {PROGRAM}:{inner}", f"jit why {inner}"],
        program=PROGRAM,
        arguments=["call"],
        env=STEPS,
        jitscope=True,
    )
    assert ".plain" not in done.text
    assert "high = 0.75" in done.of("jit args")
    assert done.of(f"jit why {inner}") == f"line {inner} stops each time it runs in clip"


def results(**env: str) -> str:
    command = [newest_python(), str(harness.PROGRAMS / PROGRAM), "call"]
    return subprocess.run(command, env=harness.lean(env), capture_output=True, text=True, timeout=60, check=True).stdout


def test_results_are_the_same() -> None:
    assert results(JITSCOPE_LEVEL="steps") == results(JITSCOPE="0")
