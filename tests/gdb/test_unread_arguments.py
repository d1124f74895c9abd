"""Arguments that stock, optimised code does not read are shown from the frame that unpacked them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.gdb.harness import line_of, run
from tests.interpreters import numba_pythons
from tests.minutes import MATRIX

NUMBERS = (5, 0, -7, 2**30 - 1, 2**30, -(2**31), 2**59 + 12345, 2**60, -(2**60) - 1, 2**62 + 3, -(2**63), 2**63 - 1)
# Stops after those: three in `declared`, one in `unread` from compiled code, one in `undescribed`, two in `assigned`.
OTHERS = 7


# One GDB for each Numba.
pytestmark = pytest.mark.xdist_group("unread-arguments")


def shown(text: str) -> dict[str, tuple[str, Any]]:
    return {row["name"]: (row["state"], row["text"]) for row in json.loads(text)}


@pytest.fixture(
    scope="module",
    params=[(name, opt) for name in numba_pythons() for opt in (("1", "3") if MATRIX else ("3",))],
    ids=str,
)
def stops(request: pytest.FixtureRequest) -> list[tuple[dict[str, tuple[str, Any]], str]]:
    name, opt = request.param
    marks = ("here", "declared", "undescribed", "before", "assigned")
    commands = [f"break unread.py:{line_of('unread.py', mark)}" for mark in marks]
    commands += ["run"] + ["continue"] * 3  # the calls that compile them
    for _ in range(len(NUMBERS) + OTHERS):
        commands += ["jit locals -json", "info args", "continue"]
    done = run(commands, program="unread.py", env={"NUMBA_OPT": opt}, python=numba_pythons()[name])
    assert not done.timed_out
    json_texts = [text for command, text in done.sections if command == "jit locals -json"]
    plain = [text for command, text in done.sections if command == "info args"]
    return [(shown(text), listed) for text, listed in zip(json_texts, plain)]


def test_scalars_are_those_of_their_objects(stops: list[tuple[dict[str, tuple[str, Any]], str]]) -> None:
    for value, (rows, listed) in zip(NUMBERS, stops):
        assert rows["number"] == ("exact", str(value))
        assert rows["real"] == ("exact", repr(value / 4))
        assert rows["flag"] == ("exact", str(value > 2))
        assert rows["pair"] == ("exact", f"({value}, -0.5)")
        assert rows["same"] == ("exact", f"(1, 2, {value})")
        assert f"number = {value}\n" in listed


def test_strings_and_arrays_are_the_wrappers(stops: list[tuple[dict[str, tuple[str, Any]], str]]) -> None:
    for value, (rows, listed) in zip(NUMBERS, stops):
        text = "x" * (abs(value) % 5) + ("é" if value < 0 else "") + ("日" if value % 2 else "")
        assert rows["text"] == ("exact", repr(text))
        assert f"text = {text!r}\n" in listed
        assert rows["items"] == ("exact", "array([0, 2, 4])")
        assert rows["grid"][0] == "exact" and rows["grid"][1].count("[1., 1.]") == 3


def test_objects_of_other_classes_are_not_taken_for_their_values(
    stops: list[tuple[dict[str, tuple[str, Any]], str]],
) -> None:
    subclass, scalars, flags = (rows for rows, _ in stops[len(NUMBERS) : len(NUMBERS) + 3])
    for rows in (subclass, scalars, flags):
        assert all(state == "exact" or text.startswith("<") for state, text in rows.values())
    assert subclass["number"][1] in ("77", "<optimized out>")
    assert scalars["number"][1] in ("12", "<optimized out>")
    assert flags["number"][1] in ("1", "<optimized out>")
    assert flags["real"] == ("exact", "1.5")


def test_what_compiled_code_calls_is_not_what_the_wrapper_holds(
    stops: list[tuple[dict[str, tuple[str, Any]], str]],
) -> None:
    rows, _ = stops[len(NUMBERS) + 3]
    right = {"number": "5", "real": "0.5", "flag": "True", "text": "'inner'", "pair": "(4, 0.25)", "same": "(3, 4, 4)"}
    for name, text in right.items():
        assert rows[name][1] == text or rows[name][0] != "exact", (name, rows[name])


def test_arguments_beside_one_that_is_not_described(stops: list[tuple[dict[str, tuple[str, Any]], str]]) -> None:
    rows, _ = stops[len(NUMBERS) + 4]
    assert rows["number"] == ("exact", "1")  # one is known: the source has its name, the linkage name its type
    assert rows["text"] == ("exact", "'words'")
    assert rows["real"] == ("exact", "2.5")


def test_arguments_that_are_assigned(stops: list[tuple[dict[str, tuple[str, Any]], str]]) -> None:
    """Arguments have the passed values above the assignment, and after it the values that follow from it."""
    (before, _), (behind, _) = stops[len(NUMBERS) + 5 :]
    assert before["number"] == ("exact", "4")
    assert {name: behind[name] for name in ("number", "scale", "total", "turn")} == {
        "number": ("exact", "9"),
        "scale": ("exact", "3"),
        "total": ("exact", "29"),
        "turn": ("exact", "8"),
    }
