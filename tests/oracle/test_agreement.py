"""The oracle's own judgement, without a debugger: each kind of false display is found, and labels are none."""

from __future__ import annotations

import ast
import random
from typing import Any

import numpy as np
import pytest

from tests.oracle.hooked.agreement import GDB, JITSCOPE, disagreements
from tests.oracle.hooked.faults import with_fault
from tests.oracle.hooked.judge import MISLABEL, OLDER, Shown, State, judge
from tests.oracle.hooked.places import misnamed
from tests.oracle.truth.snapshot import encode
from tests.oracle.truth.values import CONTENT, EXACT, LABEL, WRONG, compare, compare_text, from_json

PROGRAM = """
def small0(n):
    return n + 1

def work0(a):
    try:
        s = small0(a)
    except Exception:
        s = 0
    return s

CALLS = [lambda: work0(1)]
"""


def rendered(value: Any) -> Any:
    """As `jit locals -json` has it."""
    if isinstance(value, np.ndarray):
        return {"shape": [*value.shape], "data": value.tolist()}
    if isinstance(value, (list, set)):
        return {type(value).__name__: [rendered(item) for item in value], "length": len(value)}
    if isinstance(value, dict):
        return {"dict": [[key, rendered(item)] for key, item in value.items()], "length": len(value)}
    return {"tuple": [rendered(item) for item in value]} if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    ("value", "other", "verdict"),
    [
        (np.arange(3.0), np.array([0.0, 1.0, 2.5]), CONTENT),
        (np.arange(3.0), np.arange(4.0), WRONG),
        ([1, 2], [1, 3], CONTENT),
        ([1, 2], [1], CONTENT),
        ([[1.0], [2.0]], [[1.0], [3.0]], CONTENT),
        ({1, 5}, {1, 6}, CONTENT),
        ({1: 0.5}, {1: 0.75}, CONTENT),
        ({1: 0.5}, {2: 0.5}, CONTENT),
        ((1, [2.0]), (1, [3.0]), CONTENT),
        ((1, [2.0]), (2, [2.0]), WRONG),
    ],
)
def test_items_are_compared(value: Any, other: Any, verdict: str) -> None:
    assert compare(from_json(rendered(value)), encode(value)) == EXACT
    assert compare(from_json(rendered(other)), encode(value)) == verdict


def test_text_is_read() -> None:
    assert compare_text("([1, 2], array([0., nan]))", encode(([1, 2], np.array([0, np.nan])))) == EXACT
    assert compare_text("([1, 2], array([0., 1.]))", encode(([1, 2], np.array([0, np.nan])))) == CONTENT
    assert compare_text("DictType[int64,float64]<iv=None>({1: 2.5})", encode({1: 2.5})) == EXACT
    assert compare_text("DictType[int64,float64]<iv=None>({1: 2.0})", encode({1: 2.5})) == CONTENT
    assert compare_text("P(x=9, y=2.5)", encode((9, 2.5))) == EXACT
    assert compare_text("(1, <optimized out>)", encode((1, 2))) == LABEL


def verdict_of(text: str, truth: Any) -> str:
    value = {"t": "opaque", "text": text}
    shown = [Shown("gdb", "a", text, value, "may be older" in text)]
    (found,) = judge(shown, State({"a": encode(truth)}, {"a"}), True)
    return found.verdict


def test_labels_are_not_false() -> None:
    age = " <elements may be older: the loop at hang.py:6 keeps them in registers>"
    assert verdict_of("array([0., 2.])", np.array([0.0, 1.0])) == CONTENT
    assert verdict_of("array([0., 2.])" + age, np.array([0.0, 1.0])) == OLDER
    assert verdict_of("array([0., 1.])" + age, np.array([0.0, 1.0])) == EXACT
    assert verdict_of("<optimized out>", 1) == LABEL
    assert verdict_of("<unassigned>", 1) == MISLABEL


def texts(**changed: str) -> dict[str, dict[str, str]]:
    return {name: {"x": changed.get(name.replace(" ", "_"), "1")} for name in (*GDB, *JITSCOPE)}


def test_surfaces_that_differ_are_found() -> None:
    assert not disagreements(texts())
    for name in (*GDB, *JITSCOPE):
        assert disagreements({**texts(), name: {"x": "2"}}), name
    for name in (*GDB[:3], *JITSCOPE[:3]):
        assert disagreements({**texts(), name: {}}), name
    unknown = {name: {"x": "<unassigned>"} for name in JITSCOPE}
    out = {name: {"x": "<optimized out>"} for name in GDB}
    assert not disagreements({**unknown, **out})
    parts = {"mi": {"x": "{data = <optimized out>, shape = {<optimized out>}}"}}
    assert not disagreements({**unknown, **out, **parts})
    assert disagreements({**unknown, **out, "mi": {"x": "{data = <optimized out>, size = 4}"}})
    assert not disagreements({**texts(), **out})  # jitscope computes more than its tables can say
    assert disagreements({**texts(), **unknown})


def test_a_line_of_another_function_is_found() -> None:
    functions = {"work0": {"first": 5, "last": 10}, "small0": {"first": 2, "last": 3}}
    assert not [*misnamed(functions, {"name": "work0", "line": 7})]
    assert [*misnamed(functions, {"name": "work0", "line": 3})]
    assert [*misnamed(functions, {"name": "work0", "line": 20})]


def test_a_fault_is_where_nothing_catches_it() -> None:
    """The interpreter has IndexError at the fault, and nowhere else."""
    sites = set()
    for seed in range(40):
        program = with_fault(PROGRAM, random.Random(seed))
        space: dict[str, Any] = {"np": np}
        exec(compile(ast.parse(program), "program", "exec"), space)
        assert [call() for call in space["CALLS"]]
        (function,) = [node for node in ast.parse(program).body if getattr(node, "name", "") == "work0"]
        sites.add("far]" in ast.unparse(function))
    assert sites == {True, False}
