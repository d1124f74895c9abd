"""Messages about parallel loops where the program runs without jitscope, so that nothing is recorded of them."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

PROGRAM = """\
import ctypes
import threading
import time

import numpy as np
from numba import njit, prange

usleep = ctypes.CDLL(None).usleep
usleep.argtypes = [ctypes.c_uint]


@njit(debug=True)
def leaf(x):
    return x + 1


@njit(parallel=True)
def hidden(a):
    for i in prange(a.shape[0]):
        a[i] += leaf(a[i])


@njit(debug=True, parallel=True, nogil=True)
def slow(a):
    for i in prange(a.shape[0]):
        usleep(2000)
        a[i] += 1  # line 27


@njit(debug=True)
def both(n):
    return n


def work():
    begin.wait()
    slow(np.ones(4000))


slow(np.ones(2))
hidden(np.ones(40))
begin = threading.Event()
for _ in range(2):  # GDB's threads 3 and 4, and their workers 5 and 6
    threading.Thread(target=work, daemon=True).start()
begin.set()
time.sleep(0.5)
both(1)
"""
ENVIRONMENT = {
    "JITSCOPE": "0", "NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "omp", "OPENBLAS_NUM_THREADS": "1",
}  # fmt: skip


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("without") / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    commands = ["break leaf if $_thread == 2", "break both", "run", "jit threads", "delete 1", "continue"]
    commands += ["break program.py:27 if $_thread == 5", "continue", "jit bt", "jit finish -region", "kill"]
    return harness.run(commands, program=program, env=ENVIRONMENT)


def test_a_chunk_of_a_loop_without_debug_information(shown: Transcript) -> None:
    text = "* 2  worker 1 of omp: hidden, prange, chunk <unknown: the loop was compiled without debug information>"
    assert text in shown.of("jit threads").splitlines()


def test_two_threads_that_may_have_started_the_loop(shown: Transcript) -> None:
    text = "(thread 3 or 4 has started the region, but it is not known which)"
    assert text in shown.of("jit bt").splitlines(), shown.text


def test_two_threads_that_may_wait_for_the_loop(shown: Transcript) -> None:
    assert shown.of("jit finish -region") == "thread 3 or 4 waits for this loop of slow, but it is not known which"
