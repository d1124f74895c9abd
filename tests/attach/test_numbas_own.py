"""Numba's own tests of GDB, with jitscope installed and without NUMBA_GDB_BINARY. They compare Numba's debug
information letter by letter (docs/numba-tests.md), so the compiler hook is left out."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import ROOT, first_gdb
from tests.minutes import MINUTES

BINDINGS, DWARF = "numba.tests.test_gdb_bindings", "numba.tests.test_gdb_dwarf"
PYTHON = str(ROOT / ".venv/bin/python")  # where scripts/setup has installed jitscope
# Bodies that other tests run in a process of their own; tests for other systems; GDB's Python has no NumPy.
SKIPPED = re.compile(r"TestGdbBindImpls\.|TestGdbExceptions\.|\.test_pretty_print$")


def as_installed(**extra: str) -> dict[str, str]:
    """Return the environment of a user who has set nothing."""
    return {**{name: text for name, text in environment().items() if not name.startswith("JITSCOPE")}, **extra}


def outcomes(*names: str) -> dict[str, str]:
    """Return the outcome of each test, by its name: `ok`, `skipped`, `FAIL`, `ERROR`."""
    done = subprocess.run(
        [PYTHON, "-m", "numba.runtests", "-v", *names],
        env=as_installed(JITSCOPE_LEVEL="stock"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
    )
    found = re.findall(r"^(\w+) \(([\w.]+)\) \.\.\. (?:[^\n]*\n)*?(ok|skipped|FAIL|ERROR)\b", done.stderr, re.M)
    assert found, done
    # Before Python 3.11 the place is the class.
    return {place if place.endswith(f".{name}") else f"{place}.{name}": outcome for name, place, outcome in found}


def at_last(*names: str) -> dict[str, str]:
    """Return the outcomes, with those of the second or third run for tests that failed before. Numba's driver of GDB
    waits for ever if a stop comes in one piece with the answer to `-exec-continue`; and the tests give up after twenty
    seconds, which a busy machine may take."""
    found = outcomes(*names)
    for _ in range(2):
        if failed := [name for name, outcome in found.items() if outcome in ("FAIL", "ERROR")]:
            found.update(outcomes(*failed))
    return found


@pytest.mark.parametrize(
    "name",
    [
        f"{BINDINGS}.TestGdbBinding.test_gdb_split_init_and_break_nopython",
        f"{BINDINGS}.TestGdbBinding.test_gdb_split_init_and_break_objmode",
        f"{DWARF}.TestGDBDwarf.test_break_on_symbol",
    ],
)
def test_one(name: str) -> None:
    assert at_last(name) == {name: "ok"}


@MINUTES
@pytest.mark.parametrize(("module", "count"), [(BINDINGS, 10), (DWARF, 11)])
def test_all(module: str, count: int) -> None:
    found = at_last(module)
    skipped = [name for name, outcome in found.items() if outcome == "skipped"]
    assert [name for name in skipped if not SKIPPED.search(name)] == []
    assert list(found.values()).count("ok") == len(found) - len(skipped) >= count, found


def python(code: str, **env: str) -> str:
    done = subprocess.run([PYTHON, "-c", code], env=as_installed(**env), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


LOADED = (
    "import sys\n"
    "loaded = {name.split('.')[0] for name in sys.modules}\n"
    "print(*sorted({'_jitscope_startup', 'ctypes', 'jitscope', 'numba'} & loaded))"
)


def test_the_start_of_python_loads_next_to_nothing() -> None:
    assert python(LOADED) == "_jitscope_startup\n"
    assert python(LOADED, JITSCOPE="0") == "\n"
    bare = python("import sys; print(*sys.modules)", JITSCOPE="0").split()
    assert {*python("import sys; print(*sys.modules)").split()} - {*bare} == {"_jitscope_startup"}


def test_importing_jitscope_leaves_out_what_only_race_check_needs() -> None:
    text = "import sys, jitscope; print('dataclasses' in sys.modules, jitscope.race_check.__module__)"
    done = subprocess.run([PYTHON, "-c", text], env=as_installed(), capture_output=True, text=True, check=True)
    assert done.stdout == "False jitscope.races\n"


NAMED = (
    "import os, sys\nfrom numba.core import config\nprint(config.GDB_BINARY)\n"
    "os.environ['NUMBA_OPT'] = '1'\nconfig.reload_config()\nprint(config.GDB_BINARY, int(config.OPT))\n"
    "print(*(finder for finder in sys.meta_path if '_jitscope' in finder.__module__))"
)


@pytest.mark.parametrize(
    ("env", "path"),
    [
        ({"JITSCOPE_GDB": first_gdb()}, first_gdb()),
        ({"NUMBA_GDB_BINARY": "/nowhere/gdb"}, "/nowhere/gdb"),
        ({"NUMBA_GDB_BINARY": "/nowhere/gdb", "JITSCOPE_GDB": first_gdb()}, "/nowhere/gdb"),
        ({"JITSCOPE_GDB": first_gdb(), "JITSCOPE": "0"}, "gdb"),
    ],
)
def test_numba_finds_gdb_as_it_is_imported(env: dict[str, str], path: str) -> None:
    assert python(NAMED, **env) == f"{path}\n{path} 1\n\n"


def test_compiling_keeps_it() -> None:
    code = "import numba\nnumba.njit(lambda: 1)()\nfrom numba.core import config\nprint(config.GDB_BINARY)"
    assert python(code, JITSCOPE_GDB=first_gdb()) == f"{first_gdb()}\n"
