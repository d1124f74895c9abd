"""Programs as people write them, each of one kind of what Numba compiles: with the hook and without it they come to the
same."""

from __future__ import annotations

import pytest

from tests.minutes import MATRIX, MINUTES
from tests.oracle.hooked.run import HERE
from tests.oracle.test_hook_results import cases, compare

WRITTEN = {file.stem: file for file in sorted((HERE / "written").glob("*.py"))}
QUICK = ("guarded", "handing", "stencilled")  # what has been false before, and its like


@pytest.mark.parametrize("opt", [*(pytest.param(opt, marks=MINUTES) for opt in ("0", "1", "2")), "3"])
def test_results(opt: str) -> None:
    """What a crash leaves unsaid is missing."""
    names = WRITTEN if MATRIX else QUICK
    found = cases(opt, *(str(WRITTEN[name]) for name in names), program=HERE / "outcomes.py")
    compare(opt, found, len(names))
