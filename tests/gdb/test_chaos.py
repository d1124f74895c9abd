"""Bytes of live structures are flipped under GDB: every command ends with values or labels, and the program goes on."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.minutes import MATRIX, MINUTES

PROGRAM = "chaos.py"
ROUNDS = 400 if MATRIX else 15
SEED = 6
RESULT = "RESULT 67.0 (5, 6, [('k', 1), ('l', 2)], [1, 5], 15, 'words')"


SETTINGS = [
    pytest.param({"JITSCOPE_LEVEL": "steps"}, id="steps"),
    pytest.param({"JITSCOPE_LEVEL": "stock", "NUMBA_OPT": "0"}, id="stock", marks=MINUTES),
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_flipped_bytes(setting: dict[str, str]) -> None:
    native, loose = (f"break {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in ("native", "loose"))
    chaos = f"chaos {ROUNDS} {SEED}"
    commands = [f"source {pathlib.Path(__file__).parent / 'chaos.py'}", native, "run", "info locals", chaos]
    if setting["JITSCOPE_LEVEL"] != "stock":  # stock object mode has no lines
        commands += [loose, "continue", "info locals", chaos]
    commands += ["delete", "continue"]
    seen = harness.run(commands, program=PROGRAM, env=setting, timeout=600)
    assert not seen.timed_out, seen.text[-3000:]
    assert not re.search(r"Traceback|Python Exception|internal-error", seen.text), seen.text
    reports = [json.loads(text) for text in re.findall(r"^CHAOS (.*)$", seen.text, re.M)]
    assert len(reports) == (1 if setting["JITSCOPE_LEVEL"] == "stock" else 2), seen.text[-3000:]
    for report in reports:
        print(report)
        assert report["bytes"] > 1000 and len(report["names"]) >= 6, report
        assert not report["wrong"], "\n".join(report["wrong"])
    assert RESULT in seen.text, seen.text[-3000:]
    assert "exited normally" in seen.text
