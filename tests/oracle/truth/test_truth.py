"""Nothing shown is false: every value at every stop of the truth programs against the code run as Python."""

from __future__ import annotations

import pathlib

import pytest

from tests.interpreters import first_gdb, newest_python, pairs
from tests.minutes import MATRIX
from tests.oracle.truth.__main__ import listing
from tests.oracle.truth.run import JITSCOPE, Options, examine, programs

# The program with the most kinds of line is run everywhere, the others with --matrix; tests/oracle/hooked has the
# programs whose errors were found since.
FULLEST = "truth_fresh"


def _runs(path: pathlib.Path, python: str, gdb: str) -> tuple[str, ...]:
    newest = (python, gdb) == (newest_python(), first_gdb())
    if MATRIX:
        return ("0", "1", "3") if newest else ("0", "3")
    return ("3",) if path.stem == FULLEST else ()


RUNS = [
    pytest.param(path, python, gdb, opt, id=f"{name}-opt{opt}-{path.stem}")
    for name, (python, gdb) in pairs().items()
    for path in programs()
    for opt in _runs(path, python, gdb)
]
ALONE = [
    pytest.param(path, opt, id=f"{opt}-{path.stem}")
    for path in programs()
    for opt in ("0", "3")
    if MATRIX or path.stem == FULLEST and opt == "3"
]


@pytest.mark.skipif(not JITSCOPE.exists(), reason="gdbext/jitscope.py is missing")
@pytest.mark.parametrize(("program", "python", "gdb", "opt"), RUNS)
def test_nothing_shown_is_false(program: pathlib.Path, python: str, gdb: str, opt: str) -> None:
    """Older compilers stop where no statement begins ("stray"): there is not one truth there, and it is left out."""
    results = examine(program, [], Options(python=python, gdb=gdb, opt=opt, jitscope=str(JITSCOPE)))
    strict = python == newest_python()
    wrong = [entry for r in results for entry in r.wrong if strict or not entry["stray"]]
    assert not wrong, "\n" + listing(results, 40)
    if opt == "0":  # the optimiser may move an array's stores, and nothing else
        assert not any(r.content for r in results), "\n" + listing(results, 40)
    assert sum(r.shown for r in results) > 0


@pytest.mark.parametrize(("program", "opt"), ALONE)
def test_gdb_alone_shows_false_values(program: pathlib.Path, opt: str) -> None:
    """The check can fail: on GDB alone it finds false values in the same programs."""
    results = examine(program, [], Options(python=newest_python(), gdb=first_gdb(), opt=opt))
    assert any(r.wrong for r in results)
