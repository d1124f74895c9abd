"""`jit catch` of a KeyError: the line says which key is in no dict, where the variables show it, and nothing else."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness

PROGRAM = '''"""Dicts without the key."""

from numba import njit, types
from numba.typed import Dict, List


@njit(debug=True)
def name(d, k):
    found = d[k]
    return found


@njit(debug=True)
def expression(d, k):
    found = d[k + 1]
    return found


@njit(debug=True)
def constant(d, k):
    found = d["none"]
    return found


@njit(debug=True)
def augmented(d, k):
    d[k] += 1
    return k


@njit(debug=True)
def rebinds(d, k):
    k = d[k]
    return k


@njit(debug=True)
def nested(d, k):
    found = d[k][k + 1]
    return found


@njit(debug=True)
def pair(d, k):
    found = d[k, k + 1]
    return found


@njit(debug=True)
def either(d, k):
    found = d[k] + d[k + 1]
    return found


@njit(debug=True)
def listed(d, k):
    found = d[k[0]]
    return found


@njit(debug=True)
def other(d, k):
    return d.pop(k)


@njit(debug=True)
def calls(d, k):
    found = d[k] + other(d, k)
    return found


@njit(debug=True)
def refuses(d, k):
    if k not in d:
        raise KeyError(k)
    return k


def of(key, value, *items):
    made = Dict.empty(key, value)
    for k, v in items:
        made[k] = v
    return made


numbers = of(types.int64, types.int64, (1, 2))
texts = of(types.unicode_type, types.int64, ("a", 1))
inner = types.DictType(types.int64, types.int64)
for function, d, k in (
    (name, numbers, 5),
    (name, texts, "b'\\\\n"),
    (name, of(types.float64, types.int64, (1.5, 1)), 2.5),
    (name, of(types.UniTuple(types.int64, 2), types.int64, ((1, 2), 3)), (1, 3)),
    (expression, numbers, 7),
    (constant, texts, 0),
    (augmented, numbers, 8),
    (rebinds, numbers, 9),
    (nested, of(types.int64, inner, (1, numbers)), 1),
    (nested, of(types.int64, inner, (1, numbers)), 4),
    (pair, of(types.UniTuple(types.int64, 2), types.int64, ((1, 3), 3)), 1),
    (listed, numbers, List([6])),
    (either, numbers, 5),
    (other, numbers, 5),
    (calls, numbers, 5),
    (refuses, numbers, 5),
):
    print(function.__name__, end=" ", flush=True)
    try:
        function(d, k)
    except KeyError as error:
        print("raised", repr(error), flush=True)
'''

# The rest of each line after its place; "": nothing, as two keys are missing, or other code may have looked up the key.
SAID = (
    "`k` = 5 is not in `d`", "`k` = \"b'\\\\n\" is not in `d`", "`k` = 2.5 is not in `d`", "`k` = (1, 3) is not in `d`",
    "key 8 (`k + 1`) is not in `d`", "key 'none' is not in `d`", "`k` = 8 is not in `d`", "`k` = 9 is not in `d`",
    "key 2 (`k + 1`) is not in `d[k]`", "`k` = 4 is not in `d`", "key (1, 2) (`k, k + 1`) is not in `d`",
    "key 6 (`k[0]`) is not in `d`", "", "", "", "",
)  # fmt: skip
IN_A_CALL = " (in code without debug information that it calls)"


@pytest.mark.parametrize("level", ["steps", "exact", "stock"])
def test_the_missing_key_is_named(level: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "missing.py"
    program.write_text(PROGRAM)
    commands = ["jit catch LookupError", "run", *["continue"] * len(SAID)]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": level})
    keys = re.findall(r"^raised KeyError\((.*)\)$", done.text, re.M)
    assert len(keys) == len(SAID), done.text
    place = r"(?:raised in \w+ at missing\.py:\d+|leaves \w+, raised at \w+\.py:\d+)"
    said = re.findall(rf"^Exception KeyError\(…?\) {place}(.*)$", done.text, re.M)
    said = [line.replace(IN_A_CALL, "") for line in said]
    expected = [f": {text}" if text else "" for text in SAID]
    if level == "stock":  # some lines are not known there
        assert all(line in ("", text) for line, text in zip(said, expected, strict=True)), done.text
        assert said.count("") <= 8, done.text
    else:
        assert said == expected, done.text
    for key, line in zip(keys, said, strict=True):  # the interpreter's exception has the key that is named
        assert not line or f"= {key} is" in line or re.match(rf": key {re.escape(key)} ", line), done.text
