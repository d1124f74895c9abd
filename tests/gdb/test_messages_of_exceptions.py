"""What `jit catch`, `jit finish` and $jit_exception() say of exceptions that are not of compiled code, or too long to be
read."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

PROGRAM = """\
import contextlib

from numba import njit, objmode

LONG = "x" * (1 << 21)


@njit(debug=True)
def holding(n):
    with objmode(k="int64"):  # line 10
        k = int("x")
    return n + k


@njit(debug=True)
def unreadable(n):
    if n > 3:
        raise ValueError(LONG)  # line 18
    return n


for function in (holding, unreadable):
    with contextlib.suppress(ValueError):
        function(4)
"""
EXCEPTION = "print $jit_exception()"


@pytest.fixture(scope="module")
def raised(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("raised") / "raised.py"
    program.write_text(PROGRAM, encoding="utf-8")
    commands = ["jit catch", "run", EXCEPTION, "jit finish", "continue", EXCEPTION]
    return harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "exact"})


def test_an_exception_that_python_holds(raised: Transcript) -> None:
    assert raised.of("run").splitlines()[-1] == "Exception (Python holds it) raised in holding at raised.py:10"
    assert raised.of(EXCEPTION) == "Python holds the exception, so it cannot be read here"


def test_a_function_that_ends_by_an_exception_that_python_holds(raised: Transcript) -> None:
    assert raised.of("jit finish").splitlines()[-1] == "holding raised an exception that Python holds"


def test_an_exception_that_is_too_long(raised: Transcript) -> None:
    assert raised.of("continue").splitlines()[-1] == "Exception of unknown type raised in unreadable at raised.py:18"
    assert raised.of(EXCEPTION, 1) == "the exception that is raised here cannot be read"
