"""Tasks of a program that is stopped anywhere: their frames are those that the program can have."""

from __future__ import annotations

import pathlib
import random
import time
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.minutes import MATRIX
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running

PROGRAM = pathlib.Path(__file__).parent / "moving_tasks.py"
TASKS = 20
ROUNDS = 400 if MATRIX else 60
CHAIN = ["worker", "level0", "level1", "level2", "level3"]


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def lines() -> dict[str, set[int]]:
    """Return the lines that each function can be in, by the marks."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1):
        if "# at: " in line:
            found.setdefault(line.split("# at: ")[1], set()).add(number)
    return found


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_frames_at_any_instant(interpreter: Interpreter) -> None:
    at = lines()
    seen = set()
    with running(interpreter.path, PROGRAM, str(TASKS)) as process, Stacks(process.pid) as stacks:
        for _ in range(ROUNDS):
            time.sleep(random.random() * 0.01)
            taken = stacks.take(shows_all=True, longest=10)
            workers = [task for task in taken["tasks"] if task["name"].startswith("worker")]
            assert taken["task_notes"] == [] and len(workers) == TASKS
            assert sum(task["state"] == "running" for task in taken["tasks"]) <= 1
            for task in workers:
                seen.add(check(task, at))
    assert seen >= {"waiting", "ready"}


def check(task: dict[str, Any], at: dict[str, set[int]]) -> str:
    """Check one task; return its state."""
    frames = [frame for frame in task["frames"] if frame["file"] == str(PROGRAM)][::-1]
    names = [frame["name"] for frame in frames]
    if task["state"] == "running" and task["notes"]:
        return "unknown"
    assert names == CHAIN[: len(names)] and names, task
    for frame in frames:
        assert frame["line"] in at[frame["name"]] or task["state"] != "waiting", (frame, task)
    if task["state"] == "waiting":
        assert names == CHAIN and task["does"] == "waits for sleep()" and task["frames"][0]["name"] == "sleep", task
    return str(task["state"])
