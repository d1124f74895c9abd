"""Each scenario and its second program: the checks pass with jitscope, and fail on GDB alone."""

from __future__ import annotations

import dataclasses
import pathlib

import pytest

from tests.gdb import harness
from tests.gdb.harness import JITSCOPE
from tests.interpreters import first_gdb, gdbs, newest_python, numba_pythons, pairs, with_hook
from tests.minutes import BESIDE_BARE, MATRIX, MINUTES
from tests.scenarios import a1, d
from tests.scenarios.model import LABEL, Check, Scenario
from tests.scenarios.run import column, scenarios

GDBS = pytest.mark.parametrize("gdb", gdbs().items(), ids=lambda item: f"gdb-{item[0]}")
# Second programs without --matrix if the newest Numba meets the first GDB: they guard the checks, not the versions.
PAIRS = [
    pytest.param(
        same,
        name.split("-")[1],
        *pair,
        id=f"{('first', 'second')[same]}-{name}",
        marks=BESIDE_BARE if not same and pair == (newest_python(), first_gdb()) else (),
    )
    for same in (0, 1)
    for name, pair in pairs().items()
    if MATRIX or not same or pair == (newest_python(), first_gdb())
]
ON_NUMBAS = [
    pytest.param(same, python, id=f"{('first', 'second')[same]}-{name}")
    for same in (0, 1)
    for name, python in numba_pythons().items()
    if MATRIX or not same or python == newest_python()
]
SAME = pytest.mark.parametrize("same", [0, 1], ids=["first", "second"])
needs_jitscope = pytest.mark.skipif(not JITSCOPE.exists(), reason="gdbext/jitscope.py is missing")

# LLVM < 20 drops the place of an array when its code is optimised by default: it is labelled then, and known at OPT 1.
OLD_LLVM = ("0.56", "0.57", "0.58", "0.59", "0.60", "0.61", "debian")
CRASHES = ("c", "e2")
SLOW_ALONE = ("b2", "b3", "d-races")  # GDB alone searches or waits for something that it does not find
INDEX = "1000000000"  # scenario C's


def report(scenario: Scenario, python: str, gdb: str, jitscope: bool = True) -> list[str]:
    transcript = column(scenario, jitscope, python, gdb)
    assert not transcript.timed_out, transcript.text
    return [f"{check.title}: {why}" for check, why in scenario.failures(transcript)]


@needs_jitscope
@pytest.mark.parametrize(("same", "numba", "python", "gdb"), PAIRS)
@pytest.mark.parametrize("name", list(scenarios()))
def test_scenario(name: str, same: int, numba: str, python: str, gdb: str) -> None:
    scenario = scenarios(same)[name]
    if name in CRASHES and numba.startswith(OLD_LLVM):
        scenario = scenario.with_env(NUMBA_OPT="1")
    if name in ("d-workers", "d-races", "e4") and python != newest_python():  # the interpreter has no jitscope
        scenario = scenario.with_env(**with_hook())
    failures = report(scenario, python, gdb)
    assert not failures, "\n".join(failures)


@needs_jitscope
@pytest.mark.parametrize("numba", [n for n in numba_pythons().items() if n[0].startswith(OLD_LLVM)], ids=lambda n: n[0])
def test_what_an_old_llvm_lost_is_labelled(numba: tuple[str, str]) -> None:
    """Scenario C is optimised by default: `c` has Python's value, or a label; the other checks pass."""
    scenario = scenarios()["c"]
    lost = ("one line says why", "c as an array")
    kept = [check for check in scenario.checks if check.title not in lost]
    if numba[0] == "debian":
        # It passes on the address of an argument's stack word; `index` is after it, where a callee may have written.
        kept = [
            dataclasses.replace(check, want=check.want and check.want.replace(INDEX, f"(?:{INDEX}|{LABEL})"))
            for check in kept
        ]
    honest = Check("c is right or labelled", "info locals", rf"^c = (?:array\(\[0\., 2\.34, .*|{LABEL})$")
    scenario = dataclasses.replace(scenario, checks=(*kept, honest))
    failures = report(scenario, numba[1], next(iter(gdbs().values())))
    assert not failures, "\n".join(failures)


@needs_jitscope
@pytest.mark.parametrize(("same", "python"), ON_NUMBAS)
def test_a1_at_opt_1(same: int, python: str) -> None:
    failures = report(a1.build(same, "1"), python, first_gdb())
    assert not failures, "\n".join(failures)


@needs_jitscope
@pytest.mark.parametrize(("same", "python"), ON_NUMBAS)
def test_a1_with_debuginfo_from_the_environment(same: int, python: str) -> None:
    scenario = a1.build(same, (None, "0")[same]).with_env(NUMBA_DEBUGINFO="1")
    failures = report(scenario, python, first_gdb())
    assert not failures, "\n".join(failures)


@needs_jitscope
@SAME
@pytest.mark.parametrize("layer", ["workqueue"])
def test_parallel_crash_on_the_other_layers(layer: str, same: int) -> None:
    """This also runs with the debug symbols of the C library, if the machine has them."""
    failures = report(d.build(same, layer, libc=True), newest_python(), next(iter(gdbs().values())))
    assert not failures, "\n".join(failures)


@needs_jitscope
@SAME
@GDBS
def test_core_that_gdb_wrote(same: int, gdb: tuple[str, str], tmp_path: pathlib.Path) -> None:
    """E2 takes the kernel's core if there is one; this one is gcore's."""
    scenario = scenarios(same)["e2"]
    core = harness.gdb_core(scenario.program, tmp_path, dict(scenario.env), newest_python(), gdb[1])
    done = harness.run(scenario.commands, core=core, gdb=gdb[1])
    failures = [f"{check.title}: {why}" for check, why in scenario.failures(done)]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(
    "same", [pytest.param(0, marks=BESIDE_BARE), pytest.param(1, marks=MINUTES)], ids=["first", "second"]
)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=MINUTES if name in SLOW_ALONE else ()) for name in scenarios()]
)
def test_gdb_alone_fails(name: str, same: int) -> None:
    """The checks without jitscope can fail."""
    python, gdb = newest_python(), next(iter(gdbs().values()))
    scenario = scenarios(same)[name]
    transcript = column(scenario, False, python, gdb)
    assert scenario.reached(transcript), transcript.text
    assert scenario.fails_alone(transcript), transcript.text
