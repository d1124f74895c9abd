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


@njit(parallel=True)
def random(a):
    for i in prange(a.shape[0]):
        a[i] = 1
    return np.random.random()


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


@pytest.mark.parametrize("workers", [1, 4])
def test_notes(tmp_path: pathlib.Path, workers: int) -> None:
    program = tmp_path / "notes.py"
    program.write_text(PROGRAM, encoding="utf-8")
    found = said(str(program), NUMBA_NUM_THREADS=str(workers))
    assert "  note: no parallel loop has run\n" in found
    assert "  note: the function has raised ValueError: bad\n" in found
    assert (f"  note: {ALONE}\n" in found) == (workers == 1)
    assert f"  note: {DIFFERS}\n" in found
    assert "  note: accesses are not recorded: NotImplementedError: it is compiled once\n" in found
    assert found.count(f"  note: {NO_ROOM}\n") == 1
    assert (", 7.0 in the order 'serial'\n" in found) == (workers > 1)


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
