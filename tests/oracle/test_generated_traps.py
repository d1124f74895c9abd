"""`jit trap` stops at each overflow and each NaN of generated programs, with true numbers. `python -m
tests.oracle.traps` tries more of them."""

from __future__ import annotations

import pathlib

import pytest

from tests.oracle.traps import run


@pytest.mark.parametrize(("opt", "seed"), [("3", 203), ("0", 103)])
def test_traps_are_at_the_first_false_number(tmp_path: pathlib.Path, opt: str, seed: int) -> None:
    count, wrong = run.differences(tmp_path, seed, 14, opt)
    assert not wrong, "\n".join(wrong)
    assert count > 3
