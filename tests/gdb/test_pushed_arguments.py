"""A call with more arguments than registers pushes them: at each instruction the frames' values are the program's."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT

PROGRAM = "pushed.py"


@pytest.mark.parametrize("level", ["steps", "stock"])
def test_each_instruction_has_the_arguments_of_the_frame_and_of_its_caller(level: str) -> None:
    script = ROOT / "tests" / "gdb" / "pushes.py"
    done = harness.run(
        ["break outer", "run", f"source {script}", "kill"], program=PROGRAM, env={"JITSCOPE_LEVEL": level}, timeout=240
    )
    found = re.search(
        r"^pushes: stops=(\d+) known=(\d+) labelled=(\d+) copies=(\d+) false=(\d+) (.*)$", done.text, re.M
    )
    assert found, done.text[-4000:]
    stops, known, labelled, copies, false = map(int, found.groups()[:5])
    assert 500 < stops < 4000 and known > 5000
    assert labelled == 0 or level == "stock"
    assert false == 0, found[6]
    assert copies > 0 or level == "stock", "no call of the program has a copy behind a push: it shows nothing"


def test_a_text_is_watched_through_calls_that_push_arguments() -> None:
    """GDB follows by single instructions what the processor cannot watch, and looks for the frame after each."""
    line = line_of(PROGRAM, "filled")
    done = harness.run(
        ["", f"tbreak {PROGRAM}:{line}", "run", "watch out", *["continue"] * 6, "kill"],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "steps"},
        timeout=240,
    )
    values = re.findall(r"^New value = '(.*)'$", done.text, re.M)
    assert list(dict.fromkeys(values)) == ["xab", "xabc", "xabcdef"], done.text
    assert "may lose" not in done.text
