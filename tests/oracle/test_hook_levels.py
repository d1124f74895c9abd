"""The environment that requests a level: a value without a meaning is reported in a line, and the program goes on."""

from __future__ import annotations

import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python

CASES = ROOT / "tests" / "programs" / "results.py"


def said(**wanted: str) -> tuple[str, list[str]]:
    """Return the program's output, and jitscope's lines."""
    env = environment({**wanted, "NUMBA_NRT_STATS": "1"})
    command = [newest_python(), str(CASES), "bounds"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if line.startswith("jitscope")]


@pytest.mark.parametrize("level", ["exact", "steps", "stock", ""])
def test_known_levels(level: str) -> None:
    assert said(JITSCOPE_LEVEL=level)[1] == []


def test_another_level() -> None:
    result, lines = said(JITSCOPE_LEVEL="Steps")
    assert lines == ["jitscope: JITSCOPE_LEVEL=Steps is none of exact, steps, stock: it is ignored"]
    assert result == said(JITSCOPE_LEVEL="exact")[0]


def test_names_that_match_nothing() -> None:
    _, lines = said(JITSCOPE_LEVEL="exact", JITSCOPE_STEPS="bounds, other.function,__main__.bounds,nobody")
    assert lines == ["jitscope: JITSCOPE_STEPS: nothing compiled is called other.function, nobody"]
