"""Messages about parallel loops: of one whose workers are seen from each other, and of what is recorded of them."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

LOOPS = """\
import contextlib
import ctypes
import threading
import time

import numba
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def loop(a, out, k):
    top = k * 3
    for i in prange(a.shape[0]):
        x = a[i] + k
        y = x * 2
        out[i] = y  # line 17
    return top


@njit(debug=True)
def checked(x):
    if x > 5:
        raise ValueError("x")
    return x


@njit(debug=True, parallel=True)
def failing(a):
    for i in prange(a.shape[0]):
        a[i] = checked(a[i])  # line 31


@njit(debug=True)
def leaf(x):
    return x + 1


@njit(parallel=True)
def hidden(a):
    for i in prange(a.shape[0]):
        a[i] += leaf(a[i])


@njit(debug=True)
def returning(a, k):
    r = 0.0
    try:
        if k > 2:
            return a[k]
        r = a[0] + k
    finally:
        k = k + 1
        r = r + k
    return r  # merged


@njit(debug=True)
def grown(n):
    more = n + 1
    return more  # inlined


@njit(debug=True)
def total(n):
    found = 0
    for i in range(n):
        found += grown(i)
    return found


@njit(debug=True)
def returning_last(a, k):
    r = 0.0
    try:
        if k > 2:
            return a[k]
        r = a[0] + k
    finally:
        k = k + 1
        r = r + k
    return r  # merged last


returning(np.ones(4), 2)
returning_last(np.ones(4), 2)
grown(1)
total(4)
loop(np.ones(40), np.zeros(40), 2.0)  # so that the pool's threads have started when `leaf` stops
hidden(np.ones(1, np.int64))
numba.set_num_threads(2)
loop(np.ones(40), np.zeros(40), 2.0)
try:
    failing(np.ones(40) * 6)
except (SystemError, ValueError):  # Numba does not pass on an exception of a worker
    pass
LONG = "x" * (1 << 21)


@njit(debug=True)
def unreadable(n):
    if n > 3:
        raise ValueError(LONG)
    if n > 2:
        raise ValueError(LONG)
    return n


with contextlib.suppress(ValueError):
    unreadable(4)


@njit(debug=True)
def unrolled(a):
    total = 0.0
    for i in range(3):  # header
        total += a[i]
        a[i] = total  # body
    return total


unrolled(np.ones(3))


@njit(debug=True, parallel=True, nogil=True)
def slow(a):
    for i in prange(a.shape[0]):
        usleep(2000)
        a[i] += 1


@njit(debug=True)
def both(n):
    return n


def work():
    begin.wait()
    slow(np.ones(6000))


usleep = ctypes.CDLL(None).usleep
usleep.argtypes = [ctypes.c_uint]
slow(np.ones(2))
begin = threading.Event()
for _ in range(2):  # GDB's threads 4 and 5, and their workers 6 to 9
    threading.Thread(target=work, daemon=True).start()
begin.set()
time.sleep(0.5)
both(1)
"""


def line(mark: str) -> int:
    return next(n for n, text in enumerate(LOOPS.splitlines(), 1) if text.endswith(f"# {mark}"))


ENVIRONMENT = {"NUMBA_NUM_THREADS": "3", "NUMBA_THREADING_LAYER": "omp", "OPENBLAS_NUM_THREADS": "1"}
UNKNOWN = "jit apply worker y>1 print x"
IN_WORKER = [
    ("jit frame 2", "frame 2 is in thread 1: type `thread 1` first"),
    ("jit why top", "top is exact: the function that started the loop has it, in thread 1"),
    ("jit finish -region", "the frame of loop is not found in thread 1"),
]  # fmt: skip


@pytest.fixture(scope="module")
def loops(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("loops") / "loops.py"
    program.write_text(LOOPS, encoding="utf-8")
    return harness.run(
        [
            "break leaf", "run", "jit finish -region", "thread 3", "jit bt", "jit frame",
            f"break loops.py:{line('merged')}", f"break loops.py:{line('merged last')}",
            f"break loops.py:{line('inlined')} if n > 7", "delete",
            "break loops.py:17 if $_thread == 2", "continue", *(command for command, _ in IN_WORKER[:2]), UNKNOWN,
            "set backtrace limit 1", "jit bt", "jit finish -region", "set backtrace limit unlimited", "delete",
            "break loops.py:31 if $_thread == 2", "continue", "delete", "next",
            "jit catch", "continue",
            "delete", f"break loops.py:{line('body')}", "continue", "jit next-iteration", "delete",
            "break both", "continue", "jit threads", "thread 6", "jit bt",
        ],
        program=program,
        env=ENVIRONMENT,
    )  # fmt: skip


@pytest.mark.parametrize(("command", "text"), IN_WORKER)
def test_in_a_worker(loops: Transcript, command: str, text: str) -> None:
    assert loops.of(command, -1) == text


def test_the_caller_has_no_debug_information(loops: Transcript) -> None:
    cure = "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
    assert loops.of("jit finish -region") == f"hidden has no line numbers; {cure}"


def test_a_condition_that_is_not_known(loops: Transcript) -> None:
    """Worker 0 may be at work, too."""
    said = loops.of(UNKNOWN)
    assert said in (
        "y>1 is not known in worker 1: `jit apply 1 jit why NAME` says why",
        "y>1 is not known in workers 0, 1: `jit apply 0 jit why NAME` says why",
    )


def test_a_chunk_that_ends_by_an_exception(loops: Transcript) -> None:
    assert loops.of("next").splitlines()[0] == "worker 1 of omp has left its chunk of failing.prange by ValueError('x')"


def test_the_caller_is_not_unwound(loops: Transcript) -> None:
    assert "(the thread that started the region of loop is not found)" in loops.of("jit bt", 1).splitlines()


def test_a_thread_without_python(loops: Transcript) -> None:
    text = "thread 3 runs no Python and no code of the program's: worker 2 of omp: idle"
    assert loops.of("jit bt") == f"({text}; `jit bt -all` shows the native frames)"
    assert loops.of("jit frame") == "`jit bt` shows no frame of this thread"


def test_an_exception_of_which_nothing_is_known(loops: Transcript) -> None:
    where = "raised at a line that is not known, as the compiler may have merged it with others"
    assert loops.of("continue", 2).splitlines()[-1] == f"Exception of unknown type leaves unreadable, {where}"


def test_an_idle_worker_whose_number_is_not_known(loops: Transcript) -> None:
    """Another loop has a worker of the number that it would have."""
    assert loops.of("jit threads").splitlines()[1] == "  2  a worker of omp: idle"
    assert loops.of("jit bt", -1).splitlines()[-1] == "idle: 1 worker of omp"


def test_a_loop_that_the_compiler_has_unrolled(loops: Transcript) -> None:
    text = f"the compiler has left no code of line {line('header')}, which begins each iteration"
    assert loops.of("jit next-iteration") == f"{text}: run the program with NUMBA_OPT=0: variables then stay in memory"


NOT_OPTIMISED = "run the program with NUMBA_OPT=0"


@pytest.mark.parametrize(("function", "mark"), [("returning", "merged"), ("returning_last", "merged last")])
def test_a_line_without_code_that_no_later_line_of_the_function_replaces(
    loops: Transcript, function: str, mark: str
) -> None:
    """Behind the first function, another one has code."""
    text = f"no code is left of line {line(mark)} in {function}: it stops nowhere; {NOT_OPTIMISED}"
    assert text in loops.of(f"break loops.py:{line(mark)}")


def test_a_condition_that_is_known_at_a_copy_of_the_line(loops: Transcript) -> None:
    place = f"loops.py:{line('inlined')}"
    said = loops.of(f"break {place} if n > 7").splitlines()[0]
    assert f"`n` is optimized out at {place}, and `n > 7` does not stop there: " in said
    assert said.endswith(" (in 1 of the 2 copies of the line; it stops in the others)")
