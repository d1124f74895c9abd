"""A program is stepped past its breakpoints without harm."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "selects.py"
SHOW = "show displaced-stepping"
HAS_AVX = " avx " in pathlib.Path("/proc/cpuinfo").read_text()


@pytest.mark.parametrize("non_stop", ["off", "on"])
def test_past_an_instruction_that_gdb_misreads(non_stop: str) -> None:
    """GDB by itself takes vcmpsd for a `ret`, and the program gets a SIGSEGV."""
    place = f"{PROGRAM}:{line_of(PROGRAM, 'select')}"
    looks = [f"break {place}", "run", "x/i $pc", SHOW, *["continue"] * 3, SHOW]
    shown = harness.run([f"set non-stop {non_stop}", *looks], program=PROGRAM, env={"NUMBA_OPT": "3"})
    assert not HAS_AVX or "vcmp" in shown.of("x/i $pc"), shown.text
    assert "2.0 nan 2.0" in shown.text and "SIGSEGV" not in shown.text, shown.text
    assert shown.of(SHOW).endswith(" is off.") and " is auto " in shown.of(SHOW, 1), shown.text


def test_what_the_user_has_set_stays() -> None:
    place = f"{PROGRAM}:{line_of(PROGRAM, 'select')}"
    shown = harness.run(["set displaced-stepping on", f"break {place}", "run", SHOW], program=PROGRAM)
    assert shown.of(SHOW).endswith(" is on."), shown.text
