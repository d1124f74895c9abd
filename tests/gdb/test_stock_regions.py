"""Parallel loops of stock Numba: the source's names, and the line of the `prange`, where it is joined to an array
expression above."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.test_threads import env
from tests.minutes import MINUTES

PROGRAM = "joined.py"
AT = {mark: line_of(PROGRAM, mark) for mark in ("zeros", "header", "first", "last", "behind")}


@pytest.mark.parametrize("opt", ["0", pytest.param("3", marks=MINUTES)])
def test_joined_to_an_array_expression(opt: str) -> None:
    commands = [f"break {PROGRAM}:{AT['last']}", "run", "jit threads", "jit region", "jit locals", "info args"]
    commands += ["print total_2", "print total", "jit why i", "delete", "next", "finish", "next"]
    shown = harness.run(commands, program=PROGRAM, env={**env("workqueue", "stock"), "NUMBA_OPT": opt})
    assert "Traceback" not in shown.text
    place = f"joined, prange at {PROGRAM}:{AT['header']}"
    selected = next(line for line in shown.of("jit threads").splitlines() if line.startswith("*"))
    share = r"i = \d+ of \d+\.\.\d+" if opt == "0" else r"i = <optimized out> of \d+\.\.\d+"
    done = r", \d of \d done" if opt == "0" else ""
    assert re.search(rf"worker \d of workqueue: {place}, {share}, line {AT['last']}{done}$", selected), shown.text
    assert f"caller: joined () waits for its workers at {PROGRAM}:{AT['zeros']}" in shown.of("jit threads"), shown.text
    assert f"{place}-{AT['last']}, on workqueue" in shown.of("jit region"), shown.text
    own = shown.of("jit locals").partition("\n---")[0]
    names = {"out", "i", "total", "q", "t"} | ({"a", "n"} if opt == "0" else set())
    assert set(re.findall(r"^(\w+) = ", own, re.M)) == names, own
    assert re.search(r"^total = <", own, re.M), own  # a worker's part: stock code does not tell it
    values = {name: text for name, text in re.findall(r"^([qti]) = ([\d.]+)$", own, re.M)}
    if opt == "0":
        assert int(values["q"]) * 2 / 3 == float(values["t"]), own
        assert int(values["i"]) * 3 == int(values["q"]), own
    assert shown.of("print total_2") == 'No symbol "total_2" in current context.'
    assert shown.of("print total").endswith("= <optimized out>")
    line = re.match(r"(\d+)\t", shown.of("next"))
    assert line and int(line[1]) in range(AT["header"], AT["last"] + 1), shown.text
    assert re.search(rf"has ended\.\n#0  joined \(.*:{AT['behind']}\n", shown.of("finish")), shown.text
