"""Inner functions that Numba inlines: their variables, by their names, in the only frame that is there."""

from __future__ import annotations

import pytest

from tests.gdb import harness

KIND = harness.PROGRAMS / "hook_kinds" / "closures.py"


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(KIND.read_text().splitlines(), 1) if text in line)


@pytest.mark.parametrize("level", ["steps", "exact"])
def test_variables(level: str) -> None:
    places = ("beyond = at", "return beyond", "whole = stepped", "return made", "first = filled(k")
    commands = [f"tbreak hook_kinds/closures.py:{line_of(place)}" for place in places]
    commands += ["run", *["info locals", "continue"] * len(places)]
    env = {"JITSCOPE_LEVEL": level}
    done = harness.run(commands, program="kind_of_function.py", arguments=["closures"], env=env, timeout=120)
    shown = [dict(each.split(" = ", 1) for each in done.of("info locals", n).splitlines()) for n in range(len(places))]
    begun, at_end, nested, arrays, outside = shown
    unknown = "<optimized out>"
    assert (begun["at"], begun["beyond"]) == ("3", unknown), done.text
    assert (at_end["at"], at_end["beyond"]) == ("3", "1"), done.text
    assert (nested["of"], nested["half"], nested["whole"]) == ("4", "2.0", unknown), done.text
    assert (arrays["count"], arrays["made"], arrays["size"]) == ("2", "array([0., 3.])", "2"), done.text
    assert (outside["count"], outside["made"], outside["k"]) == (unknown, unknown, "0"), done.text
    assert outside["first"] == "array([0., 3.])", done.text
