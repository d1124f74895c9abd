"""Parallel loops of stock Numba: the source's names, and the line of the `prange`, if it is joined to an array
expression above."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.gdb.threading_layers import env
from tests.minutes import MINUTES

PROGRAM = "joined.py"
AT = {mark: line_of(PROGRAM, mark) for mark in ("zeros", "header", "first", "last", "behind")}


@pytest.fixture(scope="module")
def joined(request: pytest.FixtureRequest) -> Transcript:
    commands = [f"break {PROGRAM}:{AT['last']}", "run", "jit threads", "jit region", "jit locals", "info args"]
    commands += ["print total_2", "print total", "jit why i", "delete", "next", "finish", "next"]
    shown = harness.run(commands, program=PROGRAM, env={**env("workqueue", "stock"), "NUMBA_OPT": request.param})
    assert "Traceback" not in shown.text
    return shown


UNOPTIMISED = pytest.param("0", marks=pytest.mark.xdist_group("joined-0"))
OPTIMISED = pytest.param("3", marks=[pytest.mark.xdist_group("joined-3"), MINUTES])
AT_BOTH = pytest.mark.parametrize("joined", [UNOPTIMISED, OPTIMISED], indirect=True)
AT_0 = pytest.mark.parametrize("joined", [UNOPTIMISED], indirect=True)
PLACE = f"joined, prange at {PROGRAM}:{AT['header']}"


def selected(joined: Transcript) -> str:
    return next(line for line in joined.of("jit threads").splitlines() if line.startswith("*"))


def own_variables(joined: Transcript) -> str:
    return joined.of("jit locals").partition("\n---")[0]


@AT_BOTH
def test_a_worker_is_in_the_loop_of_the_source(joined: Transcript) -> None:
    share = r"i = (?:\d+|<optimized out>) of \d+\.\.\d+"
    assert re.search(rf"worker \d of workqueue: {PLACE}, {share}, line {AT['last']}", selected(joined)), joined.text


@AT_BOTH
def test_how_far_a_worker_is_is_known_without_optimisation(joined: Transcript, request: pytest.FixtureRequest) -> None:
    is_known = request.node.callspec.params["joined"] == "0"
    share = r"i = \d+ of \d+\.\.\d+" if is_known else r"i = <optimized out> of \d+\.\.\d+"
    done = r", \d of \d done" if is_known else ""
    assert re.search(rf", {share}, line {AT['last']}{done}$", selected(joined)), joined.text


@AT_BOTH
def test_who_has_started_the_loop_waits_at_its_first_line(joined: Transcript) -> None:
    waits = f"caller: joined () waits for its workers at {PROGRAM}:{AT['zeros']}"
    assert waits in joined.of("jit threads"), joined.text


@AT_BOTH
def test_the_region_is_the_loop_of_the_source(joined: Transcript) -> None:
    assert f"{PLACE}-{AT['last']}, on workqueue" in joined.of("jit region"), joined.text


@AT_BOTH
def test_variables_have_the_names_of_the_source(joined: Transcript, request: pytest.FixtureRequest) -> None:
    own, is_optimised = own_variables(joined), request.node.callspec.params["joined"] == "3"
    names = {"out", "i", "total", "q", "t"} | (set() if is_optimised else {"a", "n"})
    assert set(re.findall(r"^(\w+) = ", own, re.M)) == names, own


@AT_BOTH
def test_a_workers_part_of_a_sum_has_no_value(joined: Transcript) -> None:
    """Stock code does not describe it."""
    own = own_variables(joined)
    assert re.search(r"^total = <", own, re.M), own
    assert joined.of("print total").endswith("= <optimized out>")


@AT_0
def test_variables_have_the_values_of_one_turn(joined: Transcript) -> None:
    own = own_variables(joined)
    values = {name: text for name, text in re.findall(r"^([qti]) = ([\d.]+)$", own, re.M)}
    assert int(values["q"]) * 2 / 3 == float(values["t"]), own
    assert int(values["i"]) * 3 == int(values["q"]), own


@AT_BOTH
def test_numbas_name_of_a_variable_is_no_name(joined: Transcript) -> None:
    assert joined.of("print total_2") == 'No symbol "total_2" in current context.'


@AT_BOTH
def test_next_stays_in_the_loop(joined: Transcript) -> None:
    line = re.match(r"(\d+)\t", joined.of("next"))
    assert line and int(line[1]) in range(AT["header"], AT["last"] + 1), joined.text


@AT_BOTH
def test_finish_ends_behind_the_loop(joined: Transcript) -> None:
    assert re.search(rf"has ended\.\n#0  joined \(.*:{AT['behind']}\n", joined.of("finish")), joined.text


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
