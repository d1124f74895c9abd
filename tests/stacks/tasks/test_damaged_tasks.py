"""Tasks in memory that is damaged: they are read without a crash, and in bounded time."""

from __future__ import annotations

import json
import pathlib
import time
from typing import Any

import jsonschema
import pytest

from tests.interpreters import ROOT
from tests.minutes import MATRIX
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running, take

PROGRAM = pathlib.Path(__file__).parent / "damaged_tasks.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "stack.json").read_text())
SEEDS = 100 if MATRIX else 6
LONGEST = 20.0  # seconds for a take, on a machine that does something else, too


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("interpreter", all_or_skips())
def test_damaged_tasks(interpreter: Interpreter, seed: int) -> None:
    try:
        with running(interpreter.path, PROGRAM, str(seed)) as process:
            for values in (False, True):
                begin = time.monotonic()
                taken = take(process.pid, values=values)
                assert time.monotonic() - begin < LONGEST
                jsonschema.validate(taken, SCHEMA)
                assert len(taken["tasks"]) <= 31
                for task in taken["tasks"]:
                    assert len(task["frames"]) <= 10000
    except AssertionError as error:
        if error.args != ("",):
            raise
        pytest.skip("the damage has ended the program")


# A task whose coroutine awaits another one; then one word of them is overwritten.
ONE = """
import asyncio, ctypes, sys, _asyncio
async def inner(event):
    await event.wait()
async def outer(event):
    await inner(event)
def word(address):
    return ctypes.c_uint64.from_address(address)
async def main():
    task = asyncio.create_task(outer(asyncio.Event()), name="damaged")
    await asyncio.sleep(0.01)
    coroutine, awaited = task.get_coro(), task.get_coro().cr_await
    {damage}
    ctypes.CDLL(None).write(1, b"ready\\n", 6)
    ctypes.CDLL(None).pause()
asyncio.run(main())
"""
CIRCLE = """
    for address in range(id(coroutine), id(coroutine) + 300, 8):
        if word(address).value & ~3 == id(awaited):
            word(address).value = id(coroutine)
            break
"""
RUNS = "ctypes.c_int8.from_address(id(coroutine) + {offset}).value = {state}"
LINKS = "word(id(task) + _asyncio.Task.__basicsize__ - 8).value = id(task)"


def damaged(interpreter: Interpreter, damage: str, path: pathlib.Path) -> dict[str, Any]:
    program = path / "one.py"
    program.write_text(ONE.format(damage=damage.strip()))
    with running(interpreter.path, program) as process:
        return take(process.pid)


def task_of(taken: dict[str, Any]) -> dict[str, Any]:
    (task,) = (task for task in taken["tasks"] if task["name"] == "damaged")
    return dict(task)


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_coroutine_that_awaits_itself(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    if interpreter.minor < 11:
        pytest.skip("the frame is not part of the coroutine")
    task = task_of(damaged(interpreter, CIRCLE, tmp_path))
    assert task["notes"] == ["there are too many frames"] and len(task["frames"]) == 10000


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_coroutine_that_seems_to_run(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    if interpreter.minor < 11:
        pytest.skip("the state is not part of the coroutine")
    offset = 75 if interpreter.minor == 11 else 83 if interpreter.free_threaded else 67
    damage = RUNS.format(offset=offset, state=4 if interpreter.minor >= 15 else 0)
    assert task_of(damaged(interpreter, damage, tmp_path))["notes"] == ["the thread that runs it is not found"]


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_links_that_are_wrong(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    if interpreter.minor < 14:
        pytest.skip("tasks are linked since 3.14")
    taken = damaged(interpreter, LINKS, tmp_path)
    assert taken["task_notes"] == ["tasks may be missing: a list of tasks is inconsistent"]
