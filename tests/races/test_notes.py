"""What race_check() notes and refuses, and what a program says of a library that is not jitscope's, by the text."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import newest_python

PROGRAM = """\
import jitscope
import numpy as np
from numba import njit, prange


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


for function, argument in ((none, 3), (raises, np.ones(8)), (racy, np.ones(8))):
    print(jitscope.race_check(function, argument))
"""
ALONE = "one worker runs all iterations, so there is nothing to compare: set NUMBA_NUM_THREADS, or call "
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
    assert (f"  note: {ALONE}numba.set_num_threads()\n" in found) == (workers == 1)
    assert (", 7.0 in the order 'serial'\n" in found) == (workers > 1)


def test_a_function_without_a_file() -> None:
    found = said("-c", PROGRAM)
    assert f"  note: {NOT_RECORDED}\n" in found
    assert "racy: not checked (" in found and "no race" not in found, found


def test_a_library_that_is_missing() -> None:
    text = "jitscope: JITSCOPE_LIBRARY names /nonexistent, which is missing; Numba runs without it"
    assert text in said("-c", "import numba; numba.njit(lambda x: x)(1)", JITSCOPE_LIBRARY="/nonexistent")


def test_a_library_of_something_else() -> None:
    code = "import ctypes.util, os; from jitscope import native; os.environ['JITSCOPE_INSPECT_LIBRARY'] = LIBC\n"
    code += "try:\n    native.load()\nexcept native.VersionMismatch as error:\n    print(error)"
    libc = next(line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "libc" in line)
    found = said("-c", code.replace("LIBC", repr(libc)))
    assert found.startswith(f"{libc} is no library of jitscope ") and found.endswith(": build it again\n")
