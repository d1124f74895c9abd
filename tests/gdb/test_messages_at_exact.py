"""Messages at level exact: of exceptions that Python holds, or that are too long to be read, and of a line of a loop at
which workers do not gather."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

PROGRAM = """\
import contextlib

import numpy as np
from numba import njit, objmode, prange

LONG = "x" * (1 << 21)


@njit(debug=True)
def holding(n):
    with objmode(k="int64"):  # held
        k = int("x")
    return n + k  # behind


@njit(debug=True)
def unreadable(n):
    if n > 3:
        raise ValueError(LONG)  # long
    return n


@njit(debug=True, parallel=True)
def doubled(a):
    for i in prange(a.shape[0]):  # header
        b = a[i] * 2
        a[i] = b  # last


doubled(np.ones(8))
for function in (holding, unreadable):
    with contextlib.suppress(ValueError):
        function(4)
"""


def line(mark: str) -> int:
    return next(n for n, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith(f"# {mark}"))


EXCEPTION = "print $jit_exception()"
OF_A_FRONT_END = f'interpreter-exec mi "-break-insert -f -c \\"!(n > 3)\\" raised.py:{line("behind")}"'


@pytest.fixture(scope="module")
def raised(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("raised") / "raised.py"
    program.write_text(PROGRAM, encoding="utf-8")
    commands = [
        f"jit gather raised.py:{line('last')}",
        OF_A_FRONT_END,
        "jit catch",
        "run",
        EXCEPTION,
        "jit finish",
        "continue",
        EXCEPTION,
    ]
    return harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "exact"})


def test_a_condition_of_a_front_end_that_only_c_can_read(raised: Transcript) -> None:
    text = "jitscope: breakpoint 1: `!(n > 3)` is no condition in Python (SyntaxError: invalid syntax)"
    assert text in raised.of("run").splitlines()


def test_an_exception_that_python_holds(raised: Transcript) -> None:
    assert (
        raised.of("run").splitlines()[-1]
        == f"Exception (Python holds it) raised in holding at raised.py:{line('held')}"
    )
    assert raised.of(EXCEPTION) == "Python holds the exception, so it cannot be read here"


def test_a_function_that_ends_by_an_exception_that_python_holds(raised: Transcript) -> None:
    assert raised.of("jit finish").splitlines()[-1] == "holding raised an exception that Python holds"


def test_an_exception_that_is_too_long(raised: Transcript) -> None:
    assert (
        raised.of("continue").splitlines()[-1]
        == f"Exception of unknown type raised in unreadable at raised.py:{line('long')}"
    )
    assert raised.of(EXCEPTION, 1) == "the exception that is raised here cannot be read"


def test_a_line_at_which_workers_do_not_gather(raised: Transcript) -> None:
    where = f"where it begins (line {line('header')}) and where its body calls jitscope.breakpoint()"
    why = f"raised.py:{line('last')}: workers gather at any line of a loop at level steps; at others {where}"
    assert f"jitscope: the workers do not gather: {why}" in raised.of("run").splitlines()
