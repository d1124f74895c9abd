"""`jit why` of a variable that the compiler keeps, but whose value is none."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

PROGRAM = """import numba
import numpy as np


@numba.guvectorize(["void({signature})"], "{layout}")
def foo(arr):
    n = len(arr)
    print(n)


foo({given})
"""
# signature, layout, what is given, and what its strides are not
CASES = {
    "no strides": ("int64[::1]", "(n)", "np.broadcast_to(np.array([4]), (3,))", "strides (0,) are not C order"),
    "a column": ("int64[::1]", "(n)", "np.arange(12).reshape(4, 3).T[0]", "strides (24,) are not C order"),
    "a matrix": ("float64[:, ::1]", "(n,m)", "np.ones((3, 2)).T", "strides (8, 16) are not C order"),
    "by columns": ("float64[::1, :]", "(n,m)", "np.ones((3, 2))", "strides (16, 8) are not F order"),
}


@pytest.mark.parametrize("case", CASES)
def test_strides_that_contradict_the_signature(case: str, tmp_path: pathlib.Path) -> None:
    signature, layout, given, label = CASES[case]
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(signature=signature, layout=layout, given=given))
    commands = ["break program.py:8", "run", "jit print arr", "jit why arr", "jit why n"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""})
    assert done.of("jit print arr") == f"<unknown: {label}>", done.text
    assert done.of("jit why arr") == (
        f"arr is unknown: {label}, which its type promises: compiled code reads its elements from other places than "
        "NumPy does\nwrite `:` instead of `::1` in the function's signature"
    )
    assert done.of("jit why n").startswith("n is exact: the compiler keeps it here")
