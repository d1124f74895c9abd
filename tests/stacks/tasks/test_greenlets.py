"""Greenlets that are switched out: their frames and threads are those that the program has noted itself.
JITSCOPE_GREENLETS names folders with greenlet for the interpreters of the machine: "FOLDER=PYTHON:…"; the interpreter
that runs the tests is taken, too, if it has greenlet."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import sys
from collections import Counter
from typing import Any

import jsonschema
import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT
from tests.stacks.taking import command, needs_library, running, take

PROGRAM = pathlib.Path(__file__).parent / "switched.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "stack.json").read_text())
# A module that looks like greenlet's, with objects of the size of its own.
ALIKE = """
import ctypes, gc, sys, types
class greenlet:
    __slots__ = ("first", "implementation", "__weakref__")
module = types.ModuleType("greenlet._greenlet")
module.greenlet = greenlet
sys.modules["greenlet._greenlet"] = module
kept = [greenlet() for _ in range({count})]
gc.collect()
{damage}
ctypes.CDLL(None).write(1, b"ready\\n", 6)
ctypes.CDLL(None).pause()
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def with_greenlet() -> list[Any]:
    """Return the interpreters that have greenlet, each with the folder that has it."""
    named = [item.split("=", 1) for item in os.environ.get("JITSCOPE_GREENLETS", "").split(":") if "=" in item]
    own = [["", sys.executable]] if importlib.util.find_spec("greenlet") else []
    found = [pytest.param(folder, python, id=f"{pathlib.Path(folder).name}") for folder, python in named + own]
    return found or [pytest.param("", "", marks=pytest.mark.skip("no greenlet"))]


@pytest.mark.parametrize(("folder", "python"), with_greenlet())
def test_greenlets_are_those_of_the_program(folder: str, python: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "said.json"
    env = {"PYTHONPATH": folder} if folder else {}
    with running(python, PROGRAM, path, env=env) as process:
        said = json.loads(path.read_text())
        taken = take(process.pid)
        seen = command(process.pid).stdout
    jsonschema.validate(taken, SCHEMA)
    assert taken["task_notes"] == [] and len(said) == 61
    shown = [
        (each["native_id"], [[frame["name"].rsplit(".", 1)[-1], frame["line"]] for frame in each["frames"]])
        for each in taken["greenlets"]
    ]
    assert Counter(map(repr, shown)) == Counter(repr((thread, frames)) for thread, frames in said)
    assert f"5 greenlets of thread {process.pid} (switched out)\n#0  leaf at {PROGRAM}:" in seen


def alike(tmp_path: pathlib.Path, count: int, damage: str, longest: float) -> list[str]:
    """Return the notes for a program with a module that is not greenlet's."""
    program = tmp_path / "alike.py"
    program.write_text(ALIKE.format(count=count, damage=damage))
    with running(sys.executable, program) as process, Stacks(process.pid) as stacks:
        taken = stacks.take(longest=longest)
    assert taken["greenlets"] == []
    return list(taken["task_notes"])


def test_another_layout(tmp_path: pathlib.Path) -> None:
    why = "the layout of this version of greenlet is not known"
    assert alike(tmp_path, 1, "", 10) == [f"greenlets may be missing: {why}"]


def test_objects_that_are_linked_wrongly(tmp_path: pathlib.Path) -> None:
    damage = "ctypes.c_uint64.from_address(id(kept) - 8).value = id(kept) - 16"
    why = "the objects of the interpreter cannot be listed"
    assert alike(tmp_path, 0, damage, 10) == [f"greenlets may be missing: {why}"]


def test_the_pause_ends_in_time(tmp_path: pathlib.Path) -> None:
    why = "not all objects were looked at, to end the pause"
    assert alike(tmp_path, 0, "", 1e-9) == [f"greenlets may be missing: {why}"]
