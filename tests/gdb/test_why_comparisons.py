"""`jit why A < B`: the types of two numbers, the type in which Numba compares them, and what they become."""

from __future__ import annotations

import json
import os
import subprocess

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import ROOT, numba_pythons

PROGRAM = ROOT / "tests" / "stories" / "programs" / "unsigned_and_signed.py"
TIME, LIMIT, BECOMES = 1721142608025344941, 1721142608025344990, 1721142608025345024
LOSES = "Numba compares uint64 with int64 as float64, which holds integers exactly only up to 2**53"
ANSWERS = {
    "time >= limit": [
        f"time: uint64 {TIME}, which becomes {BECOMES}",
        f"limit: int64 {LIMIT}, which becomes {BECOMES}",
        LOSES,
        "time >= limit is True, but False of the exact numbers",
    ],
    "time >= start + delay": [
        f"time: uint64 {TIME}, which becomes {BECOMES}",
        f"start + delay: int64 {LIMIT}, which becomes {BECOMES}",
        LOSES,
        "time >= start + delay is True, but False of the exact numbers",
    ],
    "limit > delay": [
        f"limit: int64 {LIMIT}",
        "delay: int64 5000",
        "Numba compares two int64 as int64, which holds both exactly",
        "limit > delay is True, as it is of the exact numbers",
    ],
    "delay < 5000.5": [
        "delay: int64 5000",
        "5000.5: float64 5000.5",
        "Numba compares int64 with float64 as float64, which holds these numbers exactly",
        "delay < 5000.5 is True, as it is of the exact numbers",
    ],
    "time - 9999999999999999999 < 0": [
        f"time - 9999999999999999999: uint64 {(TIME - 9999999999999999999) % 2**64}, to which "
        f"{TIME - 9999999999999999999} wraps, which becomes {float((TIME - 9999999999999999999) % 2**64):.0f}",
        "0: int64 0",
        LOSES,
        "time - 9999999999999999999 < 0 is False, but True of the exact numbers",
    ],
    "time < limit < delay": ["`jit why` takes one comparison of two numbers, A < B, not `time < limit < delay`"],
    "time <": ["`jit why` takes one comparison of two numbers, A < B, not `time <`"],
    "nothing == 3": ["nothing: not a real number, or + - * of real numbers, whose type is known here", "3: int64 3"],
}


@pytest.mark.parametrize("level", ["", "stock"])
def test_operands_have_types_and_the_result_is_the_programs(level: str) -> None:
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    stop = f"{PROGRAM.name}:{next(n for n, text in enumerate(lines, 1) if '# at: stop' in text)}"
    env = {"JITSCOPE_LEVEL": level, "NUMBA_DEBUGINFO": "1", "NUMBA_OPT": "0"}
    commands = [f"break {stop}", "run", *(f"jit why {text}" for text in ANSWERS), "jit why -json time >= limit"]
    done = harness.run([*commands, "jit up", "jit why time >= limit"], program=PROGRAM, env=env)
    for text, answer in ANSWERS.items():
        assert done.of(f"jit why {text}").splitlines() == answer
    found = json.loads(done.of("jit why -json time >= limit"))
    jsonschema.validate(found, json.loads((SCHEMAS / "why.json").read_text(encoding="utf-8")))
    assert (found["compared_as"], found["result"], found["exact_result"]) == ("float64", True, False)
    assert "the interpreter compares numbers exactly: select a compiled function's frame" in done.text


CHECK = """
import operator, random, sys
sys.path.insert(0, sys.argv[1])
from jitscope_source.statements import comparisons
import numpy as np
from numba import njit, types
from numba.core.registry import cpu_target
KINDS = ["bool", *(f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)), "float32", "float64"]
SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
compiled = {sign: njit(eval(f"lambda a, b: a {sign} b")) for sign in SIGNS}
compiled["<"](1, 2)
pick, count = random.Random(5), 0


def number(kind):
    if kind == "bool":
        return pick.random() < 0.5
    if kind.startswith("float"):
        return float(np.dtype(kind).type(pick.choice((0.5, 2.0**53, 2.0**60, -3.25, 1e30))))
    span = np.iinfo(kind)
    near = [int(span.min), int(span.max), 2**53 + pick.randint(-2, 2), 2**60 + pick.randint(-200, 200), 5]
    return pick.choice([each for each in near if span.min <= each <= span.max])


for first in KINDS:
    for second in KINDS:
        kind = comparisons.compared_as(first, second)
        for sign, function in SIGNS.items():
            given = tuple(types.boolean if each == "bool" else getattr(types, each) for each in (first, second))
            found = cpu_target.typing_context.resolve_function_type(function, given, {}).args
            assert [str(each) for each in found] == [kind] * 2, (first, second, sign, kind, found)
        if pick.random() < 0.5:  # each pair takes time to compile
            continue
        sign = pick.choice(list(SIGNS))
        for _ in range(9):
            values = [number(first), number(second)]
            names = {"a": (first, values[0]), "b": (second, values[1])}
            read = comparisons.read(f"a {sign} b", names.get)
            typed = [bool(v) if k == "bool" else np.dtype(k).type(v) for k, v in names.values()]
            assert read.holds(False) == compiled[sign](*typed), (first, second, sign, values)
            assert read.holds(True) == SIGNS[sign](*values)
            count += 1
for first in KINDS[1:9]:
    for second in KINDS[1:9]:
        for sign in pick.choice(("+", "-", "*", "", "")):
            values = [number(first), number(second)]
            names = {"a": (first, values[0]), "b": (second, values[1])}
            side = comparisons.read(f"a {sign} b < 0", names.get).operands[0]
            function = njit(eval(f"lambda a, b: a {sign} b"))
            result = function(*(np.dtype(k).type(v) for k, v in names.values()))
            assert str(function.nopython_signatures[0].return_type) == side.kind and int(result) == side.value
            count += 1
print(count)
"""


@pytest.mark.parametrize("python", numba_pythons().values(), ids=numba_pythons())
def test_the_rules_are_numbas(python: str) -> None:
    command, env = [python, "-c", CHECK, str(ROOT / "gdbext")], {**os.environ, "JITSCOPE": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=500)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split()[-1]) > 400
