"""Parallel loops of stock Numba: the source's names, and the line of the `prange`, where it is joined to an array
expression above."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.threading_layers import env
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


INDICES = """
import numpy as np
from numba import njit, prange

@njit(debug=True, parallel=True)
def marked(a, b):
    for i in prange(a.size):
        q = i * 2
        a[i] = a[i - 1] + q
    for k in prange(-b, 3):
        q = k * 2
        a[k] = a[k - 1] + q
    return a

marked(np.zeros(8), 2)
"""


@pytest.mark.parametrize("level", ["stock", "exact"])
@pytest.mark.parametrize("opt", ["0", "3"])
def test_an_index_has_the_type_of_its_schedule(level: str, opt: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "marked.py"
    program.write_text(INDICES)
    commands = ["break marked.py:9", "run", "whatis i", "jit locals -json", "delete", "break marked.py:12", "continue"]
    commands += ["whatis k", "jit locals -json"]
    done = harness.run(commands, program=program, env={**env("workqueue", level), "NUMBA_OPT": opt})
    assert done.of("whatis i").strip() == "type = uint64", done.text
    assert done.of("whatis k").strip() == "type = int64", done.text
    for number, name, kind in ((0, "i", "uint64"), (1, "k", "int64")):
        found = json.loads(done.of("jit locals -json", number).splitlines()[0])
        found = found["variables"] if isinstance(found, dict) else found
        assert [each["type"] for each in found if each["name"] == name] == [kind], done.text
