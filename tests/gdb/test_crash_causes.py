"""The line about a crash that no access explains: a threading layer that ends the program, and damaged memory."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness

HEAD = """\
import contextlib
import ctypes
import multiprocessing
import threading

import numba
import numpy as np
from numba import njit, prange, types
from numba.experimental import jitclass

"""
FORKED = """
numba.config.THREADING_LAYER = "omp"


@njit(parallel=True)
def double(x):
    for i in prange(len(x)):  # at: loop
        x[i] *= 2


double(np.ones(100))
child = multiprocessing.get_context("fork").Process(target=double, args=(np.ones(100),))
child.start()
child.join()
"""
NESTED = """
numba.config.THREADING_LAYER = "workqueue"


@njit(parallel=True)
def inner(x):
    for i in prange(len(x)):  # at: loop
        x[i] += 1


@njit(parallel=True)
def outer(x):
    for i in prange(len(x)):
        inner(x)


for _ in range(100):
    outer(np.ones(2000))
"""
AT_ONCE = """
numba.config.THREADING_LAYER = "workqueue"


@njit(parallel=True, nogil=True)
def scale(x):
    for i in prange(len(x)):  # at: loop
        x[i] = x[i] * 0.5 + np.sqrt(x[i])


def work():
    for _ in range(1000):
        scale(np.ones(1 << 20))


scale(np.ones(10))
for _ in range(2):
    threading.Thread(target=work).start()
"""
APPENDED = """

@jitclass([("n", types.int64)])
class Progress:
    def __init__(self):
        self.n = 0

    def append(self, n):
        self.n += n


@njit(parallel=True)
def odd(n, progress):
    found = []
    for i in prange(n):  # at: loop
        progress.append(1)
        own = [1]
        own.append(2)
        if i % 2:
            found.append(2.0)  # at: call
    return found


for _ in range(2000):
    with contextlib.suppress(MemoryError, SystemError):  # other effects of the same cause
        odd(100000, Progress())
"""
COMPREHENDED = """

@njit(parallel=True)
def lengths(n):
    return [np.arange(i % 7) for i in prange(n)]  # at: loop


for _ in range(500):
    with contextlib.suppress(MemoryError, SystemError):
        lengths(100000)
"""
FREED = """
release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(("free", ctypes.CDLL(None)))


@njit
def free(address):
    release(address)  # at: given


free(np.ones(10).ctypes.data + 32)
"""
RELEASED = """
numba.config.THREADING_LAYER = "workqueue"
numba.config.NUMBA_NUM_THREADS = 2
release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(("free", ctypes.CDLL(None)))


@njit(parallel=True)
def loop(n):
    for i in prange(n):
        if i == n - 1:
            release(0xBADADD)  # at: given


loop(9)
"""
COUNTED = """
@njit(parallel=True)
def count(keys):
    found = {1: 1}
    for i in prange(keys.size):  # at: loop
        found[keys[i]] = i  # at: call
    return len(found)


numba.set_num_threads(1)
count(np.arange(9))
"""
OPENMP = (
    r"double starts a parallel loop \(program\.py:LOOP\) in a child that was forked after its parent had started one "
    r'on OpenMP, which ends the child; start children with multiprocessing\'s "spawn", or use tbb'
)
WORKQUEUE = "workqueue runs one parallel loop at a time; NUMBA_THREADING_LAYER=omp or tbb run several"
ENDS = "Numba's workqueue layer ends the program, because "
ELSEWHERE = "which is not thread-safe; store into an array at the loop's index instead"
# `scale`, and the Python functions that have called it in its thread
STACK = r"thread \d+:\n  #\d +scale \(x=.*\n  #\d +work \(\) at .*\[py\]\n(  #\d .*\[py\]\n?)+"
CASES = {
    "forked": (FORKED, OPENMP),
    "nested": (
        NESTED,
        rf"{ENDS}inner \(program\.py:LOOP\) starts a parallel loop within that of outer: {WORKQUEUE}\n"
        r"thread \d+:\n  #\d +inner \(x=.*\n  #\d +outer\.prange \(.*",
    ),
    "at once": (
        AT_ONCE,
        rf"{ENDS}(threads \d+ and \d+ start parallel loops at once, scale \(program\.py:LOOP\) and scale "
        rf"\(program\.py:LOOP\)|scale \(program\.py:LOOP\) starts a parallel loop while that of another thread runs): "
        rf"{WORKQUEUE}\n{STACK}({STACK})?",
    ),
    "appended": (
        APPENDED,
        rf"(\w+\(\) has found that the heap is damaged: )?all workers of the prange at program\.py:LOOP call "
        rf"`found\.append\(\)` \(line CALL\), {ELSEWHERE}",
    ),
    "comprehended": (
        COMPREHENDED,
        r"(\w+\(\) has found that the heap is damaged: )?all workers of the prange at program\.py:LOOP "
        "append to the list of one comprehension, which is not thread-safe; store into an array at the loop's index "
        "instead",
    ),
    "counted": (
        COUNTED + FREED,
        r"free\(\) has found that the heap is damaged: all workers of the prange at program\.py:LOOP write to the dict "
        r"`found` \(line CALL\), which is not thread-safe",
    ),
    "given": (
        FREED.replace("release(address)", "release(0xBADADD)"),
        r"free\(\) was given 0xbadadd by free \(program\.py:GIVEN\), which is no address from malloc",
    ),
    "given in a worker": (
        RELEASED,
        r"free\(\) was given 0xbadadd by loop\.prange \(program\.py:GIVEN\), which is no address from malloc",
    ),
    "freed": (
        FREED,
        r"free\(\) has found that the heap is damaged: an earlier write outside of an array is the usual cause; `set "
        r"environment NUMBA_BOUNDSCHECK 1`, `jit catch IndexError` and `run` stop at it, as `set environment "
        r"JITSCOPE_GUARD 1` and `run` \(or `jitscope run --guard`\) do",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_cause_is_named(case: str, tmp_path: pathlib.Path) -> None:
    text, wanted = CASES[case]
    path = tmp_path / "program.py"
    path.write_text(HEAD + text, encoding="utf-8")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        for mark in re.findall(r"# at: (\w+)$", line):
            wanted = wanted.replace(mark.upper(), str(number))
    before = ["set detach-on-fork off", "set follow-fork-mode child"] if case == "forked" else []
    shown = harness.run([*before, "run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    assert re.search(f"^{wanted}$", shown, re.M), shown
    assert "not explained" not in shown and "outside axis" not in shown, shown


def test_a_signal_from_elsewhere_is_not_explained(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + "import os\n" + FORKED.split("child =")[0] + "os.abort()\n", encoding="utf-8")
    shown = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    assert "SIGABRT" in shown and not re.search("ends the|damaged|prange|parallel loop", shown), shown


INNOCENT = """
@njit(parallel=True)
def gather(n):
    found = [0.0]
    for i in prange(1):
        found.append(2.0)
    return len(found) + n


@njit
def past(a, i):
    return a[1:][i]


gather(3)
past(np.ones(4), 10**10)
"""


def test_a_fault_in_another_function_is_not_that_of_a_shared_list(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + INNOCENT, encoding="utf-8")
    shown = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    assert "SIGSEGV" in shown and "past (" in shown and "append" not in shown, shown


def test_bounds_that_are_checked_are_no_advice(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + FREED, encoding="utf-8")
    commands = ["set environment NUMBA_BOUNDSCHECK 1", "run"]
    shown = harness.run(commands, program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    why = "NUMBA_BOUNDSCHECK=1 has bounds checked, so that an index is not the likely cause"
    guard = "`set environment JITSCOPE_GUARD 1` and `run` (or `jitscope run --guard`) stop at other wrong accesses"
    assert f"free() has found that the heap is damaged; {why}; {guard}" in shown.splitlines(), shown


def test_what_explains_a_fault_of_a_function_that_has_its_lines_only(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + INNOCENT, encoding="utf-8")
    shown = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"}).of("run")
    said = "the fault is not explained: past has its lines, and not all of its variables; start the program under the "
    assert f"{said}debugger, or with NUMBA_BOUNDSCHECK=1 and `jit catch IndexError`" in shown.splitlines(), shown


CONTAINER = """
from numba import _helperlib


@njit
def reads(length):
    return length(ctypes_argument) + 1


ctypes_argument = 64  # no dict
dict_length = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_size_t)(_helperlib.c_helpers["dict_length"])
reads(dict_length)
"""


def test_the_stack_begins_with_the_frame_that_has_crashed(tmp_path: pathlib.Path) -> None:
    """The functions of Numba's dicts and of the interpreter are left out elsewhere."""
    program = tmp_path / "container.py"
    program.write_text(HEAD + CONTAINER, encoding="utf-8")
    done = harness.run(["run", "jit bt", "kill", "run", "up", "jit bt"], program=program)
    for stack in (section for command, section in done.sections if command == "jit bt"):
        names = re.findall(r"^#\d+ +([\w<>.]+)", stack, re.M)
        assert names == ["numba_dict_length", "reads", "<module>"], done.text
