"""Assignments by LLDB: those to a variable are refused or change nothing, unless the program computes with its place;
those to an element are what the program reads."""

from __future__ import annotations

import functools
import re

import pytest

from tests.gdb.harness import line_of
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "lldb_arrays.py"
EXPRESSIONS = ("number = 70", "number += 1", "grid.nitems = 2", "large = grid")
TRIED = "script lldb.debugger.HandleCommand('expression -- {}')"
SET = "script print(lldb.frame.FindVariable('number').SetValueFromCString('70'))"
ELEMENT = (
    "script print(lldb.frame.FindVariable('grid').GetChildAtIndex(1).GetChildAtIndex(2).SetValueFromCString('60'))"
)
RESULT = 1_234_567.0 + 4.0 + 8  # without the element of `grid`


@functools.cache
def said(lldb: str, level: str) -> Said:
    stop = f"breakpoint set -f {PROGRAM} -l {line_of(PROGRAM, 'look')}"
    tried = [TRIED.format(each) for each in EXPRESSIONS]
    return run(
        lldb, PROGRAM, level, (stop, "run", *tried, SET, "jit locals", ELEMENT, "jit print grid[1, 2]", "continue")
    )


AT_EACH_LEVEL = pytest.mark.parametrize("level", ["steps", "exact", "stock"])


@LLDBS
@AT_EACH_LEVEL
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_that_assigns_to_a_variable_is_refused(lldb: str, level: str, expression: str) -> None:
    answers = said(lldb, level).of(TRIED.format(expression))
    assert answers and "= " not in answers[0].partition("error:")[0], (
        answers
    )  # LLDB writes a result as `(int64) $0 = 70`


@LLDBS
@AT_EACH_LEVEL
def test_variables_are_as_before(lldb: str, level: str) -> None:
    shown = said(lldb, level).of("jit locals")[0].splitlines()
    number = next(line for line in shown if line.startswith("number = "))
    assert number == "number = 8" or number.startswith("number = <")
    assert "grid = array([[0., 1., 2., 3.], [4., 5., 6., 7.], [8., 9., 10., 11.]])" in shown


@LLDBS
@AT_EACH_LEVEL
def test_an_element_is_what_the_program_reads(lldb: str, level: str) -> None:
    assert said(lldb, level).of("jit print grid[1, 2]") == ["60.0"]
    assert f"result: {RESULT + 60.0}" in said(lldb, level).text


TUPLES = "lldb_tuples.py"
PARTS = {
    "t": "FindVariable('t').GetChildAtIndex(0)",
    "pair": "FindVariable('pair').GetChildAtIndex(0)",
    "z": "FindVariable('z')",
    "n": "FindVariable('n')",
    "kind": "FindVariable('kind').GetNonSyntheticValue().GetChildAtIndex(1)",
}


@functools.cache
def tuples(lldb: str, level: str) -> Said:
    stop = f"breakpoint set -f {TUPLES} -l {line_of(TUPLES, 'look')}"
    sets = [f"script lldb.frame.{part}.SetValueFromCString('7')" for part in PARTS.values()]
    looks = [f"frame variable {name}" for name in PARTS]
    return run(lldb, TUPLES, level, (stop, "run", "jit locals", *looks, *sets, "jit locals", *looks, "continue"))


@LLDBS
@AT_EACH_LEVEL
def test_parts_of_a_variable_are_as_before(lldb: str, level: str) -> None:
    """LLDB had written a tuple's member into the copy that it shows, which the program does not read."""
    found = tuples(lldb, level)
    before, after = found.of("jit locals")
    assert before == after and "t = (8, 5.5)" in before.splitlines()
    for name in PARTS:
        before, after = found.of(f"frame variable {name}")
        assert before == after
    assert "4 8 5.5 4j 4 10.0" in found.text


@LLDBS
def test_at_opt_0_the_program_computes_with_what_is_assigned(lldb: str) -> None:
    found = tuples(lldb, "opt-0")
    before, after = found.of("frame variable t")
    assert ("(8, 5.5)" in before, "(7, 5.5)" in after) == (True, True)
    assert re.search(r"^7 7 5\.5 .* 7 10\.0$", found.text, re.M)
