"""Arrays as LLDB unfolds them, against NumPy: an axis at a time, ranges of at most 1000, and statistics."""

from __future__ import annotations

import ast
import functools

import numpy as np
import pytest

from tests.gdb.harness import line_of
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "lldb_arrays.py"
LARGE, GRID = np.arange(2_500_000.0), np.arange(12.0).reshape(3, 4)
SHOW = (
    "script v = lldb.frame.FindVariable('{0}'); [v := v.GetChildMemberWithName(n) for n in {1}]; "
    "print([(c.GetName(), c.GetSummary() or c.GetValue()) for c in v])"
)
LAST = "script v = lldb.frame.FindVariable('large'); print(v.GetChildAtIndex(2).GetChildAtIndex(499).GetNumChildren())"
LOOKS = {
    "large": (),
    "range": ("[1000000..1999999]",),
    "elements": ("[1000000..1999999]", "[1234000..1234999]"),
    "figures": ("statistics",),
}


def command(variable: str, names: tuple[str, ...]) -> str:
    return SHOW.format(variable, list(names))


@functools.cache
def said(lldb: str) -> Said:
    looks = [command("large", names) for names in LOOKS.values()]
    looks += [command("grid", ()), command("grid", ("[1]",)), command("cell", ()), LAST]
    return run(lldb, PROGRAM, "steps", (f"breakpoint set -f {PROGRAM} -l {line_of(PROGRAM, 'look')}", "run", *looks))


def children(lldb: str, variable: str, *names: str) -> dict[str, str]:
    found = said(lldb).of(command(variable, names))[0].splitlines()[-1]
    return {name: text.strip('"') for name, text in ast.literal_eval(found)}


@LLDBS
def test_ranges_of_ranges(lldb: str) -> None:
    expected = {
        "[0..999999]": "1000000 elements",
        "[1000000..1999999]": "1000000 elements",
        "[2000000..2499999]": "500000 elements",
        "statistics": "computed when unfolded",
    }
    assert children(lldb, "large") == expected


@LLDBS
def test_a_range_has_at_most_1000_children(lldb: str) -> None:
    found = children(lldb, "large", *LOOKS["range"])
    assert len(found) == 1000 and set(found.values()) == {"1000 elements"}
    assert list(found)[234] == "[1234000..1234999]"
    assert said(lldb).of(LAST)[0].splitlines()[0] == "1000"


@LLDBS
def test_elements_are_numpys(lldb: str) -> None:
    found = children(lldb, "large", *LOOKS["elements"])
    part = range(1_234_000, 1_235_000)
    assert {name: float(text) for name, text in found.items()} == {f"[{index}]": LARGE[index] for index in part}


@LLDBS
def test_statistics_are_numpys(lldb: str) -> None:
    found = children(lldb, "large", *LOOKS["figures"])
    expected = {"min": LARGE.min(), "max": LARGE.max(), "mean": LARGE.mean(), "std": LARGE.std(), "NaN": 0, "zero": 1}
    assert {name: float(found[name]) for name in expected} == pytest.approx(expected, rel=1e-12)


@LLDBS
def test_axes_are_levels(lldb: str) -> None:
    rows = children(lldb, "grid")
    assert rows.pop("statistics").startswith("min 0.0, max 11.0, mean 5.5, ")
    assert list(rows) == ["[0]", "[1]", "[2]"] and rows["[1]"] == "array([4., 5., 6., 7.])"
    assert [float(text) for text in children(lldb, "grid", "[1]").values()] == GRID[1].tolist()


@LLDBS
def test_an_array_without_axes(lldb: str) -> None:
    assert {name: float(text) for name, text in children(lldb, "cell").items()} == {"[()]": 4.0}
