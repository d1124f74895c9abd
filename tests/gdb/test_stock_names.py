"""Stock Numba: the source's names, where Numba writes others, and no line that is of Numba's own source."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.threading_layers import env

PROGRAM = "stock_names.py"
NUMBA_LINE = 362  # numba/parfors/parfor.py, sum_parallel_impl; any of that file will do


@pytest.mark.parametrize("opt", ["0", "3"])
def test_names_and_lines(opt: str) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'body')}", f"break {PROGRAM}:{NUMBA_LINE}", "run"]
    commands += ["jit locals", "jit print my_scale", "jit print off__set", "jit why _arr_3", "jit bt -all"]
    commands += ["delete 1", "tbreak total", "continue", "tbreak total.prange", "continue", "bt 1", "jit bt"]
    commands += ["jit threads", "jit functions total"]
    commands += [f"tbreak {PROGRAM}:{line_of(PROGRAM, 'inner')}", f"tbreak {PROGRAM}:{line_of(PROGRAM, 'outer')}"]
    commands += ["continue", "jit locals", "continue", "jit locals"] if opt == "0" else ["continue", "jit locals"]
    commands += ["info breakpoints"]
    shown = harness.run(commands, program=PROGRAM, env={**env("workqueue", "stock"), "NUMBA_OPT": opt})
    assert "Traceback" not in shown.text
    own = shown.of("jit locals").partition("\n---")[0]
    names = set(re.findall(r"^(\w+) = ", own, re.M))
    assert names - {"in_arr", "out_arr"} == {"my_scale", "off__set", "_arr_3", "row_idx", "part_sum"}, own
    assert opt != "0" or "in_arr = array([1., 2., " in own, own
    assert re.search(r"^part_sum = <", own, re.M), own  # a worker's part
    assert (shown.of("jit print my_scale"), shown.of("jit print off__set")) == ("2.0", "3.0"), shown.text
    assert shown.of("jit why _arr_3").startswith("_arr_3 is exact"), shown.text
    # an inlined function of the interpreter stands at its caller's address
    stack = shown.of("jit bt -all")
    assert re.search(r"_PyEval_EvalFrameDefault .*\n#\d+ +passing\.<locals>\.call .*\[py\]\n", stack), stack
    assert "[py]" not in stack.partition("_start ()")[2], stack
    # what Numba has inlined of its own
    said = [line for line in shown.text.splitlines() if not re.search("break|pending", line, re.I)]
    assert not [line for line in said if f"{PROGRAM}:{NUMBA_LINE}" in line], shown.text
    assert re.search(rf"^2 .*PENDING.*{NUMBA_LINE}$", shown.of("info breakpoints"), re.M), shown.text
    assert re.search(r"^#0  total\.prange \(.*", shown.of("jit bt")), shown.text
    assert "total, a loop that Numba has made" in shown.of("jit threads"), shown.text
    # a function in a function
    inside, behind = shown.of("jit locals", 1), shown.of("jit locals", -1)
    assert "closure" not in inside + behind
    if opt == "0":
        assert {"n", "v", "w_w", "both", "t"} <= set(re.findall(r"^(\w+) = ", inside, re.M)), shown.text
        assert re.search(r"^v = 4$\n(.*\n)*both = 7$", inside, re.M) and "w_w = 3" in inside, shown.text
    else:
        line = line_of(PROGRAM, "inner")
        assert f"no code is left of line {line} in inner, which is inlined in outer\n" in shown.text
    assert behind.startswith("n = 4\n") and not re.search(r"^(v|w_w|both) = (?!<)", behind, re.M), shown.text
