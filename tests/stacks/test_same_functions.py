"""Threads that all run the same functions, where each thread may have a copy of the bytecode: at random instants the
line of each frame agrees with the variables of all frames."""

from __future__ import annotations

import re
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.minutes import MATRIX
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import PROGRAMS, Frame, Thread, needs_library, running

PROGRAM = PROGRAMS / "same_functions.py"
THREADS = 3
ROUNDS = 200 if MATRIX else 40
MARKS = {
    number: mark[1]
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
    if (mark := re.search(r"# (.*)", line))
}
STEPS = {"step: 0": "a", "step: 1": "b", "resume": "d", "step: 2": "c"}  # the variables of work(), as it assigns them


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def held(frame: Frame) -> dict[str, Any]:
    """Return the values of a frame's variables; "unassigned" for those that have none."""
    exact = {"exact": lambda each: each["value"], "unassigned": lambda _: "unassigned"}
    return {each["name"]: exact[each["state"]](each) for each in frame["locals"]}


def is_stage_right(frame: Frame, step: int) -> bool:
    mark, values = MARKS.get(frame["line"], ""), held(frame)
    x = values["x"] - step * 10 if isinstance(values["x"], int) else values["x"]
    before = {"x: 1": None, "x: 2": 1, "x: 3": 2, "x: 4": 3}
    if mark in before:
        return values["step"] == step and x in (before[mark], int(mark[-1]))
    return values["step"] == step and x in ("unassigned", None, 2, 3, 4)


def is_count_right(frame: Frame) -> bool:
    mark, values = MARKS.get(frame["line"], ""), held(frame)
    if mark == "n":
        return bool(values["n"] - values["m"] in (0, 1))
    return values["n"] == "unassigned" or bool(values["n"] - values["m"] in ((0, 1) if mark == "m" else (0,)))


def is_work_right(frame: Frame, number: int) -> bool:
    mark, values = MARKS.get(frame["line"], ""), held(frame)
    if mark not in STEPS:
        return bool(values["number"] == number)
    order = list(STEPS.values())
    at = list(STEPS).index(mark)
    is_set = {name: isinstance(values[name], int) for name in order}
    numbers = {"a": 4, "b": 14, "c": 24}
    return (
        values["number"] == number
        and all(is_set[name] for name in order[:at])
        and not any(is_set[name] for name in order[at + 1 :])
        and all(values[name] == numbers[name] for name in order if is_set[name] and name in numbers)
    )


def fault(thread: Thread) -> str | None:
    """Return what contradicts itself in a stack; None: nothing does."""
    frames = [frame for frame in thread["frames"] if frame["kind"] == "python" and frame["file"] == str(PROGRAM)]
    name = thread["python_name"] or ""
    number = int(name.rpartition(" ")[2]) if name.startswith("worker") else 0
    if number == 0 and frames and frames[-1]["name"] == "<module>":
        frames.pop()
    if not frames:
        return None
    work = frames.pop()
    if work["name"] != "work" or not is_work_right(work, number):
        return f"{work['name']}:{work['line']} {held(work)} in {name}"
    mark = MARKS.get(work["line"], "")
    for frame in reversed(frames):
        function = frame["name"]
        is_right = (
            (function == "stage" and mark.startswith("step") and is_stage_right(frame, int(mark[-1])))
            or (function == "resume" and mark == "resume")
            or (function == "count" and mark == "next" and is_count_right(frame))
        )
        if not is_right:
            return f"{function}:{frame['line']} {held(frame)} called at {mark!r}"
        mark = MARKS.get(frame["line"], "")
    return None


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_lines_agree_with_variables(interpreter: Interpreter) -> None:
    random = Random(interpreter.version)
    seen: Counter[str] = Counter()
    with running(interpreter.path, PROGRAM, str(THREADS)) as process, Stacks(process.pid, values=True) as stacks:
        for _ in range(ROUNDS):
            time.sleep(random.random() * 0.01)
            for thread in stacks.take(longest=10)["threads"]:
                if not thread["notes"]:
                    assert fault(thread) is None
                    seen.update(frame["name"] for frame in thread["frames"])
    assert seen["work"] > ROUNDS * THREADS and seen["stage"] > ROUNDS / 4
