"""A program whose parts have changed since they were compiled, while a debugger has functions compiled anew: what it
computes, its signals and its profilers stay as they were."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Iterator

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "recompiled_changed.py"


def until_last() -> list[str]:
    """Return commands that let the program call all functions once."""
    return [f"tbreak {PROGRAM}:{line_of(PROGRAM, 'last')}", "continue"]


def rounds(pid: int, report: pathlib.Path, count: int) -> None:
    """Wait until the program, without a debugger, has run this many rounds."""
    marker = report.with_name(report.name + ".again")
    for _ in range(count):
        marker.touch()
        deadline = time.monotonic() + 60
        while marker.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not marker.exists(), f"process {pid} does not go on"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("recompiled_changed") / "report"


@pytest.fixture(scope="module")
def sessions(report: pathlib.Path) -> Iterator[tuple[Transcript, Transcript]]:
    """In the first session the program calls recompile() for a function that was compiled anew."""
    env = {"JITSCOPE_LEVEL": "", "JITSCOPE_TEST_REPORT": str(report), "NUMBA_NUM_THREADS": "2"}
    asks = [f"jit level {name} steps" for name in ("caller", "around", "beyond", "again")]
    with harness.target(PROGRAM, env=env, timeout=300) as pid:
        recompile = f"shell touch {report}.again"
        first = harness.run(
            [*asks, *until_last(), *until_last(), recompile, *until_last(), *until_last(), "detach"], pid=pid
        )
        rounds(pid, report, 1)
        asks = [f"jit level {name} steps" for name in ("shared", "slow")]
        asks.append(f"break {PROGRAM}:{line_of(PROGRAM, 'added')} if x > 5")
        more = ["jit level unrelated steps", *until_last(), *until_last(), "jit level", "detach"]
        second = harness.run([*asks, *until_last(), *until_last(), *more], pid=pid)
        rounds(pid, report, 2)
        yield first, second


def test_a_callee_that_the_program_has_recompiled(sessions: tuple[Transcript, Transcript]) -> None:
    """The caller contains the callee's first code."""
    why = "caller contains callee as it was before the program recompiled it"
    assert f"jitscope: not compiled for stepping: {why}" in sessions[0].text, sessions[0].text


def test_a_global_of_an_inlined_function(sessions: tuple[Transcript, Transcript]) -> None:
    why = "around would not be the same: `inlined.K` has changed since it was compiled"
    assert f"jitscope: not compiled for stepping: {why}" in sessions[0].text, sessions[0].text


def test_an_inlined_overload(sessions: tuple[Transcript, Transcript]) -> None:
    """It reads a global that has changed."""
    why = "Numba writes an overload of `overloaded` into it, and nothing of that was kept"
    assert f"jitscope: not compiled for stepping: beyond would not be the same: {why}" in sessions[0].text


def test_a_refused_caller_does_not_refuse_other_requests(sessions: tuple[Transcript, Transcript]) -> None:
    text = sessions[1].text
    assert "jitscope: compiled for stepping: shared, good (" in text, text
    why = "computes with fastmath flags, and its results could differ"
    but = f", but bad {why}, but worse {why}"
    assert sum(line.startswith("jitscope: ") and line.endswith(but) for line in text.splitlines()) == 1, text
    assert "jitscope: compiled for stepping: unrelated (" in text, text


def test_a_caller_that_is_refused_first(sessions: tuple[Transcript, Transcript]) -> None:
    text = sessions[1].text
    why = "not compiled for stepping in this call: bad computes with fastmath flags, and its results could differ"
    before, _, after = text.partition(f"jitscope: {why}\n")
    assert "jitscope: compiled for stepping: shared, good (" in after, text
    assert "not compiled" not in before + after, text


def test_a_closure_that_is_made_in_each_round(sessions: tuple[Transcript, Transcript]) -> None:
    """No dispatcher of it is there when the debugger comes."""
    assert "is in a ufunc or a callback" not in sessions[1].text, sessions[1].text


def test_results_signals_and_profilers_stay_as_they_were(
    sessions: tuple[Transcript, Transcript], report: pathlib.Path
) -> None:
    """Also after the debugger has left, when the first code is called again: the program has replaced one."""
    assert "jitscope: compiled for stepping: again (" in sessions[0].text, sessions[0].text
    assert "jitscope: compiled for stepping: slow (" in sessions[1].text, sessions[1].text
    assert set(report.read_text().splitlines()) == {"recompiled: 10"}
