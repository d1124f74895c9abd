"""Thousands of generated conditions, evaluated by `$py` where the program has stopped, against the interpreter."""

from __future__ import annotations

import json
import pathlib
import re
import types
import warnings
from typing import Any

import numpy as np
import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.minutes import MATRIX
from tests.oracle import condition_cases
from tests.programs import conditional_containers, conditional_widths

STOPS = 10  # of the loop's 40 iterations
COUNT = 10_000 if MATRIX else 4_000
# Limits that are said where the condition is evaluated, by their names: what the types are is not known before.
LIMITS = re.compile(r"OverflowError: the integer has more than 127 bits|.* is not known here")

# Runs in GDB. A condition that fails says so by `report.say` once a text, so the evaluation is asked itself.
ASK = """
import gdb, json
from jitscope_gdb.breakpoints import condition_text, conditions; from jitscope_gdb.target import target
def ask(cases, out):
    of, frame, found = target.current(), gdb.selected_frame(), {}
    for text in cases:
        read = condition_text.read(text)
        answer = {"refused": read["error"]} if read["error"] else conditions._evaluate(of, frame, read["text"])
        found[text] = answer
    with open(out, "a") as file:
        file.write(json.dumps(found) + "\\n")
"""


class Elements:
    """An array whose elements and sums are Python's numbers: compiled code raises ZeroDivisionError with those of an
    array, too, and does not mix signed and unsigned ones as NumPy does."""

    def __init__(self, array: Any):
        self.array = array

    def __getitem__(self, key: Any) -> Any:
        return plain(self.array[key])

    def __len__(self) -> int:
        return len(self.array)

    def __contains__(self, value: Any) -> bool:
        return value in self.array.tolist()

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.array, name)
        return (lambda: plain(value())) if callable(value) else value


def plain(value: Any) -> Any:
    """Return the value with Python's numbers, but for float32, which both compute with as such."""
    if isinstance(value, np.ndarray):
        return Elements(value)
    return value.item() if isinstance(value, (np.integer, np.bool_, np.float64)) else value


def moments() -> list[dict[str, Any]]:
    """Return the names as they are at the line, by the iteration."""
    names = "n i8 i16 u8 u16 u32 u64 f4 f8 b a m t text".split()
    given = dict(zip(names, map(plain, conditional_widths.ARGUMENTS)))
    found, s = [], 0
    for i in range(given["n"]):
        k = i % 7 - 3
        s += k * given["u8"]
        found.append({**given, "i": i, "k": k, "x": given["f8"] * k, "s": s})
    return found


def held_moments() -> list[dict[str, Any]]:
    """Return the names of conditional_containers.py as they are at the line, by the iteration. Typed containers and
    instances are the interpreter's own objects of the same contents."""
    names = "n box words rows table places point records flags color view z z8 f4s zero text".split()
    given = dict(zip(names, conditional_containers.arguments()))
    words, places = list(given["words"]), dict(given["places"].items())
    found = []
    for i in range(given["n"]):
        k = i % 5 - 2
        inner = types.SimpleNamespace(n=i, weight=given["box"].inner.weight)
        box = types.SimpleNamespace(inner=inner, values=plain(given["box"].values), name=given["box"].name)
        rows = [list(row) for row in given["rows"]]
        rows[0][1] = k
        now = {"words": words, "places": places, "box": box, "rows": rows, "table": {**given["table"], "b": i / 4}}
        now |= {"i": i, "k": k, "maybe": None if i % 3 == 0 else i, "pair": (i, words[i % 3]), "zero": 6}
        now |= {"records": Records(given["records"]), "z8": [complex(each) for each in given["z8"]]}
        now |= {name: plain(given[name]) for name in ("flags", "view")}
        found.append({**given, **now})
    return found


class Records:
    """Records whose fields are Python's values."""

    def __init__(self, array: Any):
        self.array = array

    def __getitem__(self, key: Any) -> Any:
        found = self.array[key]
        if isinstance(key, str):
            return plain(found)
        fields = dict(zip(self.array.dtype.names, found.item()))
        return Record(fields)


class Record(dict[str, Any]):
    __getattr__ = dict.__getitem__


# The program, its names as they are at the line by the iteration, and what makes conditions on them.
CASES = {
    "conditional_widths.py": (moments, condition_cases.condition),
    "conditional_containers.py": (held_moments, condition_cases.held_condition),
}


@pytest.mark.parametrize("program", CASES)
def test_conditions_are_the_interpreters(tmp_path: pathlib.Path, program: str) -> None:
    names_at, make = CASES[program]
    cases = condition_cases.generate(COUNT, 20, make)
    shares = [cases[n::STOPS] for n in range(STOPS)]
    (tmp_path / "ask.py").write_text(ASK)
    (tmp_path / "shares.json").write_text(json.dumps(shares))
    out = tmp_path / "answers"
    commands = [
        f"source {tmp_path}/ask.py",
        f"python shares = json.load(open('{tmp_path}/shares.json'))",
        f"break {program}:{line_of(program, 'line')} if i % {40 // STOPS} == 1",
        "run",
    ]
    for n in range(STOPS):
        commands += [f"python ask(shares[{n}], '{out}')", "continue"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""}, timeout=300)
    assert out.exists(), done.text[-3000:]
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(answers) == STOPS, done.text[-3000:]
    wrong, refused, compared, known = [], 0, 0, names_at()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n, (share, found) in enumerate(zip(shares, answers)):
            names = known[n * (40 // STOPS) + 1]
            for text in share:
                said, right = found[text], condition_cases.answer(text, names)
                if said.get("refused") or LIMITS.fullmatch(said.get("error") or ""):
                    refused += 1
                elif said.get("holds") != right:
                    wrong.append((text, said, right))
                compared += 1
    assert compared == COUNT
    assert not wrong, (len(wrong), wrong[:10])
    assert refused <= COUNT // 10, refused
