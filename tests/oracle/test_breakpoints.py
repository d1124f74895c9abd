"""One breakpoint on each line of generated programs: its count, condition, ignore count and commands match how often
the line runs, or a note says that they do not."""

from __future__ import annotations

import collections
import pathlib
from typing import Any

import pytest

from tests.interpreters import first_gdb, newest_python
from tests.oracle.hooked.generate import programs
from tests.oracle.hooked.run import Options, observe, record

SEED = 77
PROGRAMS = 8


def counted(folder: pathlib.Path, level: str, opt: str = "3", seed: int = SEED, number: int = PROGRAMS) -> list[Any]:
    """Return GDB's counts, with `executed`, for each line that Python executed (except headers of parallel loops)."""
    options = Options(newest_python(), first_gdb(), level, opt)
    for count, text in enumerate(programs(number, seed)):
        (folder / f"p{count:02}.py").write_text(text)
    names = sorted(path.stem for path in folder.glob("p*.py"))
    truth = {name: found for name, found in record(folder, names, options).items() if "unfit" not in found}
    seen = observe(folder, truth, options, "count.py")
    assert seen["ended"] == "SIGUSR1", seen["said"][-2000:]
    found = []
    for entry in seen["counts"]:
        program = truth[entry["program"]]
        if seen["compiled"][entry["program"]]["results"] != [call["result"] for call in program["calls"]]:
            continue
        loops = [loop for function in program["functions"].values() for loop in function["parallel"]]
        if any(loop["header"] <= entry["line"] <= loop["last"] for loop in loops):
            continue
        events = [event for call in program["calls"] for event in call["events"]]
        executed = collections.Counter(line for _, line, _, _ in events)
        # A function that callers may inline has more code than the function in which breakpoints are set.
        name = next(name for name, line, _, _ in events if line == entry["line"])
        found.append(
            {**entry, "executed": executed[entry["line"]], "is_called": not name.startswith(("small", "deep"))}
        )
    assert len(found) > 10 * number and {entry["kind"] for entry in found} == {
        "ignored", "conditional", "commands", "skipping"
    }  # fmt: skip
    return found


def test_counts_at_steps(tmp_path: pathlib.Path) -> None:
    found = counted(tmp_path, "steps")
    told = [entry for entry in found if entry["said"]]  # lines that Numba's own passes have removed
    lost = [entry for entry in told if entry["count"] != entry["executed"]]
    assert len(told) <= 0.02 * len(found) and all(entry["states"] == ["gone"] for entry in lost), told
    assert [entry for entry in found if entry["count"] != entry["executed"] and entry not in told] == []


@pytest.mark.parametrize("level", ["exact", "stock"])
def test_what_is_said_of_a_line_is_so(level: str, tmp_path: pathlib.Path) -> None:
    found = counted(tmp_path, level)
    marked = [entry for entry in found if set(entry["states"]) == {"marked"} and entry["is_called"]]
    if level == "exact":
        assert len(marked) > len(found) / 2
    assert [entry for entry in marked if entry["count"] != entry["executed"]] == []
    assert [entry for entry in marked if entry["said"]] == []
    if level == "exact":  # wherever the count differs, a note on the breakpoint has said so
        silent = [entry for entry in found if entry["is_called"] and not entry["said"]]
        assert [entry for entry in silent if entry["count"] != entry["executed"]] == []
