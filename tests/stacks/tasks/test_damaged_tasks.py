"""Tasks in memory that is damaged: they are read without a crash, and in bounded time."""

from __future__ import annotations

import json
import pathlib
import time

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
