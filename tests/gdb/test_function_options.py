"""`jit functions` shows a function's options that change what it computes, by its symbol, with the hook and without."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import newest_python, numba_pythons, with_hook

ALL = ["parallel", "fastmath", "boundscheck", "error_model=numpy"]
OPTIONS = {"every": ALL, "every.prange": ALL, "model": ["error_model=numpy"], "no_nans": ["fastmath"], "plain": []}


@pytest.mark.parametrize("python", numba_pythons().values(), ids=numba_pythons())
@pytest.mark.parametrize("env", [{"JITSCOPE_LEVEL": ""}, {"JITSCOPE_LEVEL": "stock", "NUMBA_DEBUGINFO": "1"}])
def test_options_are_those_of_the_decorators(env: dict[str, str], python: str) -> None:
    # Numbas of the matrix have no jitscope of their own, and the program imports it.
    env = {**env, **({} if python == newest_python() else with_hook())}
    done = harness.run(["run", "jit functions", "jit functions -json"], program="options.py", env=env, python=python)
    listed = json.loads(done.of("jit functions -json"))
    jsonschema.validate(listed, json.loads((SCHEMAS / "functions.json").read_text(encoding="utf-8")))
    assert {each["name"]: each["flags"] for each in listed if each["name"] in OPTIONS} == OPTIONS
    lines = done.of("jit functions").splitlines()
    for name, options in OPTIONS.items():
        line = next(line for line in lines if line.startswith(f"{name}("))
        assert [text for text in ALL if text in line.partition(" parfor-kernel")[0]] == options
