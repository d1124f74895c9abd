"""`jit bt -full` and `jit args`: the number that Python has passed, where its conversion to the argument's type has
changed it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.schemas import SCHEMAS

PROGRAM = """import numpy as np
from numba import njit, boolean, float32, float64, int32, int64, uint8

@njit(int64(int64, float64), debug=True)
def scale(n, x):
    total = 0
    for i in range(n):
        total += int(i * x)
    return total

@njit(float64(int32, boolean, float32, uint8), debug=True)
def four(k, flag, y, b):
    k = k + 1
    return k + y + b + flag

@njit(debug=True)
def outer(v):
    return scale(int(v), 2.0) + 1

scale(3.7, 2)
scale(np.float64(4.25), np.float32(0.1))
scale(5, 2.5)
four(2.9, 5, 16777217, 300.5)
four(True, True, 0.1, 7)
outer(2.5)
"""
LOOP, SUM = 8, 14
COMMANDS = [
    f"break passed.py:{LOOP} if i == 0", "run", "jit bt -full 1", "jit bt -full -json 1", "jit bt 1",
    "jit args -json", "continue", "jit args", "continue", "jit args",
    f"break passed.py:{SUM}", "continue", "jit args", "continue", "jit args", "continue", "jit bt -full 1",
]  # fmt: skip


@pytest.fixture(scope="module", params=["the hook", "stock code"])
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    program = tmp_path_factory.mktemp("passed") / "passed.py"
    program.write_text(PROGRAM, encoding="utf-8")
    level = {"the hook": {"JITSCOPE_LEVEL": ""}, "stock code": {"NUMBA_OPT": "0"}}[request.param]
    return harness.run(COMMANDS, program=program, env=level)


def test_the_stack_shows_the_object_that_was_converted(session: harness.Transcript) -> None:
    assert "        n = 3 (passed as 3.7)\n" in session.of("jit bt -full 1") + "\n", session.text


def test_a_conversion_that_keeps_the_number_is_not_shown(session: harness.Transcript) -> None:
    assert "passed as 2" not in session.of("jit bt -full 1"), session.text
    assert session.of("jit args", 1).splitlines() == ["n = 5", "x = 2.5"]


def test_a_number_of_numpy_s_is_shown(session: harness.Transcript) -> None:
    assert session.of("jit args").splitlines() == ["n = 4 (passed as 4.25)", "x = 0.10000000149011612"], session.text


def test_each_type_of_number_is_compared(session: harness.Transcript) -> None:
    assert session.of("jit args", 2).splitlines()[1:] == [
        "flag = True (passed as 5)", "y = 16777216.0 (passed as 16777217)", "b = 44 (passed as 300.5)",
    ], session.text  # fmt: skip


def test_an_argument_that_was_assigned_keeps_what_was_passed(session: harness.Transcript) -> None:
    assert session.of("jit args", 2).splitlines()[0] == "k = 3 (passed as 2.9)", session.text


def test_a_bool_as_an_integer_and_a_rounded_fraction_are_not_shown(session: harness.Transcript) -> None:
    assert session.of("jit args", 3).splitlines() == ["k = 2", "flag = True", "y = 0.1", "b = 7"], session.text


def test_a_call_of_compiled_code_passes_no_object(session: harness.Transcript) -> None:
    assert "scale (n=2, x=2.0)" in session.of("jit bt -full 1", -1), session.text
    assert "passed as" not in session.of("jit bt -full 1", -1)


def test_the_short_stack_does_not_show_it(session: harness.Transcript) -> None:
    assert "passed as" not in session.of("jit bt 1"), session.text


@pytest.mark.parametrize(("command", "schema"), [("jit bt -full -json 1", "bt"), ("jit args -json", "locals")])
def test_json_has_the_text(session: harness.Transcript, command: str, schema: str) -> None:
    found = json.loads(session.of(command))
    jsonschema.validate(found, json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")))
    arguments = found["frames"][0]["arguments"] if schema == "bt" else found
    assert [each.get("passed") for each in arguments] == ["3.7", None]
