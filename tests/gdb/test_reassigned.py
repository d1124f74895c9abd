"""Stock Numba: arguments that are assigned again, and variables without a name in its debug information."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness

PROGRAM = "reassigned.py"


@pytest.mark.parametrize("optimised", ["0", "3"])
def test_the_value_at_entry_is_not_the_current_one(optimised: str) -> None:
    places = [f"break {PROGRAM}:{harness.line_of(PROGRAM, mark)}" for mark in ("once", "twice", "swapped")]
    show = ("jit locals", "print arg")
    done = harness.run(
        [*places, "run", *show, "continue", *show, "continue", *show, "print word"],
        program=PROGRAM,
        env={"NUMBA_OPT": optimised},
    )
    expected = {"once": ("0", "0"), "twice": ("-4", "0"), "swapped": ("1", "5")}
    stops = [line for _, text in done.sections for line in re.findall(r"# at: (\w+)$", text, re.M)]
    assert stops == list(expected) or optimised == "3" and stops, done.text
    for number, mark in enumerate(stops):
        shown = dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals", number), re.M))
        for name, value in zip(("arg", "brg"), expected[mark]):
            assert shown[name] == value or shown[name].startswith("<"), (mark, done.text)
        if optimised == "0":
            assert shown["arg"] == expected[mark][0]
        printed = done.of("print arg", number).partition(" = ")[2]
        assert printed in (expected[mark][0], "<optimized out>")
    assert "0x" not in done.of("print word")
