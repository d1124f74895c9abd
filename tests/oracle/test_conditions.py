"""Thousands of generated conditions, evaluated by `$py` where the program has stopped, against the interpreter."""

from __future__ import annotations

import json
import operator
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
from tests.programs import conditional_containers, conditional_methods, conditional_widths

STOPS = 10  # stops in the loop's 40 iterations
COUNT = 10_000 if MATRIX else 2_000
TYPED = 60 if MATRIX else 30  # conditions that are typed before the program runs, and stop it
SEED = 20
# Limits that are reported where the condition is evaluated, by their names, because the types are not known before.
LIMITS = re.compile(r"OverflowError: the integer has more than 127 bits|.* is not known here")

# Runs in GDB. A condition that fails is reported by `report.say` once for each text, so the evaluation is called
# itself.
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
        return value in self.array.ravel().tolist()

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.array, name)
        return (lambda: plain(value())) if callable(value) else value


class Element:
    """An array without an axis. NumPy computes with it, in compiled code, too, so that a division by zero gives inf,
    nan or 0; the result is a number, with which the next division by zero raises."""

    def __init__(self, array: Any):
        self.array = array

    def _computed(self, operation: Any, *operands: Any) -> Any:
        values = [each.array if isinstance(each, Element) else each for each in operands]
        with np.errstate(all="ignore"):
            return plain(operation(*values))

    def __getitem__(self, key: Any) -> Any:
        return plain(self.array[key])

    def __bool__(self) -> bool:
        return bool(self.array)


def _of_element(name: str, is_reflected: bool) -> Any:
    operation = getattr(operator, name)

    def method(self: Element, *others: Any) -> Any:
        operands = (*others, self) if is_reflected else (self, *others)
        return self._computed(operation, *operands)

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(Element, f"__{_name}__", _of_element(_name, False))
    setattr(Element, f"__r{_name}__", _of_element(_name, True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "abs"):
    setattr(Element, f"__{_name}__", _of_element(_name, False))
for _name, _type in (("int", int), ("float", float)):
    setattr(Element, f"__{_name}__", lambda self, _type=_type: _type(self.array))


def plain(value: Any) -> Any:
    """Return the value with Python's numbers, except float32, with which both compute."""
    if isinstance(value, np.ndarray):
        return Elements(value) if value.ndim else Element(value)
    return value.item() if isinstance(value, (np.integer, np.bool_, np.float64)) else value


def moments() -> list[dict[str, Any]]:
    """Return the names at the line, by the iteration."""
    names = "n i8 i16 u8 u16 u32 u64 f4 f8 b a m t text".split()
    given = dict(zip(names, map(plain, conditional_widths.ARGUMENTS)))
    found, s = [], 0
    for i in range(given["n"]):
        k = i % 7 - 3
        s += k * given["u8"]
        found.append({**given, "i": i, "k": k, "x": given["f8"] * k, "s": s})
    return found


def held_moments() -> list[dict[str, Any]]:
    """Return the names of conditional_containers.py at the line, by the iteration. Typed containers and instances are
    the interpreter's own objects of the same contents."""
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
        now |= {
            "word": "long" if k > 0 else "short",
            "i": i,
            "k": k,
            "maybe": None if i % 3 == 0 else i,
            "pair": (i, words[i % 3]),
        }
        now |= {"records": Records(given["records"]), "z8": [complex(each) for each in given["z8"]]}
        now |= {name: plain(given[name]) for name in ("flags", "view", "zero")}
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


def method_moments() -> list[dict[str, Any]]:
    """Return the names of the method of conditional_methods.py at the line, by the call."""
    seen, rows, counts, places, grid = conditional_methods.contents()
    seen, rows = list(seen), [list(row) for row in rows]
    counts, places = dict(counts.items()), dict(places.items())
    found, total = [], 0
    for x in range(40):
        before, total = total, total + x
        seen, rows, counts = [*seen, x], [[*rows[0], x * 0.5], rows[1]], {**counts, "b": x}
        places = {**places, x: (np.float32(x + 1), np.float32(0.1))}
        span = types.SimpleNamespace(low=-4, high=None if x % 3 == 0 else x / 2, wide=(1 << 64) - 1)
        ledger = types.SimpleNamespace(
            total=total, last=x if x % 3 == 0 else None, span=span, seen=seen, rows=rows, counts=counts, places=places,
            grid=plain(grid), name="ledger", is_open=x % 2 == 1,
        )  # fmt: skip
        now = {"self": ledger, "x": x, "extra": (x % 4, "ab"), "before": before}
        found.append({**now, "doubled": None if x % 2 == 0 else x * 2})
    return found


# The program, its names at the line by the iteration, and the function that makes conditions on them.
CASES = {
    "conditional_widths.py": (moments, condition_cases.condition),
    "conditional_containers.py": (held_moments, condition_cases.held_condition),
    "conditional_methods.py": (method_moments, condition_cases.method_condition),
}
INDEX = {"conditional_methods.py": "x"}  # the name of the iteration, if it is not `i`
DEFAULT = {"JITSCOPE_LEVEL": ""}  # as a user starts a program
# without it no method of a jitclass has lines
ENVIRONMENT = {"conditional_methods.py": {**DEFAULT, "NUMBA_DEBUGINFO": "1"}}


def compared(folder: pathlib.Path, program: str, count: int, seed: int) -> tuple[list[Any], list[str]]:
    """Return those of `count` conditions that have another answer in GDB than in the interpreter, and those that are
    refused."""
    names_at, make = CASES[program]
    cases = condition_cases.generate(count, seed, make)
    shares = [cases[n::STOPS] for n in range(STOPS)]
    (folder / "ask.py").write_text(ASK)
    (folder / "shares.json").write_text(json.dumps(shares))
    out = folder / "answers"
    commands = [
        f"source {folder}/ask.py",
        f"python shares = json.load(open('{folder}/shares.json'))",
        f"break {program}:{line_of(program, 'line')} if {INDEX.get(program, 'i')} % {40 // STOPS} == 1",
        "run",
    ]
    for n in range(STOPS):
        commands += [f"python ask(shares[{n}], '{out}')", "continue"]
    done = harness.run(commands, program=program, env=ENVIRONMENT.get(program, DEFAULT), timeout=300)
    assert out.exists(), done.text[-3000:]
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(answers) == STOPS, done.text[-3000:]
    wrong, refused, known = [], [], names_at()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n, (share, found) in enumerate(zip(shares, answers)):
            names = known[n * (40 // STOPS) + 1]
            for text in share:
                said, right = found[text], condition_cases.answer(text, names)
                if said.get("refused") or LIMITS.fullmatch(said.get("error") or ""):
                    refused.append(text)
                elif said.get("holds") != right:
                    wrong.append((text, said, right))
    assert [set(found) for found in answers] == [set(share) for share in shares]
    return wrong, refused


@pytest.mark.parametrize("program", CASES)
def test_conditions_are_the_interpreters(tmp_path: pathlib.Path, program: str) -> None:
    wrong, refused = compared(tmp_path, program, COUNT, SEED)
    assert not wrong, (len(wrong), wrong[:10])
    assert len(refused) <= COUNT // 10, refused[:10]


@pytest.mark.parametrize("program", CASES)
def test_pending_breakpoints_stop_where_the_interpreter_says(program: str) -> None:
    """The conditions are typed before anything is compiled, and the program runs through."""
    names_at, make = CASES[program]
    known = names_at()
    cases = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in condition_cases.generate(4 * TYPED, SEED + 1, make):
            answers = [condition_cases.answer(text, names) for names in known]
            if None not in answers and len(cases) < TYPED:  # a condition that raises stops once, with a line
                cases.append((text, answers.count(True)))
    line = line_of(program, "line")
    commands = [f"break {program}:{line} if {text}" for text, _ in cases]
    commands += ["python for b in gdb.breakpoints(): b.commands = 'silent\\ncontinue'", "run"]
    commands += ["python print('HITS', [b.hit_count for b in gdb.breakpoints()])"]
    done = harness.run(commands, program=program, env=ENVIRONMENT.get(program, DEFAULT), timeout=300)
    hits = json.loads(done.of(commands[-1]).partition("HITS ")[2] or "[]")
    assert len(cases) == TYPED and len(hits) == TYPED, done.text[-3000:]
    wrong = [(text, found, right) for (text, right), found in zip(cases, hits) if found != right]
    assert not wrong, (wrong, done.of("run")[-3000:])
