"""Programs as people write them, each with one kind of code that Numba compiles. With the hook and without it they have
equal results; and for those to which no rule was tuned, the shown values are Python's."""

from __future__ import annotations

import pytest

from tests.interpreters import first_gdb, newest_python
from tests.minutes import MATRIX, MINUTES
from tests.oracle.hook_results import cases, compare
from tests.oracle.hooked.expected import expect_truth
from tests.oracle.hooked.run import HERE, Options, examine
from tests.oracle.hooked.tally import Tally

WRITTEN = {file.stem: file for file in sorted((HERE / "written").glob("*.py"))}
QUICK = ("guarded", "handing", "stencilled")  # programs that were shown wrong before, or are like these
# Without scripts/test --matrix each runs at one level, because each takes four seconds for a level: at `steps` those
# for which the hook keeps most, at `exact` those that LLVM changes most, and as stock code those with the plainest
# loops.
UNTUNED = {
    "steps": ("extended", "mesh", "sampler", "table"),
    "exact": ("ledger", "solver", "tally_all", "tokens"),
    "stock": ("hanoi", "rings", "spans", "welford"),
}


@pytest.mark.parametrize("opt", [*(pytest.param(opt, marks=MINUTES) for opt in ("0", "1", "2")), "3"])
def test_results(opt: str) -> None:
    """A result that a crash prevents is missing."""
    names = WRITTEN if MATRIX else QUICK
    found = cases(opt, *(str(WRITTEN[name]) for name in names), program=HERE / "outcomes.py")
    compare(opt, found, len(names))


@pytest.mark.parametrize(
    ("level", "opt"), [("steps", "3"), ("exact", "3"), ("stock", "3"), pytest.param("stock", "0", marks=MINUTES)]
)
def test_what_is_shown(level: str, opt: str) -> None:
    names = [name for of_level in UNTUNED.values() for name in of_level] if MATRIX else UNTUNED[level]
    total = Tally()
    texts = {name: WRITTEN[name].read_text("utf-8") for name in names}
    for tally in examine(texts, Options(newest_python(), first_gdb(), level, opt, bits=MATRIX)).values():
        total.merge(tally)
    assert not (total.broken or total.others or total.left_out), total.figures()
    assert total.programs == len(names) and total.shown("gdb") > 100 * len(names)
    expect_truth(total, level == "steps")
