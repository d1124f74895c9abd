"""The oracle's own judgement, without a debugger: each kind of false display is found, and labels are not false."""

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
    """Return the value in the form of `jit locals -json`."""
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
    assert compare_text("ListType[P(int64, float64)]([P(x=9, y=2.5)])", encode([(9, 2.5)])) == EXACT
    assert (
        compare_text("DictType[int64,ListType[array(int64, 1d, C)]]<iv=None>({1: [array([2])]})", encode({1: []}))
        != LABEL
    )
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
    assert not disagreements({**texts(), **out})  # jitscope computes more than its tables can show
    assert disagreements({**texts(), **unknown})
    own = {"print": {"x": "<unassigned>"}}  # the name is a word of C
    assert not disagreements({**unknown, **out, **own}) and disagreements({**unknown, **texts(), **own})
    assert disagreements({**texts(), **out, **own})


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


def test_narrow_numbers_are_compared_as_they_are_written() -> None:
    third = np.float32(101) / np.float32(3)
    for shown in (33.666668, float(third)):
        assert compare(from_json(shown), encode(third)) == EXACT
    assert compare(from_json(33.66667), encode(third)) == WRONG
    assert compare_text("(33.666668+0j)", encode(np.complex64(third))) == EXACT
    row = np.array([(1, third)], [("n", np.int8), ("w", np.float32)])
    assert compare_text("array([(1, 33.666668)], dtype=[('n', 'i1'), ('w', '<f4')])", encode(row)) != WRONG
    assert compare_text("(1, 33.666668)", encode(row[0])) == EXACT
    assert compare_text("(1, 33.66667)", encode(row[0])) == WRONG


def test_bytes_are_bytes() -> None:
    kind = "readonly bytes(uint8, 1d, C)"
    assert compare(from_json(repr(b"a\xff\n"), kind), encode(b"a\xff\n")) == EXACT
    assert compare(from_json(repr(b"a\xff"), kind), encode(b"a\xfe")) == WRONG
    assert compare_text(repr(b"a\xff"), encode(b"a\xff")) == EXACT


def test_dates_are_compared() -> None:
    day, days = np.datetime64("2020-01-05"), np.timedelta64(4, "D")
    for shown, value in (("np.datetime64('2020-01-05')", day), ("np.timedelta64(4,'D')", days)):
        assert compare(from_json(shown), encode(value)) == compare_text(shown, encode(value)) == EXACT
    for shown, value in (("np.datetime64('2020-01-06')", day), ("np.timedelta64(4,'h')", days)):
        assert compare(from_json(shown), encode(value)) == compare_text(shown, encode(value)) == WRONG
    assert compare(from_json("np.datetime64('NaT','D')"), encode(np.datetime64("NaT", "D"))) == EXACT
    shown = Shown("gdb", "d", "np.datetime64('2020-01-05')", {"t": "int", "v": 18266})
    for value, verdict in ((day, EXACT), (np.datetime64("2020-01-06"), WRONG)):
        (found,) = judge([shown], State({"d": encode(value)}, {"d"}), True)
        assert found.verdict == verdict
    dates = np.array([day, "NaT"], "datetime64[D]")
    assert compare_text("array(['2020-01-05', 'NaT'], dtype='datetime64[D]')", encode(dates)) == EXACT
    assert compare_text("array(['2020-01-06', 'NaT'], dtype='datetime64[D]')", encode(dates)) == CONTENT
    durations = encode(np.array([4, 5], "timedelta64[D]"))
    assert compare_text("array([4, 5], dtype='timedelta64[D]')", durations) == EXACT
    assert compare_text("array([4, 6], dtype='timedelta64[D]')", durations) == CONTENT
    assert compare({"t": "int", "v": 18267}, encode(day)) == WRONG


def test_elements_that_only_a_printer_reads_are_compared() -> None:
    value = {"t": "array", "dtype": "complex128", "shape": [2], "data": None}
    for text, verdict in (("array([3.5+0.j, 0.-1.j])", EXACT), ("array([3.5+0.j, 0.+1.j])", CONTENT)):
        state = State({"a": encode(np.array([3.5, -1j]))}, {"a"})
        (found,) = judge([Shown("gdb", "a", text, value)], state, True)
        assert found.verdict == verdict
