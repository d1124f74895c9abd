"""Indices outside of arrays that a list, a tuple or a dict holds, or that are a field of records: at the fault, and
where IndexError is raised."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

PROGRAM = """import numpy as np
from numba import njit
from numba.typed import Dict, List

POINT = np.dtype([("x", "f8"), ("y", "i4")])


@njit(boundscheck={checked})
def item(rows, j, i):
    return rows[j][i]  # at: item


@njit(boundscheck={checked})
def field(points, i):
    return points["x"][i] + 1  # at: field


@njit(boundscheck={checked})
def keyed(arrays, key, items, i):
    return arrays[key][2] + items[i]  # at: keyed


def attempt(function, *arguments):
    try:
        function(*arguments)
    except (IndexError, SystemError):
        pass


arrays = Dict()
arrays[7] = np.ones(6)
rows = List([np.ones(3), np.ones(5), np.ones(7)])
attempt(item, rows, 1, {far})
attempt(item, (np.ones(3), np.ones(4)), -1, {far})
attempt(field, np.zeros(5, POINT), {far})
if {checked}:
    attempt(item, rows, 4, 5)
    attempt(keyed, arrays, 7, List([1.0, 2.0]), 3)
"""
IN_A_CALL = " (in code without debug information that it calls)"
LIST_ERROR = "Exception IndexError('list index out of range') raised in "
ARRAY_ERROR = "Exception IndexError('index is out of bounds') raised in "


@pytest.fixture(scope="module")
def raised(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    program = tmp_path_factory.mktemp("held") / "held.py"
    program.write_text(PROGRAM.format(checked=True, far=9), encoding="utf-8")
    commands = ["jit catch IndexError", "run", *["continue"] * 4]
    text = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""}).text
    return [line for line in text.splitlines() if line.startswith("Exception ")]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    program = tmp_path_factory.mktemp("held") / "held.py"
    program.write_text(PROGRAM.format(checked=False, far=10**10), encoding="utf-8")
    leave = pathlib.Path(__file__).parent.parent / "oracle" / "faults" / "session.py"
    commands = [f"source {leave}", "set confirm off", "handle SIGSEGV nopass", "run"]
    commands += ["leave-fault", "continue", "leave-fault", "continue"]
    text = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""}).text
    return [line.split(": address 0x")[0] for line in text.splitlines() if ": address 0x" in line]


def test_an_item_s_index_at_an_index_error(raised: list[str]) -> None:
    place = "item at held.py:10: "
    assert raised[0] == f"{ARRAY_ERROR}{place}`i` = 9 is outside axis 0 of `rows[1]` (5 elements)"
    assert raised[1] == f"{ARRAY_ERROR}{place}`i` = 9 is outside axis 0 of `rows[-1]` (4 elements)"


def test_a_field_s_index_at_an_index_error(raised: list[str]) -> None:
    text = 'field at held.py:15: `i` = 9 is outside axis 0 of `points["x"]` (5 elements)'
    assert raised[2] == ARRAY_ERROR + text


def test_an_index_outside_of_a_list_itself(raised: list[str]) -> None:
    assert raised[3] == f"{LIST_ERROR}item at held.py:10{IN_A_CALL}: `j` = 4 is outside of `rows` (3 items)"


def test_a_key_of_a_dict_is_not_blamed(raised: list[str]) -> None:
    assert raised[4] == f"{LIST_ERROR}keyed at held.py:20{IN_A_CALL}: `i` = 3 is outside of `items` (2 items)"


def test_faults_name_the_item_and_the_field(faults: list[str]) -> None:
    far = f"`i` = {10**10} is outside axis 0 of "
    assert faults == [
        f"{far}`rows[1]` (5 elements)",
        f"{far}`rows[-1]` (4 elements)",
        f'{far}`points["x"]` (5 elements)',
    ]
