"""A process that runs on while its copy is read: the frames of each stack are those of one instant, although the code
objects of the last one are freed, and others have taken their memory; and what is found late is found."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.minutes import MATRIX
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import PROGRAMS, needs_library, running, until

TAKES = 600 if MATRIX else 40


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def faults(frames: list[dict[str, Any]]) -> list[str]:
    """Return what is false in the stack of a thread of moving.py."""
    found = []
    made = [match for frame in frames if (match := re.fullmatch(r"f_(\d+)_(\d+)", frame["name"]))]
    for frame, match in zip((f for f in frames if f["name"].startswith("f_")), made):
        cycle, depth = map(int, match.groups())
        innermost = match is made[0]
        lines = (2 * depth + 1, 2 * depth + 2) if innermost else (2 * depth + 2,)
        if frame["file"] != f"cycle_{cycle}" or frame["line"] not in lines:
            found.append(f"{frame['name']} at {frame['file']}:{frame['line']}")
    cycles = {match[1] for match in made}
    depths = [int(match[2]) for match in made]
    if len(cycles) > 1 or depths != list(range(len(depths)))[::-1]:
        found.append(f"one stack has {[match[0] for match in made]}")
    return found


def take(stacks: Stacks) -> dict[str, Any]:
    taken: dict[str, Any] = stacks.take(longest=10)
    return taken


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def tasks_of(stacks: Stacks) -> list[str]:
    """Return the plain names of the functions that tasks run."""
    frames = [frame for task in take(stacks)["tasks"] for frame in task["frames"]]
    return [frame["name"].rsplit(".", 1)[-1] for frame in frames]


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_stacks_are_of_one_instant(interpreter: Interpreter) -> None:
    deep = 0
    with running(interpreter.path, PROGRAMS / "moving.py") as process, Stacks(process.pid) as stacks:
        for _ in range(TAKES):
            for thread in take(stacks)["threads"]:
                python = [frame for frame in thread["frames"] if frame["kind"] == "python"]
                assert not faults(python), python
                deep += any(frame["name"].startswith("f_") for frame in python)
        assert deep > TAKES / 4
        assert tasks_of(stacks) == []
        tell(process)
        until(lambda: "late_task" in tasks_of(stacks), 30)
        tell(process)
        assert process.stdout
        assert process.stdout.readline() == "done\n"
        assert "late_task" in tasks_of(stacks)
