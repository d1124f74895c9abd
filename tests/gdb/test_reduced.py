"""Reductions of a parallel loop, in the function after the loop: NUMBA_OPT=0, stock Numba."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness

PROGRAM = """import numpy as np
from numba import njit, prange

@njit(debug=True, parallel=True)
def reduced(a, n):
    s = 0.0
    most = 0.0
    least = 9.0
    for i in prange(n):
        s += a[i]
        most = max(most, a[i])
        least = min(least, a[i])
    out = np.zeros(n)
    for j in prange(n):
        out[j] = a[j] * 2
    return s + most + least, out

reduced(np.arange(8) * 0.5 + 1, {count})
"""


@pytest.mark.parametrize(("count", "most", "least"), [(8, 4.5, 1.0), (3, 2.0, 1.0), (0, 0.0, 9.0)])
def test_reduced_variables(count: int, most: float, least: float, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "reduced.py"
    program.write_text(PROGRAM.format(count=count))
    commands = ["break reduced.py:16", "run", "jit locals", "print most", "jit why s"]
    done = harness.run(commands, program=program, env={"NUMBA_OPT": "0", "JITSCOPE": "0"})
    shown = dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals"), re.M))
    assert shown["most"] == str(most), done.text
    assert shown["least"] == str(least), done.text
    assert float(done.of("print most").strip().removeprefix("$1 = ")) == most
    # The function reads it: nothing was removed.
    assert "a parallel loop assigned it, and the compiler does not keep where" in done.of("jit why s")
