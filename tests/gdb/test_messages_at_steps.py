"""Messages at level steps about a parallel loop whose index is assigned, whose lines share many elements and whose
program has used up the addresses that calls at lines need."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

SHARED = 130  # lines, each with an element of its own that all workers read and write: 260 pairs, and 256 are compared
PROGRAM = f"""\
import ctypes

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
PRIVATE, ANONYMOUS, BELOW_2_GIB, NO_RESERVE = 0x2, 0x20, 0x40, 0x4000
size = 1 << 30
while size >= 4096:
    if libc.mmap(None, size, 0, PRIVATE | ANONYMOUS | BELOW_2_GIB | NO_RESERVE, -1, 0) == ctypes.c_void_p(-1).value:
        size //= 2

import jitscope
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def loop(a, k):
    for i in prange(a.shape[0]):  # header
        if k is not None:
            a[i] += k  # pruned
{"".join(f"        a[{n}] += i" + chr(10) for n in range(SHARED))}\
        i = 1000
        a[0] = i  # assigned
        if k is not None:
            a[0] = k  # last
    return a  # after


loop(np.ones({SHARED}), None)
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
            "catch load libjitscope", "run", "jit region -record", "delete",
            "break loop", "continue", "jit region -record", f"jit gather {at('pruned')}", f"jit gather {at('last')}",
            f"jit gather {at('assigned')}", f"break {at('assigned')} if $_thread == 1", "continue",
            "jit threads",
            "set backtrace limit 1", "continue", "jit finish -region", "jit threads", "set backtrace limit unlimited",
            "delete", f"break {at('after')}", "continue", "jit region -writes",
        ],
        program=program,
        env=ENVIRONMENT,
    )  # fmt: skip


def test_a_program_that_is_just_loading_jitscope(steps: Transcript) -> None:
    loading = "it is only just being loaded (`continue`, and try again), or it is an older one"
    assert steps.of("jit region -record") == f"the program's jitscope records no reads and writes: {loading}"


@pytest.mark.parametrize("mark", ["pruned", "last"])
def test_a_line_whose_branch_numba_has_removed(steps: Transcript, mark: str) -> None:
    assert steps.of(f"jit gather {at(mark)}") == f"{at(mark)}: the compiler has left no code of this line"


def test_no_address_is_free_for_calls_at_lines(steps: Transcript) -> None:
    text = "this program's workers gather at `start` and `breakpoint` only"
    assert steps.of(f"jit gather {at('assigned')}") == text


def test_an_index_that_the_body_has_assigned(steps: Transcript) -> None:
    text = f"loop, prange at {at('header')}, i = <unknown: its value is outside of this chunk> of "
    assert [line for line in steps.of("jit threads").splitlines() if text in line]


def test_a_thread_that_waits_is_not_unwound(steps: Transcript) -> None:
    assert steps.of("jit finish -region") == "no thread is found that waits for this loop of loop"


def test_a_worker_whose_layer_is_not_known(steps: Transcript) -> None:
    """The thread is not unwound to the code of the layer that has called it."""
    said = steps.of("jit threads", -1).splitlines()[0]
    assert said.startswith(f"* 1  worker 0: loop, prange at {at('header')}, ")


def test_elements_of_more_lines_than_are_compared(steps: Transcript) -> None:
    said = steps.of("jit region -writes").splitlines()
    pairs = [line for line in said if "by worker 0, " in line and line.endswith(" by worker 1")]
    assert len(pairs) == 256 and said[-1] == "  … and more, of other lines"
