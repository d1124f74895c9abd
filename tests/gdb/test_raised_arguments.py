"""Arguments of inlined functions where they raise, at level exact."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness

PROGRAM = """import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass

@njit(boundscheck=True, debug=True)
def at(a, i, shift, scale):
    j = i * 2 + shift
    return a[j] * scale

@njit(debug=True)
def limited(x, limit):
    if x > limit:
        raise ValueError("too large")
    return x

@njit(boundscheck=True, debug=True)
def inner(a, row, col):
    return a[row, col]

@njit(boundscheck=True, debug=True)
def row_sum(a, row, n, bias):
    s = bias
    for c in range(n):
        s += inner(a, row, c)
    return s

@njit(boundscheck=True, debug=True)
def shifted(a, n, m):
    total = 0.0
    shift = m
    for i in range(n):
        shift += 1
        total += at(a, i, shift, 2.0)
        shift -= 2
    return total

@njit(debug=True)
def summed(a, limit):
    total = 0.0
    for x in a:
        total += limited(x, limit)
    return total

@njit(boundscheck=True, debug=True)
def nested(a, n, rows):
    s = 0.0
    bias = 0.5
    for r in range(rows):
        bias = bias * 2
        s += row_sum(a, r, n, bias)
    return s

@jitclass([("data", float64[:]), ("n", int64)])
class Box:
    def __init__(self, n):
        self.data = np.arange(float(n))
        self.n = n

    def at(self, i, scale):
        if i >= self.n:
            raise IndexError("no such item")
        return self.data[i] * scale

@njit(debug=True)
def boxed(b, m, scale):
    s = 0.0
    for q in range(m):
        s += b.at(q, scale)
    return s

def calls(function, *arguments):
    try:
        function(*arguments)
    except (IndexError, ValueError):
        pass

a = np.arange(20.0)
calls(shifted, a, 30, 3)
calls(summed, a, 6.5)
calls(nested, a.reshape(5, 4), 4, 7)
calls(boxed, Box(4), 6, 0.5)
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    program = tmp_path_factory.mktemp("raised") / "raised.py"
    program.write_text(PROGRAM, encoding="utf-8")
    commands = ["jit catch IndexError", "jit catch ValueError", "run", "jit args", "info args"]
    commands += ["continue", "jit args", "continue", "jit bt 2", "continue", "jit args"]
    return harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "exact", "NUMBA_DEBUGINFO": "1"})


def test_an_argument_is_the_variable_that_was_passed(session: harness.Transcript) -> None:
    shown = session.of("jit args").splitlines()
    assert shown[1:3] == ["i = 16", "shift = -12"], session.text


def test_gdb_s_own_command_shows_it(session: harness.Transcript) -> None:
    assert "\nshift = -12\n" in session.of("info args"), session.text


def test_the_last_argument_is_shown_beside_one_without_a_value(session: harness.Transcript) -> None:
    assert session.of("jit args", 1).splitlines()[1] == "limit = 6.5", session.text


def test_functions_that_are_inlined_in_one_another_have_theirs(session: harness.Transcript) -> None:
    first, second = re.findall(r"^#\d .*", session.of("jit bt 2"), re.M)
    assert "inner (a=array(float64, shape=(5, 4)), row=5, col=0)" in first, session.text
    assert "row_sum (a=array(float64, shape=(5, 4)), row=5, n=4, bias=32.0)" in second, session.text


def test_a_method_has_its_object_and_arguments(session: harness.Transcript) -> None:
    shown = session.of("jit args", 2).splitlines()
    assert shown == ["self = Box(data=array([0., 1., 2., 3.]), n=4)", "i = 4", "scale = 0.5"], session.text
