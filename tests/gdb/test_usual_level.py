"""`jit level -default`: the level at which functions are compiled from now on."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, lean
from tests.gdb.installed_package import install, results
from tests.interpreters import newest_python

PROGRAM = """
import jitscope
from numba import njit
from installed_kernels import packaged

@njit
def own(n):
    total = 0
    for i in range(n):
        total += packaged(i)
    return total

@njit(fastmath=True)
def fast(x):
    y = x / 3
    return y * 7

@njit(debug=True)
def asked(n):
    more = n + 1
    return more * 3

@njit
@jitscope.exact
def marked(n):
    more = n + 1
    return more * 5

@njit
def last(n):
    return n + 1

print("results", own(7), fast(1.5), asked(3), marked(4), packaged(9), last(3))
"""
SERVICE = """
from numba import njit

def make(k):
    def grown(n):
        more = n + k
        return more * 2
    return njit(grown)

@njit
def tick(n):
    return n + 1

k = tick(0)
print("ready", flush=True)
while True:
    k = tick(k)
    make(k)(k)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("usual-level")
    (path / "program.py").write_text(PROGRAM)
    (path / "service.py").write_text(SERVICE)
    return path


def environment(folder: pathlib.Path, **own: str) -> dict[str, str]:
    return {"PYTHONPATH": f"{install(folder)}:{harness.NO_SCIPY}", "JITSCOPE_LEVEL": "", **own}


def started(folder: pathlib.Path, level: str, **own: str) -> Transcript:
    commands = [f"jit level -default {level}", "break last", "run", "jit functions -json", "continue"]
    return harness.run(commands, program=folder / "program.py", env=environment(folder, **own))


def levels(seen: Transcript) -> dict[str, tuple[str | None, str | None]]:
    return {each["qualname"]: (each["level"], each["chosen_by"]) for each in json.loads(seen.of("jit functions -json"))}


@pytest.fixture(scope="module")
def alone(folder: pathlib.Path) -> str:
    command = [newest_python(), str(folder / "program.py")]
    env = lean(environment(folder))
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, timeout=200, check=True)
    return results(done.stdout)


SAID = {
    "steps": "every function is compiled for stepping, except for those with fastmath flags",
    "exact": "every function is compiled at exact, except for those with fastmath flags",
}


@pytest.mark.parametrize("level", SAID)
def test_every_function(folder: pathlib.Path, alone: str, level: str) -> None:
    seen = started(folder, level, JITSCOPE_DEBUG="lines")
    known = levels(seen)
    assert known["own"] == known["packaged"] == known["asked"] == (level, "debugger"), seen.text
    assert known["fast"] == ("lines", "fastmath") and known["marked"] == ("exact", "decorator"), seen.text
    assert results(seen.text) == alone
    assert f"From now on, {SAID[level]}." in seen.text


def test_lines_only(folder: pathlib.Path, alone: str) -> None:
    seen = started(folder, "lines", JITSCOPE_DEBUG="all")
    known = levels(seen)
    assert known["own"] == known["packaged"] == ("lines", "default"), seen.text
    assert known["asked"] == known["last"] == ("steps", "debugger"), seen.text  # last: a breakpoint waits for it
    assert results(seen.text) == alone
    assert "functions without debug=True have their lines, unless a breakpoint waits for them." in seen.text


@pytest.mark.parametrize("level", ["lines", "exact"])
def test_a_breakpoint_that_waits_asks_for_steps(folder: pathlib.Path, alone: str, level: str) -> None:
    line = 1 + PROGRAM.splitlines().index("        total += packaged(i)")
    commands = [
        f"jit level -default {level}", f"break program.py:{line} if i == 3", "break last", "run", "info locals",
        "continue", "info args", "jit functions -json", "continue",
    ]  # fmt: skip
    seen = harness.run(commands, program=folder / "program.py", env=environment(folder))
    assert "total = 12" in seen.of("info locals") and seen.of("info args") == "n = 3", seen.text
    known = levels(seen)
    assert known["own"] == known["last"] == ("steps", "debugger"), seen.text
    assert known["packaged"] == (level, "default" if level == "lines" else "debugger"), seen.text
    assert results(seen.text) == alone


def test_a_running_process_until_the_debugger_leaves(folder: pathlib.Path) -> None:
    rounds = ["tbreak tick", "continue"] * 3
    with harness.target(folder / "service.py", env=environment(folder), timeout=100) as pid:
        first = harness.run(["jit level -default exact", *rounds, "jit functions -json ^grown$", "detach"], pid=pid)
        second = harness.run(["jit level -default", *rounds, "jit functions -json ^grown$", "detach"], pid=pid)
    chosen = [each["level"] for each in json.loads(first.of("jit functions -json ^grown$"))]
    assert set(chosen) <= {"lines", "steps", "exact"} and chosen.count("exact") >= 2, first.text
    own = "functions of your own files are compiled for stepping, and all others have their lines"
    assert second.of("jit level -default") == f"From now on, {own}.", second.text
    later = [each["level"] for each in json.loads(second.of("jit functions -json ^grown$"))]
    assert later.count("exact") == chosen.count("exact") and later.count("steps") >= 2, second.text
    assert "lines" in later[len(chosen) :], second.text


def test_what_cannot_be_read(folder: pathlib.Path) -> None:
    commands = ["jit level -default quickly", "jit level -default steps exact", "jit level -default -fastmath steps"]
    seen = harness.run([*commands, "jit level -default"])
    for command in commands:
        assert seen.of(command) == "Usage: jit level -default [own|steps|exact|lines]", seen.text
    assert seen.of("jit level -default").startswith("From now on, functions of your own files"), seen.text
