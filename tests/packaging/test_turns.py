"""`scripts/test --turn`: each test has its turn, with those that share a session with it."""

from __future__ import annotations

import os
import subprocess
import sys

from tests import turns
from tests.interpreters import ROOT
from tests.turns import TURNS

# Some that are quick, some with a session for all, some with a session each.
FILES = ("tests/gdb/test_print.py", "tests/gdb/test_break.py", "tests/gdb/test_watch.py")


def collected(turn: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *FILES]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "JITSCOPE_TURN": turn})
    assert done.returncode == 0, done.stdout
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_each_test_has_one_turn() -> None:
    whole = collected("")
    parts = [collected(str(turn)) for turn in range(TURNS)]
    quick = [test for test in whole if "test_break.py" in test]
    assert quick and all([test for test in part if test in quick] == quick for part in parts)
    others = [test for part in parts for test in part if test not in quick]
    assert sorted(others) == sorted(test for test in whole if test not in quick)
    with_print = [part for part in parts if any("test_print.py" in test for test in part)]
    assert len(with_print) == 1, "test_print.py has one session"
    assert sum(any("test_watch.py" in test for test in part) for part in parts) > 1


def test_groups_take_turns_in_their_order() -> None:
    groups = [f"g{number // 2}" for number in range(2 * TURNS + 2)]
    assert turns.groups_of_turn(groups, 0) == {"g0", f"g{TURNS}"}
    assert turns.groups_of_turn(groups, TURNS - 1) == {f"g{TURNS - 1}"}
    assert turns.is_quick("tests/gdb/test_break.py::test_x[1]") and not turns.is_quick(
        "tests/gdb/test_breaking.py::test_x"
    )
