"""`jit gather`: one stop for all workers of a parallel loop; and a program whose debugger is killed there."""

from __future__ import annotations

import json
import pathlib
import subprocess
import time
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT, first_gdb, newest_python

PROGRAM = "gathered.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "gather.json").read_text())
RESULT = "1240.0\n"


def env(layer: str) -> dict[str, str]:
    return {"NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "4", "JITSCOPE_LEVEL": "steps"}


def meeting(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
    jsonschema.validate(found, SCHEMA)
    return found


@pytest.mark.parametrize("layer", ["workqueue", "omp"])
def test_meetings(layer: str) -> None:
    """The first turns of all workers, then the second ones: worker 3 ends its turns without. Twice."""
    commands = ["set breakpoint pending on", "break foo", "run", "delete"]
    commands += [f"jit gather {option}".strip() for option in ("-json", "", "-json 20", "breakpoint", "5")]
    commands += ["jit gather 0", "jit gather sideways", "jit gather"]
    done = harness.run(commands, program=PROGRAM, env=env(layer))
    first, again = meeting(done.of("jit gather -json")), meeting(done.of("jit gather -json 20"))
    for found in (first, again):
        assert (found["reason"], found["expected"], found["arrived"]) == ("all", 4, 4)
        rows = found["workers"]
        assert [row["worker"] for row in rows] == [0, 1, 2, 3]
        assert len({row["thread"] for row in rows}) == 4
        for worker, row in enumerate(rows):
            i = worker * 4
            assert (row["first"], row["last"], row["arrived"]) == (i, i + 3, True)
            assert row["index"]["value"] == i
            assert row["line"] == line_of(PROGRAM, "meeting")
            values = {variable["name"]: variable["text"] for variable in row["variables"]}
            assert values["square"] == str(float(i * i))
            assert values["total"] == "0.0"
    assert again["launch"] > first["launch"]
    text = done.of("jit gather")
    assert text.startswith("3 workers are here:\nworker 0, thread "), text
    assert "i = 9 of 8..11, line" in text and "worker 3" not in text, text
    assert "    total = 16.0" in text, text
    assert done.of("jit gather breakpoint").startswith("3 workers are here:\n")
    assert "The program has ended; no parallel loop's workers have gathered." in done.of("jit gather 5")
    assert done.text.count(RESULT) == 2, done.text
    for wrong in ("jit gather 0", "jit gather sideways"):
        assert done.of(wrong).startswith("Usage: jit gather"), done.of(wrong)
    assert "Traceback" not in done.text


def test_start() -> None:
    """Where each worker begins."""
    commands = ["set breakpoint pending on", "break foo", "run", "delete", "jit gather -json start", "jit threads", "c"]
    done = harness.run(commands, program=PROGRAM, env=env("omp"))
    found = meeting(done.of("jit gather -json start"))
    assert (found["expected"], found["arrived"]) == (4, 4)
    assert [(row["first"], row["last"], row["index"]) for row in found["workers"]] == [
        (first, first + 3, None) for first in (0, 4, 8, 12)
    ]


def test_killed_debugger(tmp_path: pathlib.Path) -> None:
    """GDB dies while all wait: the program goes on, and is right."""
    go = tmp_path / "go"
    command = [newest_python(), str(harness.PROGRAMS / PROGRAM), str(go)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=harness.environment(env("workqueue")))
    assert program.stdout is not None
    try:
        assert program.stdout.readline() == "ready\n"
        script = ["jit gather", "shell kill -9 $PPID"]
        gdb = [first_gdb(), "-nx", "-q", "-batch", "-ex", f"source {harness.JITSCOPE}", "-p", str(program.pid)]
        for line in (f"shell touch {go}", *script):
            gdb += ["-ex", line]
        killed = subprocess.run(gdb, capture_output=True, text=True, timeout=60)
        start = time.monotonic()
        assert "4 workers are here:" in killed.stdout, killed.stdout + killed.stderr
        assert killed.returncode == -9
        rest, _ = program.communicate(timeout=20)
        assert time.monotonic() - start < 12  # 2 are the goal; machines are shared
        assert rest == RESULT * 2
        assert program.returncode == 0
    finally:
        if program.poll() is None:
            program.kill()
            program.wait()
