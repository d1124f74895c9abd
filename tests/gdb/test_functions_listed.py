"""`jit functions`: copies of a kernel, fastmath flags, and the lines of the variables of parallel loops."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness

PROGRAM = """import numpy as np
from numba import njit, prange

@njit(fastmath=True)
def fast(a):
    return a[0] + a[1]

@njit(parallel=True)
def caller(a, k):
    total = 0.0
    n = a.size
    out = np.zeros(n)
    for i in prange(n):
        w = a[i] * k
        out[i] = w
        total += w
    top = total / n
    for j in prange(n):
        out[j] = top + j
    return out.sum()

@njit
def last(x):
    return x + 1

v = np.arange(1000.0)
fast(v)
caller(v, 2.0)
last(1)
"""
LAST = 24
COMMANDS = [f"break listed.py:{LAST}", "run", "jit functions", "jit functions -types caller", "jit functions -json"]


@pytest.fixture(scope="module", params=["steps", "stock"])
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    program = tmp_path_factory.mktemp("listed") / "listed.py"
    program.write_text(PROGRAM, encoding="utf-8")
    debug = {"NUMBA_DEBUGINFO": "1", "NUMBA_NUM_THREADS": "2", "JITSCOPE_LEVEL": request.param}
    return harness.run(COMMANDS, program=program, env=debug)


def lines_of(session: harness.Transcript, header: int) -> dict[str, str]:
    """Return what `jit functions -types` says of the variables of the function of this line, by name."""
    blocks = re.split(r"^(?=\S)", session.of("jit functions -types caller"), flags=re.M)
    block = next(each for each in blocks if f"  listed.py:{header}  " in each)
    return dict(re.findall(r"^    (\w+) +: .*?  \((.*)\)$", block, re.M))


def test_a_kernel_is_listed_once_with_the_number_of_its_copies(session: harness.Transcript) -> None:
    kernels = [text for text in session.of("jit functions").splitlines() if "  listed.py:13  " in text]
    assert len(kernels) == 1 and re.search(r"0x\w+\.\.0x\w+ and \d cop(y|ies)$", kernels[0]), session.text


def test_json_lists_each_copy(session: harness.Transcript) -> None:
    assert len(re.findall(r'"kind": "parfor-kernel".*?"line": 13,', session.of("jit functions -json"))) > 1


def test_variables_of_the_body_have_the_lines_of_the_source(session: harness.Transcript) -> None:
    found = lines_of(session, 13)
    assert found["total"] == "line 16" and found["w"] == "line 14", session.text


def test_variables_of_the_caller_have_the_lines_of_the_source(session: harness.Transcript) -> None:
    expected = {
        "total": "line 10, 16",
        "n": "line 11",
        "i": "line 13",
        "w": "line 14",
        "top": "line 17",
        "j": "line 18",
    }
    found = lines_of(session, 9)
    assert found == {**expected, "total": found["total"], "a": "argument", "k": "argument", "out": "line 12"}
    assert found["total"] in ("line 10", "line 10, 16"), session.text


def test_fastmath_without_debug_information_is_named_as_the_help_says(tmp_path_factory: pytest.TempPathFactory) -> None:
    program = tmp_path_factory.mktemp("fast") / "listed.py"
    program.write_text(PROGRAM, encoding="utf-8")
    shown = harness.run([*COMMANDS[:3], "help jit functions"], program=program, env={"JITSCOPE_LEVEL": ""})
    assert "  lines (fastmath)  fastmath  0x" in shown.of("jit functions"), shown.text
    assert "lines (fastmath)" in shown.of("help jit functions")
