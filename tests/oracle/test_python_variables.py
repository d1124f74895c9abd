"""Variables of Python frames read from outside against the interpreter's values, for every CPython of this machine."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from tests.interpreters import ROOT
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.oracle.python_stacks.memory import Memory
from tests.oracle.python_stacks.reader import Reader
from tests.oracle.python_stacks.target import Target, running
from tests.oracle.python_stacks.variables import PROGRAM

SCHEMA = json.loads((ROOT / "docs" / "schema" / "locals.json").read_text())
ALL, ARGUMENTS, OTHERS = range(3)


@pytest.fixture(scope="module", params=all_or_skips())
def target(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    interpreter: Interpreter = request.param
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    program = tmp_path_factory.mktemp("variables") / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    with running(interpreter, str(program)) as (process, said):
        yield Target(interpreter, process, said)


def frames_of(reader: Reader, target: Target, thread: str) -> list[Any]:
    """Return the frames from the one that called block() to the thread's first function."""
    answer = reader.frames(0, target.ids(thread)[1])
    inside = [frame for frame in answer["frames"] if frame["function"] != "block"]
    return [frame for frame in inside if not frame["file"].endswith("threading.py")]


def test_variables_are_those_of_the_interpreter(target: Target) -> None:
    wrong = []
    with Reader(target.pid) as reader:
        for thread, truth in target.truth.items():
            frames = frames_of(reader, target, thread)
            if thread == "main":
                continue
            assert [frame["function"] for frame in frames] == [each["function"] for each in truth[2]], thread
            for frame, each in zip(frames, truth[2]):
                found = reader.variables(frame["address"])
                jsonschema.validate(found, SCHEMA)
                texts = {variable["name"]: variable["text"] for variable in found}
                expected = {**each["held"], **dict.fromkeys(each["declared"], "<unassigned>")}
                if texts != expected:
                    names = sorted(n for n in {*texts, *expected} if texts.get(n) != expected.get(n))
                    wrong += [f"{thread} {each['function']} {n}: {expected.get(n)}\n  {texts.get(n)}" for n in names]
                arguments = [variable["name"] for variable in found if variable["argument"]]
                assert arguments == each["arguments"] == [v["name"] for v in found[: len(arguments)]]
                assert [v for v in found if v["argument"]] == reader.variables(frame["address"], ARGUMENTS)
                assert [v for v in found if not v["argument"]] == reader.variables(frame["address"], OTHERS)
    assert not wrong, "\n".join(wrong)


def test_a_module_has_the_names_that_it_has_bound(target: Target) -> None:
    with Reader(target.pid) as reader:
        frame = frames_of(reader, target, "main")[-1]
        found = {variable["name"]: variable for variable in reader.variables(frame["address"])}
    assert frame["function"] == "<module>"
    assert found["names"]["text"].startswith("['scalars', 'texts', ")
    assert found["kept"]["text"] == "[]" and found["kept"]["state"] == "exact" and "definition" not in found["kept"]
    assert all(found[name]["definition"] for name in ("Plain", "block", "json"))
    assert not [name for name in found if name.startswith("__")]


def test_summary_is_short(target: Target) -> None:
    with Reader(target.pid) as reader:
        for thread in target.truth:
            for frame in frames_of(reader, target, thread):
                for variable in reader.variables(frame["address"], summary=True):
                    assert len(variable["text"]) < 2000, variable
        frame = frames_of(reader, target, "texts")[0]
        texts = {v["name"]: v["text"] for v in reader.variables(frame["address"], summary=True)}
        assert texts["long"] == repr("x" * 40) + "..."


def test_text_of_the_target_obeys_no_terminal(target: Target) -> None:
    with Reader(target.pid) as reader:
        frame = frames_of(reader, target, "texts")[0]
        for variable in reader.variables(frame["address"]):
            assert variable["text"].isprintable(), variable


@pytest.fixture
def memory(target: Target) -> Iterator[Memory]:
    memory = Memory(target.pid)
    yield memory
    memory.close()


def test_what_is_no_object_is_said_to_be_none(target: Target, memory: Memory) -> None:
    with Reader(target.pid, read=memory.read) as reader:
        frame = frames_of(reader, target, "unassigned")[0]
        slots = frame["address"] + reader.offsets()["frame_slots"]
        for word in (8, slots, 0x7FFF00000000, 2**64 - 8):
            memory.words = {slots + 8: word}
            reader.forget()
            found = {variable["name"]: variable for variable in reader.variables(frame["address"])}
            assert found["first"]["state"] == "unknown", word
            assert found["first"]["text"] == f"<unknown: no object that can be read at 0x{word:x}>"
            assert found["flag"]["text"] == "False"
        memory.words = {}
        for address in (0, 8, frame["address"] + 4, slots):
            assert reader.variables(address) is None


def test_spoilt_memory_never_hurts(target: Target, memory: Memory) -> None:
    """Every read may be damaged: the result is a status, or JSON, and an end."""
    found = []
    with Reader(target.pid, read=memory.read) as reader:
        frames = [frame for thread in target.truth for frame in frames_of(reader, target, thread)]
        for seed in range(int(os.environ.get("JITSCOPE_SPOIL_ROUNDS", "60"))):
            memory.random, memory.rate = random.Random(seed), (0.02, 0.1, 0.5)[seed % 3]
            reader.forget()
            found.append(reader.variables(frames[seed % len(frames)]["address"], summary=seed % 2 == 0))
            if found[-1] is not None:
                jsonschema.validate(found[-1], SCHEMA)
    assert None in found and any(found)
