"""The task that holds a lock of asyncio, and the tasks that wait for each other by such locks, are those that the
program itself knows."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import jsonschema
import pytest

from tests.interpreters import ROOT
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import command, needs_library, running, take

PROGRAM = pathlib.Path(__file__).parent / "task_locks.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "stack.json").read_text())
THREADS = """
import asyncio, threading, time
lock, loops = threading.Lock(), []
async def holder():
    with lock:
        await asyncio.sleep(10000)
async def blocker():
    await asyncio.sleep(0.1)
    with lock:
        pass
async def main():
    await asyncio.gather(*(asyncio.create_task(each(), name=each.__name__) for each in TASKS))
TASKS = [holder, blocker]
def other():
    time.sleep(0.2)
    with lock:
        pass
threading.Thread(target=other, daemon=True, name="other").start()
threading.Timer(0.5, lambda: print("ready", flush=True)).start()
asyncio.run(main())
"""
FREED = """
import asyncio, time
async def waits(lock):
    async with lock:
        pass
async def main():
    lock = asyncio.Lock()
    await lock.acquire()
    tasks = [asyncio.create_task(waits(lock), name=name) for name in ("next", "later")]
    await asyncio.sleep(0.1)
    lock.release()
    print("ready", flush=True)
    time.sleep(10000)
asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def both(interpreter: Interpreter, folder: pathlib.Path, *options: str) -> tuple[dict[tuple[int, str], Any], Any]:
    """Return who has the lock that each task waits for, by the thread and the name of the task, and the stacks."""
    with running(interpreter.path, PROGRAM, folder / "said.json", *options) as process:
        said = json.loads((folder / "said.json").read_text())
        taken = take(process.pid)
    jsonschema.validate(taken, SCHEMA)
    return {(int(thread), name): holder for thread, waits in said.items() for name, holder in waits.items()}, taken


def shown(taken: dict[str, Any]) -> dict[tuple[int, str], dict[str, Any]]:
    """Return the tasks that wait for a lock."""
    return {
        (task["native_id"], task["name"]): task
        for task in taken["tasks"]
        if task["waits_for"] and task["waits_for"]["for"] == "lock"
    }


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_who_holds_a_lock(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    said, taken = both(interpreter, tmp_path)
    tasks = shown(taken)
    assert {place: task["waits_for"]["task"] for place, task in tasks.items()} == said and len(said) >= 18
    for place, task in tasks.items():
        assert task["waits_for"]["certain"] is True, task
        words = re.sub(r" that \w+ at task_locks.py:\d+ in task ", " that TASK ", task["does"])
        holder = said[place]
        wanted = (
            "whose owner is not known" if holder is None
            else "that it holds itself" if holder == place[1]
            else f"that TASK '{holder}' holds"
        )  # fmt: skip
        assert words in (f"waits for a lock {wanted}", f"waits for a lock {wanted}, with a timeout"), task
        assert task["waits_for"]["timed"] == (place[1] == "waits until a time"), task


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_the_statement_that_holds_a_lock(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    said, taken = both(interpreter, tmp_path)
    source = PROGRAM.read_text().splitlines()
    for place, task in shown(taken).items():
        waits = task["waits_for"]
        if said[place] is not None:
            assert source[waits["line"] - 1].strip().startswith("async with "), waits
            assert waits["function"] in ("holds", "generated", "notifies") and waits["file"] == str(PROGRAM)


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_nobody_holds_a_lock_that_was_released(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    said, taken = both(interpreter, tmp_path, "release")
    assert {place[1] for place in said} >= {"waits for given", "waits for here"}
    for place, task in shown(taken).items():
        waits = task["waits_for"]
        assert waits["certain"] is False or waits["task"] is None, task
        assert not re.search("' holds| itself$", task["does"]), task
        if waits["task"] != said[place]:
            assert waits["task"] == "gives" and "seems to hold (by its `async with`)" in task["does"], task


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_circles_by_locks(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    _, taken = both(interpreter, tmp_path)
    found = taken["deadlock"]
    circles = [sorted(task["name"] for task in circle["tasks"]) for circle in found["task_circles"]]
    assert sorted(circles) == [["a", "b", "c"]] * 2 + [["itself"]] * 2
    assert all(circle["certain"] for circle in found["task_circles"])
    assert found["circles"] == []
    unknown = "; 4 tasks wait for locks whose owner is not known"
    assert found["summary"].endswith(f"; circles of tasks that wait for each other: 4{unknown}")


def test_the_text_of_circles_by_locks(tmp_path: pathlib.Path) -> None:
    with running("python3", PROGRAM, tmp_path / "said.json") as process:
        certain = command(process.pid, "--deadlock").stdout
    with running("python3", PROGRAM, tmp_path / "said.json", "release") as process:
        seeming = command(process.pid, "--deadlock").stdout
    assert "\ncircle: 3 tasks wait for each other, until one of them is cancelled\n" in certain
    assert "\ncircle: 1 task waits for itself, until it is cancelled\n" in certain
    assert "\na possible circle: 3 tasks seem to wait for each other, until one of them is cancelled\n" in seeming
    assert "\na possible circle: 1 task seems to wait for itself, until it is cancelled\n" in seeming
    assert "that it seems to hold itself (by its `async with`)\n" in seeming


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_task_that_keeps_a_lock_of_threads(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "threads.py"
    program.write_text(THREADS)
    with running(interpreter.path, program) as process:
        taken = take(process.pid)
        text = command(process.pid, "--deadlock").stdout
    jsonschema.validate(taken, SCHEMA)
    threads = [each for each in taken["threads"] if each["native_id"] == process.pid or each["python_name"] == "other"]
    wanted = f"waits for a lock that holder at threads.py:5 in task 'holder' of thread {process.pid} ("
    assert len(threads) == 2
    for thread in threads:
        assert thread["does"].startswith(wanted) and thread["does"].endswith(" holds"), thread
        assert thread["waits_for"]["task"] == "holder" and thread["waits_for"]["native_id"] == process.pid
    (circle,) = taken["deadlock"]["circles"]
    assert [each["native_id"] for each in circle["threads"]] == [process.pid]
    assert '\ntask "holder" of thread' in text and "\ndeadlock: 1 thread waits for itself\n" in text


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_lock_that_was_just_released(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "freed.py"
    program.write_text(FREED)
    with running(interpreter.path, program) as process:
        taken = take(process.pid)
    does = {task["name"]: task["does"] for task in taken["tasks"]}
    assert taken["deadlock"]["summary"] == "no circle of threads or tasks was found"
    assert (does["next"], does["later"]) == ("is ready to run", "waits for a lock that is handed over")


def test_one_lock_without_an_owner(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "kept.py"
    program.write_text(
        FREED.replace("    lock.release()\n", "    tasks.pop().cancel()\n    await asyncio.sleep(0.1)\n")
    )
    with running("python3", program) as process:
        summary = take(process.pid)["deadlock"]["summary"]
    assert summary == "no circle of threads or tasks was found; 1 task waits for a lock whose owner is not known"
