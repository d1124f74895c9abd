"""Stock Numba: the source's names, where Numba writes others, and no line of Numba's own source."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.gdb.threading_layers import env

PROGRAM = "stock_names.py"
NUMBA_LINE = 362  # in sum_parallel_impl of numba/parfors/parfor.py; any line of that file will do


@pytest.fixture(scope="module")
def shown(request: pytest.FixtureRequest) -> Transcript:
    opt = request.param
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'body')}", f"break {PROGRAM}:{NUMBA_LINE}", "run"]
    commands += ["jit locals", "jit print my_scale", "jit print off__set", "jit why _arr_3", "jit bt -all"]
    commands += ["delete 1", "tbreak total", "continue", "tbreak total.prange", "continue", "bt 1", "jit bt"]
    commands += ["jit threads", "jit functions total"]
    commands += [f"tbreak {PROGRAM}:{line_of(PROGRAM, 'inner')}", f"tbreak {PROGRAM}:{line_of(PROGRAM, 'outer')}"]
    commands += ["continue", "jit locals", "continue", "jit locals"] if opt == "0" else ["continue", "jit locals"]
    commands += ["info breakpoints"]
    done = harness.run(commands, program=PROGRAM, env={**env("workqueue", "stock"), "NUMBA_OPT": opt})
    assert "Traceback" not in done.text
    return done


def at_levels(*opts: str) -> pytest.MarkDecorator:
    """Return the mark that runs a test at these levels of Numba's optimisation, with one GDB for each."""
    cases = [pytest.param(opt, marks=pytest.mark.xdist_group(f"stock-names-{opt}")) for opt in opts]
    return pytest.mark.parametrize("shown", cases, indirect=True)


# pytest orders tests by the place of their parameter in its list: those of OPTIMISED are last, for one session.
AT_BOTH, UNOPTIMISED, OPTIMISED = at_levels("0", "3"), at_levels("0"), at_levels("3")


@AT_BOTH
def test_variables_have_the_names_of_the_source(shown: Transcript) -> None:
    own = shown.of("jit locals").partition("\n---")[0]
    names = set(re.findall(r"^(\w+) = ", own, re.M))
    assert names - {"in_arr", "out_arr"} == {"my_scale", "off__set", "_arr_3", "row_idx", "part_sum"}, own


@UNOPTIMISED
def test_without_optimisation_an_array_of_the_loop_is_there(shown: Transcript) -> None:
    own = shown.of("jit locals").partition("\n---")[0]
    assert "in_arr = array([1., 2., " in own, own


@AT_BOTH
def test_a_workers_part_of_a_sum_has_no_value(shown: Transcript) -> None:
    own = shown.of("jit locals").partition("\n---")[0]
    assert re.search(r"^part_sum = <", own, re.M), own


@AT_BOTH
def test_expressions_have_the_names_of_the_source(shown: Transcript) -> None:
    assert (shown.of("jit print my_scale"), shown.of("jit print off__set")) == ("2.0", "3.0"), shown.text


@AT_BOTH
def test_a_reason_is_asked_for_by_the_name_of_the_source(shown: Transcript) -> None:
    assert shown.of("jit why _arr_3").startswith("_arr_3 is exact"), shown.text


@AT_BOTH
def test_an_inlined_function_of_the_interpreter_stands_at_its_callers_address(shown: Transcript) -> None:
    stack = shown.of("jit bt -all")
    assert re.search(r"_PyEval_EvalFrameDefault .*\n#\d+ +passing\.<locals>\.call .*\[py\]\n", stack), stack
    assert "[py]" not in stack.partition("_start ()")[2], stack


@AT_BOTH
def test_a_line_of_numbas_own_source_is_not_taken_for_the_programs(shown: Transcript) -> None:
    said = [line for line in shown.text.splitlines() if not re.search("break|pending", line, re.I)]
    assert not [line for line in said if f"{PROGRAM}:{NUMBA_LINE}" in line], shown.text


@AT_BOTH
def test_a_breakpoint_at_such_a_line_waits(shown: Transcript) -> None:
    assert re.search(rf"^2 .*PENDING.*{NUMBA_LINE}$", shown.of("info breakpoints"), re.M), shown.text


@AT_BOTH
def test_a_loop_that_numba_has_made_has_the_functions_name(shown: Transcript) -> None:
    assert re.search(r"^#0  total\.prange \(.*", shown.of("jit bt")), shown.text


@AT_BOTH
def test_threads_tell_a_loop_that_numba_has_made(shown: Transcript) -> None:
    assert "total, a loop that Numba has made" in shown.of("jit threads"), shown.text


@AT_BOTH
def test_a_closure_has_no_variable_of_that_name(shown: Transcript) -> None:
    inside, behind = shown.of("jit locals", 1), shown.of("jit locals", -1)
    assert inside and "closure" not in inside + behind


@UNOPTIMISED
def test_variables_of_a_function_in_a_function(shown: Transcript) -> None:
    inside = shown.of("jit locals", 1)
    assert {"n", "v", "w_w", "both", "t"} <= set(re.findall(r"^(\w+) = ", inside, re.M)), shown.text
    assert re.search(r"^v = 4$\n(.*\n)*both = 7$", inside, re.M) and "w_w = 3" in inside, shown.text


@AT_BOTH
def test_behind_a_function_in_a_function_its_variables_have_no_value(shown: Transcript) -> None:
    behind = shown.of("jit locals", -1)
    assert behind.startswith("n = 4\n") and not re.search(r"^(v|w_w|both) = (?!<)", behind, re.M), shown.text


@OPTIMISED
def test_a_function_in_a_function_that_has_no_code_left_is_told(shown: Transcript) -> None:
    line = line_of(PROGRAM, "inner")
    assert f"no code is left of line {line} in inner, which is inlined in outer\n" in shown.text
