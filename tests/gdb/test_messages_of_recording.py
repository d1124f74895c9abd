"""Messages about what workers read and write, and about where they gather, at level steps."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

ARRAYS = [f"a{n}" for n in range(34)]  # two more than there is room for
MANY = "".join(f"        {name}[0] = i\n" for name in ARRAYS)
PROGRAM = f"""\
import jitscope
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def many({", ".join(ARRAYS)}):
    for i in prange(4):
{MANY}    return 0


@njit(debug=True, parallel=True)
def busy(a):
    for i in prange(a.shape[0]):
        b, c, d, e = i, i, i, i
        f, g, h = b, c, d
        k = a[i] + b + c + d + e
        a[i] = (k + f  # here
            + g + h)  # behind
    return a


@njit(debug=True, parallel=True)
def plane(a):
    return a + 1.0  # both


@njit(debug=True, parallel=True)
def late(a):
    for i in prange(a.shape[0]):
        a[0] = i  # entered
    return a  # after


@njit(debug=True, parallel=True)
def apart(a):
    for i in prange(a.shape[0]):
        a[i] = i  # alone
    return a  # left


many(*[np.ones(4) for _ in range(34)])
busy(np.ones(12))
plane(np.ones((8, 8)))
late(np.ones(12))
apart(np.ones(12))
"""


def at(mark: str) -> str:
    """Return the place of the line with this mark."""
    lines = PROGRAM.splitlines()
    return f"steps.py:{next(n for n, line in enumerate(lines, 1) if line.endswith(f'# {mark}'))}"


ENVIRONMENT = {
    "JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "omp", "OPENBLAS_NUM_THREADS": "1",
}  # fmt: skip


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("steps") / "steps.py"
    program.write_text(PROGRAM, encoding="utf-8")
    return harness.run(
        [
            "jit region -record", "break busy", "run", "jit region -writes",
            "jit region -record off", f"jit gather {at('behind')}", f"jit gather {at('here')}", "delete",
            "break plane", "continue", "jit gather start", "jit threads", "delete",
            f"break {at('entered')} if $_thread == 2", "continue", "jit region -record",
            "delete", f"break {at('after')}", "continue", "jit region -writes", "jit region -record off",
            f"break {at('alone')} if $_thread == 2", "continue", "jit region -record",
            "delete", f"break {at('left')}", "continue", "jit region -writes",
        ],
        program=program,
        env=ENVIRONMENT,
    )  # fmt: skip


NO_ROOM = "accesses are not recorded, since a loop has room for 256 MiB, 1024 lines and 32 arrays"


def test_a_loop_with_too_many_arrays(steps: Transcript) -> None:
    said = steps.of("jit region -writes").splitlines()
    assert [line for line in said if "room" in line] == [f"worker {n}: {NO_ROOM}" for n in (0, 1)]


@pytest.mark.parametrize("mark", ["here", "behind"])
def test_a_worker_with_many_variables(steps: Transcript, mark: str) -> None:
    said = steps.of(f"jit gather {at(mark)}", -1).splitlines()
    assert [line for line in said if " more: " in line] == [
        f"    and 2 more: `jit apply {n} info locals`" for n in (0, 1)
    ]


def test_a_chunk_of_two_dimensions(steps: Transcript) -> None:
    place = f"steps.py:{at('both').rpartition(':')[2]}"
    text = f"worker 1 of omp: plane, prange at {place}, chunk <unknown: the loop has several indices, or works on rows>"
    assert re.search(rf"^[ *]+\d+ +{re.escape(text)}$", steps.of("jit threads"), re.M), steps.text


LATE = "worker 1 was in the loop when recording began: its accesses in that chunk are missing"


def test_a_worker_that_was_in_the_loop_before(steps: Transcript) -> None:
    assert LATE in steps.of("jit region -writes", 1).splitlines()


@pytest.mark.parametrize("number", [1, 2])
def test_nothing_is_claimed_of_what_is_not_recorded(steps: Transcript, number: int) -> None:
    """In `late` both workers write the same element."""
    text = "No worker has used an element that another one has written, as far as it is recorded."
    said = steps.of("jit region -writes", number).splitlines()
    assert said[-1] == text and "none of the loop's arrays" not in "".join(said)
