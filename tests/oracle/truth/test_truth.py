"""Nothing shown is false: every value at every stop of the truth programs against the code run as Python."""

from __future__ import annotations

import pathlib

import pytest

from tests.interpreters import first_gdb, gdbs, newest_python, numba_pythons
from tests.oracle.truth.__main__ import listing
from tests.oracle.truth.run import JITSCOPE, Options, examine, programs

PROGRAMS = pytest.mark.parametrize("program", programs(), ids=lambda path: path.stem)
OPTS = pytest.mark.parametrize("opt", ["0", "1", "3"])
NUMBAS = pytest.mark.parametrize("numba", numba_pythons().items(), ids=lambda item: f"numba-{item[0]}")
GDBS = pytest.mark.parametrize("gdb", gdbs().items(), ids=lambda item: f"gdb-{item[0]}")


@pytest.mark.skipif(not JITSCOPE.exists(), reason="gdbext/jitscope.py is missing")
@PROGRAMS
@OPTS
@NUMBAS
@GDBS
def test_nothing_shown_is_false(program: pathlib.Path, opt: str, numba: tuple[str, str], gdb: tuple[str, str]) -> None:
    options = Options(python=numba[1], gdb=gdb[1], opt=opt, jitscope=str(JITSCOPE))
    results = examine(program, [], options)
    assert not any(r.wrong for r in results), "\n" + listing(results, 40)
    if opt == "0":  # the optimiser may move an array's stores; nothing else may
        assert not any(r.content for r in results), "\n" + listing(results, 40)
    assert sum(r.shown for r in results) > 0


@PROGRAMS
@OPTS
def test_gdb_alone_shows_false_values(program: pathlib.Path, opt: str) -> None:
    """The check can fail: on GDB alone it finds false values in the same programs."""
    results = examine(program, [], Options(python=newest_python(), gdb=first_gdb(), opt=opt))
    assert any(r.wrong for r in results)
