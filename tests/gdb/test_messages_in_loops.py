"""Messages about parallel loops: of one whose workers are seen from each other, and of what is recorded of them."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

LOOPS = """\
import numba
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def loop(a, out, k):
    top = k * 3
    for i in prange(a.shape[0]):
        x = a[i] + k
        y = x * 2
        out[i] = y  # line 12
    return top


@njit(debug=True)
def leaf(x):
    return 12 // x


@njit(debug=True, parallel=True)
def divided(a):
    for i in prange(a.shape[0]):
        a[i] = 12 // a[i]  # line 24
        a[i] += 1


@njit(parallel=True)
def hidden(a):
    for i in prange(a.shape[0]):
        a[i] += leaf(a[i])


numba.set_num_threads(2)
loop(np.ones(40), np.zeros(40), 2.0)
hidden(np.ones(40, np.int64))
try:
    divided(np.zeros(40, np.int64))
except ZeroDivisionError:
    pass
"""
ENVIRONMENT = {"NUMBA_NUM_THREADS": "3", "NUMBA_THREADING_LAYER": "omp", "OPENBLAS_NUM_THREADS": "1"}
IN_WORKER = [
    ("jit frame 2", "frame 2 is in thread 1: type `thread 1` first"),
    ("jit why top", "top is exact: the function that started the loop has it, in thread 1"),
    ("jit apply worker y>1 print x",
     "y>1 is not known in workers 0, 1: `jit apply 0 jit why NAME` says why"),
    ("jit finish -region", "the frame of loop is not found in thread 1"),
]  # fmt: skip


@pytest.fixture(scope="module")
def loops(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("loops") / "loops.py"
    program.write_text(LOOPS, encoding="utf-8")
    return harness.run(
        [
            "break loops.py:12 if $_thread == 2", "run", *(command for command, _ in IN_WORKER[:3]),
            "set backtrace limit 1", "jit bt", "jit finish -region", "set backtrace limit unlimited",
            "jit threads", "thread 3", "jit bt", "jit frame", "thread 2", "delete",
            "break leaf if $_thread == 2", "continue", "jit threads", "jit bt", "delete", "jit catch", "continue","print $jit_exception()", "delete",
            "break loops.py:24 if $_thread == 2", "continue", "next", "next", "next"
        ],
        program=program,
        env=ENVIRONMENT,
    )  # fmt: skip


@pytest.mark.parametrize(("command", "text"), IN_WORKER)
def test_in_a_worker(loops: Transcript, command: str, text: str) -> None:
    assert loops.of(command) == text


def test_the_caller_is_not_unwound(loops: Transcript) -> None:
    assert "(the thread that started the region of loop is not found)" in loops.of("jit bt").splitlines()


def test_a_thread_without_python(loops: Transcript) -> None:
    text = "thread 3 runs no Python and no code of the program's: worker 2 of omp: idle"
    assert loops.of("jit bt", 1) == f"({text}; `jit bt -all` shows the native frames)"
    assert loops.of("jit frame") == "`jit bt` shows no frame of this thread"
