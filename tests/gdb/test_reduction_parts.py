"""Reduction variables in the body of a parallel loop: each worker has its own part, and the display says so."""

from __future__ import annotations

import pytest

from tests.gdb import harness

PROGRAM = """import numpy as np
from numba import njit, prange

@njit(parallel=True)
def reduced(a, most, start):
    count = 0
    scratch = 0.0
    limit = 700.0
    sums = np.zeros(2)
    for i in prange(a.size):
        most = max(most, a[i])
        count += 1
        scratch = a[i] * 2
        scratch += start
        sums += a[i]
        if a[i] == limit:
            a[i] = scratch
    return most, count, sums

print(*reduced(np.arange(1000.0), 0.0, 2.0))
"""
PART = "[this worker's own part]"
STOP = 17


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    program = tmp_path_factory.mktemp("reduced") / "reduced.py"
    program.write_text(PROGRAM, encoding="utf-8")
    commands = [f"break reduced.py:{STOP}", "run", "jit locals", "jit locals -json", "jit why count", "jit why scratch"]
    return harness.run(
        [*commands, "frame 1", "jit locals"], program=program, env={"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "4"}
    )


def marked(text: str) -> set[str]:
    return {line.split(" = ")[0] for line in text.splitlines() if line.endswith(PART)}


def test_reductions_are_called_the_worker_s_own_part(session: harness.Transcript) -> None:
    assert marked(session.of("jit locals")) >= {"count", "most", "sums"}, session.text


def test_other_variables_are_not(session: harness.Transcript) -> None:
    lines = session.of("jit locals").splitlines()
    assert "scratch = 1402.0" in lines and "i = 700" in lines, session.text
    assert marked(session.of("jit locals")) <= {"count", "most", "sums"}


def test_json_has_the_part(session: harness.Transcript) -> None:
    assert session.of("jit locals -json").count('"part"') == 3, session.text


def test_why_says_what_a_part_is(session: harness.Transcript) -> None:
    note = "count is this worker's own part: the loop's end puts the parts together"
    assert note in session.of("jit why count").splitlines(), session.text
    assert "own part" not in session.of("jit why scratch")


def test_no_frame_outside_of_the_loop_has_parts(session: harness.Transcript) -> None:
    assert marked(session.of("jit locals", -1)) == set(), session.text
