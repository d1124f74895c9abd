"""The tasks of random programs are those of the interpreter: names, threads, states, frames, and who awaits them."""

from __future__ import annotations

import json
import pathlib
from collections import Counter
from typing import Any

import jsonschema
import pytest

from tests.interpreters import ROOT
from tests.minutes import MATRIX
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running, take

PROGRAM = pathlib.Path(__file__).parent / "random_tasks.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "stack.json").read_text())
SEEDS = 40 if MATRIX else 3


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def both(interpreter: Interpreter, seed: int, kind: str, loops: int, path: pathlib.Path) -> tuple[Any, dict[str, Any]]:
    """Return what the program says of its tasks, and its stacks."""
    with running(interpreter.path, PROGRAM, str(seed), kind, str(loops), path) as process:
        return json.loads(path.read_text()), take(process.pid, shows_all=True)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("kind", ["native", "python", "own", "eager"])
@pytest.mark.parametrize("interpreter", all_or_skips())
def test_tasks_are_those_of_the_interpreter(
    interpreter: Interpreter, kind: str, seed: int, tmp_path: pathlib.Path
) -> None:
    if kind == "eager" and interpreter.minor < 12:
        pytest.skip("eager tasks begin with 3.12")
    said, taken = both(interpreter, seed, kind, 1 + seed % 3, tmp_path / "said.json")
    jsonschema.validate(taken, SCHEMA)
    assert taken["task_notes"] == [] and len(said) > 20
    assert Counter(key(task) for task in taken["tasks"]) == Counter(key(task) for task in said)
    for task in taken["tasks"]:
        assert task["notes"] == []
        shown = [(frame["name"].rsplit(".", 1)[-1], frame["file"], frame["line"]) for frame in task["frames"]]
        fitting = [one for one in said if key(one) == key(task)]
        assert shown in [[tuple(frame) for frame in one["frames"]] for one in fitting], (task["name"], shown, fitting)
        assert any(set(one["awaited_by"]) <= set(task["awaited_by"]) for one in fitting), (task, fitting)


def key(task: dict[str, Any]) -> tuple[str, int, str]:
    """Return what is compared first. Names need not be unique."""
    return task["name"], task.get("thread", task.get("native_id")), task["state"]
