"""A3: each kind of compiled function is named as its source, at its line."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb.harness import JITSCOPE, Transcript, line_of, run
from tests.interpreters import newest_python, numba_pythons

pytestmark = pytest.mark.skipif(not JITSCOPE.exists(), reason="gdbext/jitscope.py is missing")
KINDS = (
    "leaf",
    "lifting",
    "stalk",
    "adder",
    "counting",
    "half",
    "running",
    "smoothed",
    "measure",
    "callback",
    "add",
    "factorial",
)
# Numba < 0.59 compiles this lifted loop in object mode, without debug information.
OBJECT_LOOPS = ("0.56", "0.57", "0.58", "debian")
STOPS = 30  # a loop stops several times; a pending breakpoint may stop at another line first
# One GDB for all the kinds of a Numba, because they have to run in one process.
NUMBAS = pytest.mark.parametrize(
    "numba",
    [
        pytest.param(item, id=f"numba-{item[0]}", marks=pytest.mark.xdist_group(f"kinds-{item[0]}"))
        for item in numba_pythons().items()
    ],
)
_SEEN: dict[tuple[str, bool], dict[int, str]] = {}


def stops(python: str, jitscope: bool = True) -> dict[int, str]:
    """Return the backtrace at the first stop of each marked line, by line; one GDB runs for all the kinds."""
    if (python, jitscope) not in _SEEN:
        commands = [f"break kinds.py:{line_of('kinds.py', kind)}" for kind in KINDS]
        commands += ["run"] + ["bt 4", "jit bt", "continue"] * STOPS
        env = {"NUMBA_DEBUGINFO": "1", "NUMBA_OPT": "0"}
        done = run(commands, program="kinds.py", env=env, python=python, jitscope=jitscope, timeout=150)
        _SEEN[python, jitscope] = traces(done)
    return _SEEN[python, jitscope]


def traces(done: Transcript) -> dict[int, str]:
    """Return the two backtraces of each line that stopped, one after the other."""
    found: dict[int, str] = {}
    line = 0
    for command, output in done.sections:
        at = re.search(r"^#0 .*kinds\.py:(\d+)$", output, re.M)
        if command == "bt 4" and at:
            line = int(at.group(1))
        if command in ("bt 4", "jit bt"):
            seen = found.setdefault(line, "")
            if seen.count("#0 ") < (1 if command == "bt 4" else 2):
                found[line] += output + "\n"
    return found


@NUMBAS
@pytest.mark.parametrize("kind", KINDS)
def test_frame_is_named_as_its_source(kind: str, numba: tuple[str, str]) -> None:
    if kind == "lifting" and numba[0].startswith(OBJECT_LOOPS):
        pytest.skip(f"Numba {numba[0]} compiles the lifted loop in object mode, which has no debug information")
    seen = stops(numba[1])
    line = line_of("kinds.py", kind)
    assert line in seen, f"no stop at kinds.py:{line}; stops at {sorted(seen)}"
    path = r"(?:\w+\.(?:<locals>\.)?)*"
    assert re.search(rf"^#0\s+(?:0x\w+ in )?{path}{kind} \(", seen[line], re.M), seen[line]
    assert not re.search(r"\[abi:|_3c|\$3c|__numba_|cpython::", seen[line].splitlines()[0]), seen[line]


def test_gdb_alone_names_them_otherwise() -> None:
    seen = stops(newest_python(), jitscope=False)
    assert len(seen) > 6
    assert all("[abi:" in text.splitlines()[0] or "::" in text.splitlines()[0] for text in seen.values())


@pytest.mark.parametrize(("at", "name"), [("leaf", "loose"), ("stalk", "mixed")])
@NUMBAS
def test_object_mode_is_named(at: str, name: str, numba: tuple[str, str]) -> None:
    """Stock Numba gives object mode no debug information: the name is the symbol's."""
    seen = stops(numba[1])[line_of("kinds.py", at)]
    assert re.search(rf"^#\d+\s+{name} \(", seen, re.M), seen


@pytest.mark.xdist_group(f"kinds-{list(numba_pythons())[-1]}")
def test_recursion_is_one_frame_a_call() -> None:
    line = line_of("kinds.py", "factorial")
    frames = re.findall(r"^#\d\s+(?:0x\w+ in )?factorial \(n=(\d)\)", stops(newest_python())[line], re.M)
    assert frames[:3] == ["1", "2", "3"]  # the frames of bt; those of jit bt follow


@NUMBAS
def test_second_run_from_the_cache(tmp_path: pathlib.Path, numba: tuple[str, str]) -> None:
    env = {"NUMBA_CACHE_DIR": str(tmp_path)}
    commands = [f"break kept.py:{line_of('kept.py', 'kept') - 1}", "run", "info args", "continue"]
    for hits in ("0", "1"):
        done = run(commands, program="kept.py", env=env, python=numba[1])
        assert re.search(r", kept \(a=14\) at [^\n]*kept\.py:\d+$", done.of("run"), re.M), done.text
        assert re.search(r"^a = 14$", done.of("info args"), re.M), done.text
        assert re.search(rf"^41 {hits}$", done.of("continue"), re.M), done.text
