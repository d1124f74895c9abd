"""Results of functions that return a value or None, and conditions at a name that C++ libraries have, too."""

from __future__ import annotations

import functools

import pytest

from tests.gdb import harness

pytestmark = pytest.mark.xdist_group("step_out")
RESULTS = {
    "number": ("None", "6.0"),
    "array": ("None", "array([0., 1.5, 3., 4.5])"),
    "truth": ("None", "True"),
    "pair": ("None", "(4, 1.0)"),
}
# Stock debug information has only the layout of the tuple in the optional.
OF_STOCK = {**RESULTS, "pair": ("None", "<unknown: the debug information does not name its type>")}


@functools.cache
def finished(level: str) -> harness.Transcript:
    commands = ["set breakpoint pending on", *(f"break {name}" for name in RESULTS), "run"]
    commands += ["jit finish", "continue"] * (2 * len(RESULTS))
    done = harness.run(commands, program="optional_results.py", env={"JITSCOPE_LEVEL": level})
    assert not done.timed_out, done.text
    return done


@pytest.mark.parametrize("level", ["steps", "exact", "stock"])
def test_a_value_or_none_is_what_was_returned(level: str) -> None:
    done = finished(level)
    number = 0
    for name, results in (OF_STOCK if level == "stock" else RESULTS).items():
        for result in results:
            assert done.of("jit finish", number).endswith(f"{name} returned {result}"), done.text
            number += 1


def test_a_condition_waits_for_compiled_python_of_a_name_that_libraries_have() -> None:
    commands = ["set breakpoint pending on", "break pair if n == 4", "run", "print n", "info breakpoints"]
    done = harness.run(commands, program="optional_results.py")
    assert "pair (n=4)" in done.of("run"), done.text
    assert "does not stop" not in done.text and done.of("print n") == "$1 = 4", done.text
