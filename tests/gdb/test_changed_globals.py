"""Globals and enclosing variables that have changed since a function was compiled: the values that compiled code has,
by what it computes of them, and what `jit why` says."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import numba_pythons, with_hook

PROGRAM = "changed_globals.py"
TAKEN = "which Numba makes a constant when it compiles: compiled code has"
COST = ["print RATE", "jit print TABLE", "jit print PLACED", "jit print SAME", "jit print y", "jit why RATE"]
COST += [
    "jit print x * RATE + TABLE[1] + PLACED[0] + SAME",
    "jit why TABLE",
    "jit why SAME",
    "jit why np",
    "jit why twice",
]
COST += ["jit why -json RATE", "jit up", "jit print RATE"]
INNER = ["jit print k", "jit why k", "jit why a", "jit why x"]


@pytest.fixture(scope="module", params=numba_pythons().values(), ids=list(numba_pythons()))
def seen(request: pytest.FixtureRequest) -> Transcript:
    """Stop in each function at its second call."""
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in ("cost", "inner", "body")]
    commands += ["ignore 1 1", "ignore 2 1", "ignore 3 4", "run", *COST, "continue", *INNER, "continue"]
    commands += ["jit print RATE + i == 1000", "jit print RATE", "delete", "continue"]
    env = {**with_hook(), "JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "2"}
    return harness.run(commands, program=PROGRAM, env=env, python=request.param, timeout=200)


def test_a_global_has_the_value_that_compiled_code_computes_with(seen: Transcript) -> None:
    now = "is shown as compiled code has it, which took it when it was compiled; the module has"
    assert seen.of("print RATE") == f"jitscope: RATE {now} 1000.0 now\n$1 = 500.0", seen.text
    assert seen.of("jit print TABLE") == f"jitscope: TABLE {now} array([5., 6.]) now\narray([1., 2.])"
    assert seen.of("jit print PLACED") == f"jitscope: PLACED {now} array([30.]) now\narray([3.])"
    assert seen.of("jit print SAME") == "7"
    assert seen.of("jit print x * RATE + TABLE[1] + PLACED[0] + SAME") == seen.of("jit print y") == "1012.0"
    assert "EXPECT 1012.0 13.0 501.0" in seen.text


def test_the_frame_of_python_has_the_module_s_value(seen: Transcript) -> None:
    assert seen.of("jit print RATE").splitlines()[-1] == "1000.0", seen.text


def test_why_a_global_is_another_one(seen: Transcript) -> None:
    advice = "pass it as an argument, or call cost.recompile() after a change"
    assert seen.of("jit why RATE") == (
        f"RATE is exact: it is a global of the module, {TAKEN} 500.0, and the module has 1000.0 now\n{advice}"
    )
    assert f"{TAKEN} array([1., 2.]), and the module has array([5., 6.]) now" in seen.of("jit why TABLE")
    assert seen.of("jit why SAME").endswith(f"{TAKEN} 7\npass it as an argument if it changes")
    assert seen.of("jit why np") == "no variable 'np' in this compiled function; `jit locals` lists them"
    assert seen.of("jit why twice").splitlines()[0] == (
        f"twice is unknown: it is a global of the module, {TAKEN} what it was then"
    )
    found = json.loads(seen.of("jit why -json RATE"))
    jsonschema.validate(found, json.loads((SCHEMAS / "why.json").read_text()))
    assert found["advice"] == advice


def test_why_a_variable_of_the_function_around_is_another_one(seen: Transcript) -> None:
    whose = "it is a variable of the function around this one,"
    assert seen.of("jit print k") == "3", seen.text
    assert seen.of("jit why k").startswith(f"k is exact: {whose} {TAKEN} 3\n")
    assert seen.of("jit why a") == (
        f"a is optimized out: {whose} {TAKEN} array([10.])\npass it as an argument if it changes"
    )
    assert seen.of("jit why x").startswith("x is exact: the compiler keeps it here")


def test_the_body_of_a_parallel_loop_has_what_its_function_has(seen: Transcript) -> None:
    assert seen.of("jit print RATE", -1).splitlines()[-1] == "500.0", seen.text
    assert "False" in seen.of("jit print RATE + i == 1000")
