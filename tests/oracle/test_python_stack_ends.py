"""Why Python's threads, frames and variables are not all shown, for every CPython of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.oracle.python_stacks.memory import Memory, frame_addresses
from tests.oracle.python_stacks.reader import Reader
from tests.oracle.python_stacks.target import Target, running

PROGRAM = """
import json, os, sys, threading
globals().update({"n%d" % i: i for i in range(5000)})
def block():
    print(json.dumps({"main": [threading.get_native_id(), threading.get_ident()]}), flush=True)
    os.read(0, 1)
def closure(argument):
    def inner():
        return argument
    block()
    return inner
def outer(n):
    return outer(n - 1) if n else closure("x")
outer(4)
"""
LONG_NAMES = """
import json, os, sys, threading
sys.setrecursionlimit(10000)
def block():
    print(json.dumps({"main": [threading.get_native_id(), threading.get_ident()]}), flush=True)
    os.read(0, 1)
def deep(n):
    deep(n - 1) if n else block()
names = {"co_name": "\\x01" * 5000, "co_filename": "\\x02" * 4096}
if sys.version_info >= (3, 11): names["co_qualname"] = "\\x03" * 5000
deep.__code__ = deep.__code__.replace(**names)
deep(3000)
"""


@pytest.fixture(scope="module", params=all_or_skips())
def interpreter(request: Any) -> Any:
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    return request.param


@pytest.fixture(scope="module")
def target(interpreter: Interpreter) -> Iterator[Target]:
    with running(interpreter, "-c", PROGRAM) as (process, said):
        yield Target(interpreter, process, said)


@pytest.fixture
def memory(target: Target) -> Iterator[Memory]:
    memory = Memory(target.pid)
    yield memory
    memory.close()


def test_lists_of_threads_that_have_no_end(target: Target, memory: Memory) -> None:
    """Links of the lists lead back, or to a thread that does not lead back."""
    with Reader(target.pid, read=memory.read) as reader:
        o = reader.offsets()
        head = memory.word(reader.runtime + o["interpreters_head"])
        thread = memory.word(head + o["interp_threads"])
        cases = [
            ({thread + o["thread_prev"]: 8}, 0, "the list of threads contradicts itself"),
            ({thread + o["thread_next"]: thread}, 1, "the list of threads contradicts itself"),
            ({head + o["interp_next"]: head}, 4096, "there are too many interpreters"),
        ]
        for words, count, why in cases:
            memory.words = words
            found = reader.threads()
            assert (found["truncated"], found["why"], len(found["threads"])) == (True, why, count)
        memory.words = {}
        assert "why" not in reader.threads()


def test_frames_that_end_inside_a_call(target: Target, memory: Memory) -> None:
    if target.interpreter.minor < 11:
        pytest.skip("each frame of an older interpreter begins an evaluation")
    with Reader(target.pid, read=memory.read) as reader:
        o = reader.offsets()
        addresses = frame_addresses(target, memory, o, reader.runtime, "main")
        reader.forget()
        memory.words = {addresses[2] + o["frame_previous"]: 0}
        found = reader.frames(0, target.ids("main")[1])
        assert [frame["function"] for frame in found["frames"]] == ["block", "closure", "outer"]
        assert (found["truncated"], found["why"]) == (True, "the list of frames ends inside a call")


def test_a_thread_that_enters_a_call(target: Target, memory: Memory) -> None:
    """The C structure of the innermost evaluation is linked before it has members."""
    if target.interpreter.minor not in (11, 12):
        pytest.skip("only 3.11 and 3.12 keep the innermost frame in such a structure")
    with Reader(target.pid, read=memory.read) as reader:
        o = reader.offsets()
        state = memory.word(memory.word(reader.runtime + o["interpreters_head"]) + o["interp_threads"])
        cframe = memory.word(state + o["thread_frame"])
        reader.forget()
        memory.words = {cframe + o["cframe_previous"]: 12}
        found = reader.frames(0, target.ids("main")[1])
        why = "a call is being entered, or the stack is corrupt"
        assert found["frames"] == [] and (found["truncated"], found["why"]) == (True, why)


def test_a_frame_that_is_being_set_up(target: Target, memory: Memory) -> None:
    """Before the instructions that make its cells, a variable of a closure has no known place."""
    if target.interpreter.minor < 11:
        pytest.skip("an older interpreter makes the cells before the frame is linked")
    with Reader(target.pid, read=memory.read) as reader:
        o = reader.offsets()
        frame = reader.frames(0, target.ids("main")[1])["frames"][1]
        variables = {each["name"]: each["text"] for each in reader.variables(frame["address"])}
        assert variables["argument"] == "'x'"
        code = memory.word(frame["address"] + o["frame_code"]) & ~3
        reader.forget()
        memory.words = {frame["address"] + o["frame_instruction"]: code + o["code_code"]}
        variables = {each["name"]: each["text"] for each in reader.variables(frame["address"])}
        assert variables["argument"] == "<unknown: the frame is being set up>"


def test_a_module_of_many_names(target: Target) -> None:
    with Reader(target.pid) as reader:
        frame = reader.frames(0, target.ids("main")[1])["frames"][-1]
        assert frame["function"] == "<module>"
        found = reader.variables(frame["address"])
        assert len(found) == 4097
        assert (found[-1]["name"], found[-1]["text"]) == ("...", "<unknown: there are more names than can be shown>")


def test_frames_of_long_names(interpreter: Interpreter) -> None:
    with running(interpreter, "-c", LONG_NAMES) as (process, said):
        target = Target(interpreter, process, said)
        with Reader(target.pid) as reader:
            found = reader.frames(0, target.ids("main")[1])
    assert 500 < len(found["frames"]) < 2000
    assert (found["truncated"], found["why"]) == (True, "their names are too long to show")
