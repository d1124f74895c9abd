"""A report names the index that has led outside of an array in functions without debug=True."""

from __future__ import annotations

import pathlib

import pytest

from tests.interpreters import newest_python
from tests.report.ways import SEGV, run

PROGRAM = pathlib.Path(__file__).parent / "programs" / "undecorated.py"


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("field_of", "`i` = 1000000000 is outside axis 0 of `points` (4 elements): "),
        ("named_field", "index 1000000000 (`k + i`) is outside axis 0 of `points` (4 elements): "),
        ("row_field", "`j` = 1000000000 is outside axis 1 of `grid` (2 elements): "),
    ],
)
def test_arrays_of_records(kind: str, cause: str) -> None:
    """The layout of the records is not in the code; the array has the size of one."""
    done = run(newest_python(), PROGRAM, kind, JITSCOPE_REPORT="1", JITSCOPE_LEVEL="")
    assert done.returncode == SEGV, done.stderr
    lines = done.stderr.splitlines()
    assert lines[1].startswith(cause) and " past the end of its data" in lines[1], lines[:3]


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("in_a_slice", "`i` = 1000000000 is outside axis 0 of `part` (6 elements): "),
        ("of_its_own", "`i` = 1000000000 is outside axis 0 of `own` (20 elements): "),
        ("by_a_function", "`j` = 1000000000 is outside axis 0 of `values` (7 elements): "),
        ("by_a_conversion", "index 1000000000 is outside axis 0 of `values` (5 elements): "),
        ("in_a_loop", "index 1000000000 is outside axis 0 of a caller's `others` (12 elements): "),
        ("in_a_method", "`i` = 1000000000 is outside axis 0 of `self.data` (9 elements): "),
    ],
)
def test_variables_of_own_functions(kind: str, cause: str) -> None:
    """Where crashes are reported, the user's own functions are compiled with their variables, at full speed."""
    done = run(newest_python(), PROGRAM, kind, JITSCOPE_REPORT="1", JITSCOPE_LEVEL="", NUMBA_NUM_THREADS="2")
    assert done.returncode == SEGV, done.stderr
    assert done.stderr.splitlines()[1].startswith(cause), done.stderr.splitlines()[:6]


def test_an_array_in_a_header() -> None:
    """The fault is at the array that is iterated; the index of another one on the line leads everywhere."""
    done = run(newest_python(), PROGRAM, "by_a_header", JITSCOPE_REPORT="1", JITSCOPE_LEVEL="")
    assert done.returncode == SEGV, done.stderr
    assert " was accessed: nothing may access this memory" in done.stderr.splitlines()[1], done.stderr.splitlines()[:6]
