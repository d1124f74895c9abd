"""Variables that hold generators and coroutines say where these are, and whether they are suspended."""

from __future__ import annotations

import pathlib

import pytest

from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running, take

PROGRAM = """\
import time
def walk(n):
    for i in range(n):
        yield i
def outer(n):
    yield from walk(n)
async def waits(): await waits()
async def produces():
    yield 1
def main():
    suspended = walk(3)
    next(suspended)
    delegates = outer(3)
    next(delegates)
    fresh = walk(5)
    finished = walk(0)
    list(finished)
    coroutine = waits()
    asynchronous = produces()
    expression = (x
                  for x in [1, 2])
    next(expression)
    def busy():
        print("ready", flush=True)
        time.sleep(1000)
        yield 1
    running = busy()
    next(running)
main()
"""
TEXTS = {
    "suspended": "<generator walk at program.py:4, suspended>",
    "delegates": "<generator outer at program.py:6, suspended>",
    "fresh": "<generator walk at program.py:2, not started>",
    "finished": "<generator walk, finished>",
    "coroutine": "<coroutine waits at program.py:7, not started>",
    "asynchronous": "<async_generator produces at program.py:8, not started>",
    "expression": "<generator main.<locals>.<genexpr> at program.py:20, suspended>",
    "running": "<generator main.<locals>.busy at program.py:25, running>",
}


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_texts(interpreter: Interpreter, tmp_path: pathlib.Path) -> None:
    needs_library()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with running(interpreter.path, program) as process:
        taken = take(process.pid, values=True)
    (main,) = (frame for frame in taken["threads"][0]["frames"] if frame["name"] == "main")
    shown = {each["name"]: each["text"] for each in main["locals"] if each["name"] in TEXTS}
    assert shown == TEXTS
