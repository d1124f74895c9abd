"""What race_check() notes and refuses, and what a program says of a library that is not jitscope's, by the text."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python

PROGRAM = """\
import jitscope
import numba
import numpy as np
from numba import njit, prange
from numba.extending import intrinsic


@njit(parallel=True)
def none(n):
    return n


@njit(parallel=True)
def raises(a):
    for i in prange(a.shape[0]):
        a[i] += 1
    raise ValueError("bad")


@njit(parallel=True)
def racy(a):
    for i in prange(a.shape[0]):
        a[0] = i
    return a


@njit(parallel=True)
def random(a):
    for i in prange(a.shape[0]):
        a[i] = 1
    return np.random.random()


@njit
def both(x):
    return x / 2, x * 2


@njit(parallel=True)
def converted(a):
    for i in prange(a.shape[0]):
        for k in range(2):
            a[i] += int(both(a[i])[k])


@intrinsic
def once(typing, x):
    def generate(context, builder, signature, arguments):
        generated.append(x)
        if len(generated) > 1:
            raise NotImplementedError("it is compiled once")
        return arguments[0]

    return x(x), generate


@njit(parallel=True)
def unsure(a):
    for i in prange(a.shape[0]):
        a[i] = once(a[i])


generated = []
for function, argument in (
    (none, 3), (raises, np.ones(8)), (racy, np.ones(8)), (random, np.ones(8)), (unsure, np.ones(8)),
    (converted, np.ones(8)),
):
    print(jitscope.race_check(function, argument))
numba.set_parallel_chunksize(1)
print(jitscope.race_check(racy, np.ones(5000)))
"""
CURE = "set NUMBA_NUM_THREADS, or call numba.set_num_threads()"
ALONE = f"one worker runs all iterations, so there is nothing to compare: {CURE}"
DIFFERS = "results are not compared, since they differ from run to run in the same order"
NO_ROOM = "some accesses are not recorded, since there is no room for more: check a shorter loop"
NOT_RECORDED = "accesses of a function without a file (<string>) are not recorded: write the function to a file"


def said(*arguments: str, **env: str) -> str:
    done = subprocess.run(
        [newest_python(), *arguments], env=environment(env), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def noted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    program = tmp_path_factory.mktemp("notes") / "notes.py"
    program.write_text(PROGRAM, encoding="utf-8")
    return said(str(program), NUMBA_NUM_THREADS=str(request.param))


def with_workers(*numbers: int) -> pytest.MarkDecorator:
    """Return the mark for one run of the program for each number, which all tests of that number share."""
    cases = [pytest.param(n, marks=pytest.mark.xdist_group(f"race-notes-{n}")) for n in numbers]
    return pytest.mark.parametrize("noted", cases, indirect=True)


@with_workers(1, 4)
def test_notes(request: pytest.FixtureRequest, noted: str) -> None:
    is_alone = request.node.callspec.params["noted"] == 1
    assert "  note: no parallel loop has run\n" in noted
    assert "  note: the function has raised ValueError: bad\n" in noted
    assert (f"  note: {ALONE}\n" in noted) == is_alone
    assert f"  note: {DIFFERS}\n" in noted
    assert "  note: accesses are not recorded: NotImplementedError: it is compiled once\n" in noted
    assert noted.count(f"  note: {NO_ROOM}\n") == 1
    assert (", 7.0 in the order 'serial'\n" in noted) != is_alone


@with_workers(4)
def test_what_a_callee_returns_and_the_state_of_a_range_are_no_accesses(noted: str) -> None:
    """Each of 8 iterations has two additions, which read the element twice and write it once."""
    assert "converted: no race (1 parallel loop, 4 workers, 48 accesses)\n" in noted, noted


@with_workers(4)
def test_a_result_that_is_an_argument_is_reported_once(noted: str) -> None:
    assert "  a[0] is 1.0 in the order 'reverse', 7.0 in the order 'serial'\n" in noted, noted
    assert "the result[" not in noted, noted


def test_a_function_without_a_file() -> None:
    found = said("-c", PROGRAM)
    assert f"  note: {NOT_RECORDED}\n" in found
    assert "racy: not checked (" in found and "no race" not in found, found


WITHOUT = """
import sys

sys.path += [FOLDER, PACKAGE]
import numpy as np
from numba import njit, prange

@njit(parallel=True)
def fill(a):
    for i in prange(a.shape[0]):
        a[i] = 1

fill(np.ones(3))
import jitscope

try:
    jitscope.race_check(fill, np.ones(3))
except RuntimeError as error:
    print(error)
"""


def test_a_function_that_was_compiled_without_jitscope(tmp_path: pathlib.Path) -> None:
    """Numba does not find jitscope, whose package is there without its metadata."""
    for module in ("numba", "numpy", "llvmlite"):
        code = f"import {module}, os; print(os.path.dirname({module}.__file__))"
        folder = pathlib.Path(said("-c", code).strip())
        for each in (folder, folder.with_name(f"{module}.libs")):
            (tmp_path / each.name).symlink_to(each)
    code = WITHOUT.replace("FOLDER", repr(str(tmp_path))).replace("PACKAGE", repr(str(ROOT / "runtime" / "python")))
    text = "Numba has compiled this function without jitscope: install jitscope beside this Numba"
    assert said("-S", "-c", code).splitlines() == [text]


def test_a_library_that_is_missing() -> None:
    text = "jitscope: JITSCOPE_LIBRARY names /nonexistent, which is missing; Numba runs without it"
    assert text in said("-c", "import numba; numba.njit(lambda x: x)(1)", JITSCOPE_LIBRARY="/nonexistent")


def test_a_library_of_something_else() -> None:
    code = "import ctypes.util, os; from jitscope import native; os.environ['JITSCOPE_INSPECT_LIBRARY'] = LIBC\n"
    code += "try:\n    native.load()\nexcept native.VersionMismatch as error:\n    print(error)"
    libc = next(line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "libc" in line)
    found = said("-c", code.replace("LIBC", repr(libc)))
    assert found.startswith(f"{libc} is no library of jitscope ") and found.endswith(": build it again\n")
