"""`finish` out of functions that have their lines only."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript
from tests.programs import results_at_lines

NAMES = [function.__name__ for function in results_at_lines.FUNCTIONS]
NOT_NAMED = {"day"}  # the debugger does not know which 64 bits are a date


@pytest.fixture(scope="module")
def seen() -> Transcript:
    commands = [*(f"break {name}" for name in NAMES), "run", *("finish", "continue") * len(NAMES)]
    env = {"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"}
    return harness.run(commands, program="results_at_lines.py", env=env)


@pytest.mark.parametrize("name", NAMES)
def test_the_result_is_the_programs(seen: Transcript, name: str) -> None:
    (returned,) = re.findall(rf"^{name} returned (.*)$", seen.text, re.M)
    (expected,) = re.findall(rf"^result {name} (.*)$", seen.text, re.M)
    if name in NOT_NAMED:
        assert returned == "<unknown: the debug information does not name its type>"
    else:
        assert returned.replace(" ", "") == expected.replace(" ", ""), seen.text
