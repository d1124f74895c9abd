"""The explanation of generated accesses outside of arrays is right or absent. `python -m tests.oracle.faults` tries
more of them."""

from __future__ import annotations

import pathlib
from collections import Counter

import pytest

from tests.oracle.faults import run

RIGHT = {"steps": 0.95, "lines": 0.25}  # the part of all faults, at least


@pytest.mark.parametrize("level", RIGHT)
def test_the_array_and_the_index_are_named(tmp_path: pathlib.Path, level: str) -> None:
    found = list(run.outcomes(tmp_path, 9, 34, level))
    counts = Counter(outcome for _, outcome, _ in found)
    false = [f"{fault}:\n{said}" for fault, outcome, said in found if outcome == "false"]
    assert not false, "\n".join(false)
    assert counts["right"] >= RIGHT[level] * (len(found) - counts["none"]) and len(found) > 20, counts
