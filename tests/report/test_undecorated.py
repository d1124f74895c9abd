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
