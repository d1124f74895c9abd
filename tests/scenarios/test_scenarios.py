"""Each scenario and its second program: the checks pass with jitscope, and fail on GDB alone."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness
from tests.gdb.harness import JITSCOPE
from tests.interpreters import gdbs, newest_python, numba_pythons
from tests.scenarios import a1, d
from tests.scenarios.model import Scenario
from tests.scenarios.run import column, scenarios

NUMBAS = pytest.mark.parametrize("numba", numba_pythons().items(), ids=lambda item: f"numba-{item[0]}")
GDBS = pytest.mark.parametrize("gdb", gdbs().items(), ids=lambda item: f"gdb-{item[0]}")
SAME = pytest.mark.parametrize("same", [0, 1], ids=["first", "second"])
needs_jitscope = pytest.mark.skipif(not JITSCOPE.exists(), reason="gdbext/jitscope.py is missing")


def report(scenario: Scenario, python: str, gdb: str, jitscope: bool = True) -> list[str]:
    transcript = column(scenario, jitscope, python, gdb)
    assert not transcript.timed_out, transcript.text
    return [f"{check.title}: {why}" for check, why in scenario.failures(transcript)]


@needs_jitscope
@NUMBAS
@GDBS
@SAME
@pytest.mark.parametrize("name", list(scenarios()))
def test_scenario(name: str, same: int, numba: tuple[str, str], gdb: tuple[str, str]) -> None:
    failures = report(scenarios(same)[name], numba[1], gdb[1])
    assert not failures, "\n".join(failures)


@needs_jitscope
@NUMBAS
@SAME
def test_a1_at_opt_1(same: int, numba: tuple[str, str]) -> None:
    failures = report(a1.build(same, "1"), numba[1], next(iter(gdbs().values())))
    assert not failures, "\n".join(failures)


@needs_jitscope
@NUMBAS
@SAME
@pytest.mark.parametrize("opt", [None, "0"], ids=["default", "opt0"])
def test_a1_with_debuginfo_from_the_environment(same: int, opt: str | None, numba: tuple[str, str]) -> None:
    scenario = a1.build(same, opt).with_env(NUMBA_DEBUGINFO="1")
    failures = report(scenario, numba[1], next(iter(gdbs().values())))
    assert not failures, "\n".join(failures)


@needs_jitscope
@SAME
@pytest.mark.parametrize("layer", ["workqueue"])
def test_parallel_crash_on_the_other_layers(layer: str, same: int) -> None:
    failures = report(d.build(same, layer), newest_python(), next(iter(gdbs().values())))
    assert not failures, "\n".join(failures)


@needs_jitscope
@SAME
@GDBS
def test_core_that_gdb_wrote(same: int, gdb: tuple[str, str], tmp_path: pathlib.Path) -> None:
    """E2 takes the kernel's core where there is one; this one is gcore's."""
    scenario = scenarios(same)["e2"]
    core = harness.gdb_core(scenario.program, tmp_path, dict(scenario.env), newest_python(), gdb[1])
    done = harness.run(scenario.commands, core=core, gdb=gdb[1])
    failures = [f"{check.title}: {why}" for check, why in scenario.failures(done)]
    assert not failures, "\n".join(failures)


@SAME
@pytest.mark.parametrize("name", list(scenarios()))
def test_gdb_alone_fails(name: str, same: int) -> None:
    """The same checks without jitscope: they can fail."""
    python, gdb = newest_python(), next(iter(gdbs().values()))
    scenario = scenarios(same)[name]
    transcript = column(scenario, False, python, gdb)
    ordinary = [k for k in scenario.checks if k.command is None or not k.command.startswith("jit ")]
    failed = [check for check, _ in scenario.failures(transcript)]
    assert scenario.reached(transcript), transcript.text
    assert [k for k in ordinary if k in failed], transcript.text
