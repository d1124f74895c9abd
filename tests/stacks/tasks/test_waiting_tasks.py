"""What tasks wait for, in words, and the text of `jitscope stack` for them."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import newest_python
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import command, needs_library, running, take, take_core

PROGRAM = pathlib.Path(__file__).parent / "waiting_tasks.py"
MANY = """
import asyncio
async def leaf(event):
    await event.wait()
async def outer(event):
    await leaf(event)
async def main():
    event = asyncio.Event()
    tasks = [asyncio.create_task(outer(event), name=f"worker {i}") for i in range(20000)]
    await asyncio.sleep(0)
    print("ready", flush=True)
    await asyncio.gather(*tasks)
asyncio.run(main(), debug=False)
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A program with 20,000 tasks in one place."""
    needs_library()
    program = tmp_path_factory.mktemp("many") / "many.py"
    program.write_text(MANY)
    with running(sys.executable, program) as process:
        yield process


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_what_tasks_wait_for(interpreter: Interpreter) -> None:
    with running(interpreter.path, PROGRAM) as process:
        taken = take(process.pid)
    shown = {task["name"]: task["does"] for task in taken["tasks"]}
    assert shown.pop("Task-1") == "runs"
    assert shown.pop("is ready to run") == "is ready to run"
    assert shown.pop("member", "waits for sleep()") == "waits for sleep()"
    assert shown["task 'sleep()'"] == "waits for task 'sleep()'"
    assert shown["a future"] == "waits for a future"
    named = {name: does for name, does in shown.items() if not name.startswith("Task-")}
    assert named == {name: f"waits for {name}" for name in named} and len(named) >= 17


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_who_awaits(interpreter: Interpreter) -> None:
    with running(interpreter.path, PROGRAM) as process:
        taken = take(process.pid)
    awaited_by = {task["name"]: task["awaited_by"] for task in taken["tasks"]}
    assert sorted(awaited_by["sleep()"]) == [
        "asyncio.wait()",
        "gather() of 2",
        "task 'sleep()'",
        "task 'sleep()', with a timeout",
    ]
    assert interpreter.minor < 11 or awaited_by["member"] == ["the tasks of a TaskGroup"]


def test_tasks_in_one_place_are_one_entry(many: subprocess.Popen[str]) -> None:
    seen = command(many.pid, "--max-pause", "10000").stdout
    assert ", 20,001 tasks, " in seen.splitlines()[0]
    assert f'20,000 tasks "worker 0", "worker 1", "worker 2", … of thread {many.pid}: each waits for an event' in seen
    assert f'task "Task-1" of thread {many.pid}: waits for gather() of 20000' in seen
    assert len(seen.splitlines()) < 40


def test_the_pause_ends_in_time(many: subprocess.Popen[str]) -> None:
    with Stacks(many.pid) as stacks:
        taken = stacks.take(longest=0.005)
    (note,) = taken["task_notes"]
    left_out = re.fullmatch(r"(\d+) tasks were left out, to end in time", note)
    assert left_out and int(left_out[1]) + len(taken["tasks"]) == 20001


def test_variables_of_tasks_end_in_time(many: subprocess.Popen[str]) -> None:
    with Stacks(many.pid, values=True) as stacks:
        taken = stacks.take(longest=0.5)
    assert any("of tasks were left out, to end in time" in note for note in taken["task_notes"])


def test_without_a_pause(many: subprocess.Popen[str]) -> None:
    assert "(tasks and greenlets are not shown without a pause)" in command(many.pid, "--no-pause").stdout


def test_variables_of_tasks() -> None:
    with running(newest_python(), PROGRAM) as process:
        seen = command(process.pid, "--locals", "--max-pause", "10000").stdout
    assert re.search(r"awaits \(what=<_?asyncio\S* object at \w+>\) at .*waiting_tasks.py:\d+ \[py\]", seen), seen


def test_tasks_of_a_core(tmp_path: pathlib.Path) -> None:
    with running(sys.executable, PROGRAM) as process:
        alive = take(process.pid)
        subprocess.run(["gcore", "-o", tmp_path / "core", str(process.pid)], check=True, capture_output=True)
        taken = take_core(tmp_path / f"core.{process.pid}")
    assert taken["tasks"] == alive["tasks"] and len(taken["tasks"]) > 17


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_tasks_that_await_each_other(interpreter: Interpreter) -> None:
    with running(interpreter.path, PROGRAM.with_name("circles.py")) as process:
        found = take(process.pid)["deadlock"]
        shown = command(process.pid, "--deadlock").stdout
    circles = [sorted(task["name"] for task in circle["tasks"]) for circle in found["task_circles"]]
    assert sorted(circles) == [["a", "b"], ["one", "three", "two"]]
    assert found["summary"] == "no circle of threads was found; circles of tasks that wait for each other: 2"
    assert "circle: 3 tasks wait for each other, until one of them is cancelled\n" in shown
    assert "  task \"a\": waits for task 'b'\n" in shown and 'task "sleeps"' not in shown
    assert re.search(
        r'^task "a" of thread \d+, awaited by "b", "behind": waits for task .b.\n#0  waits at ', shown, re.M
    )
