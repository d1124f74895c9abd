"""Inner functions that Numba inlines: their variables, by their names, in the only frame that is there."""

from __future__ import annotations

import pathlib
import re
import types
from collections.abc import Iterator

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


INNER = """import numpy as np
from numba import njit


@njit(debug=True)
def outer(a, n):
    total = 0.0

    def scaled(value, by):
        twice = value * 2
        return twice * by

    def less(value, off):
        return value - off

    for i in range(a.size):
        total += scaled(a[i], n)
        total = less(total, n)
    found = total + (lambda one: one + 1)(n)
    return found


print(outer(np.arange(3.0), 4))
"""


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes(each)


@pytest.mark.parametrize("level", ["steps", "exact", "stock"])
def test_locals_of_a_line_are_those_that_the_interpreter_has_there(level: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "inner.py"
    program.write_text(INNER)
    functions = {code.co_name: code for code in codes(compile(INNER, "inner.py", "exec"))}
    names = {name: {*code.co_varnames, *code.co_cellvars} for name, code in functions.items()}
    commands = ["set jitscope notes off"]
    for line in (17, 18, 10, 14, 20):
        commands += ["delete", f"tbreak inner.py:{line}", "run", "frame", "jit locals"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": level})
    stops = 0
    for number in range(5):
        stopped = re.search(r"inner\.py:(\d+)\n", done.of("frame", number))
        shown = set(re.findall(r"^(\w+) = ", done.of("jit locals", number), re.M))
        if stopped is None:  # at stock no code of the line may be left
            assert level == "stock", done.text
            continue
        stops += 1
        line = int(stopped[1])
        name = {9: "scaled", 10: "scaled", 11: "scaled", 14: "less", 13: "less", 19: "<lambda>"}.get(line, "outer")
        own = names["outer"] | names[name]
        assert shown <= own, (line, done.text)
        if level == "steps":
            assert shown == own, (line, done.text)
    assert stops >= 3, done.text
