"""Gatherings in which a worker crashes or raises, or a loop is in another: none hangs, on each threading layer."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.gathered import env
from tests.gdb.harness import line_of
from tests.gdb.threading_layers import NEEDS_TBB

LAYERS = ["workqueue", "omp", pytest.param("tbb", marks=NEEDS_TBB)]
# More gatherings than there can be, each complete or reported: the program ends, or stops for another reason.
ON = """python
said = []
for _ in range(40):
    if not gdb.selected_inferior().pid:
        break
    said.append(gdb.execute("jit gather -next", False, True))
    if "have not gathered" in said[-1] or "gathered" in said[-1] and "ended" in said[-1]:
        break
print("MEETINGS", len(said), "late", sum("did not come" in each for each in said))
print(said[-1])
"""


def meetings(shown: harness.Transcript) -> tuple[int, int]:
    assert not shown.timed_out and "Traceback" not in shown.text, shown.text[-3000:]
    found = re.search(r"^MEETINGS (\d+) late (\d+)$", shown.text, re.M)
    assert found, shown.text[-3000:]
    return int(found[1]), int(found[2])


@pytest.mark.parametrize("layer", LAYERS)
def test_a_crash(layer: str) -> None:
    """One worker faults while the others wait for it."""
    line = f"par.py:{line_of('par.py', 'crash') + 1}"
    environment = {**env(layer), "JITSCOPE_LEVEL": "steps"}
    commands = ["break foo", "run", "delete", f"jit gather {line}", ON, "jit threads", "jit bt", "kill"]
    shown = harness.run(commands, program="par.py", env=environment)
    count, late = meetings(shown)
    assert late == 0 and 1 <= count < 9, shown.text
    assert "The workers have not gathered: the program has stopped before." in shown.text
    assert "received signal SIG" in shown.text or "abort" in shown.of("jit bt"), shown.text
    assert re.search(r"foo\.prange \(.*i ?= ?8", shown.of("jit bt")), shown.of("jit bt")


@pytest.mark.parametrize("layer", LAYERS)
def test_an_exception(layer: str) -> None:
    """One worker leaves by an exception at its second iteration."""
    line = f"gathered.py:{line_of('gathered.py', 'stays')}"
    commands = ["break raising", "run", "delete", f"jit gather {line}", ON]
    shown = harness.run(commands, program="gathered.py", env=env(layer))
    count, late = meetings(shown)
    assert late == 0 and count >= 1, shown.text


@pytest.mark.parametrize("layer", ["omp", pytest.param("tbb", marks=NEEDS_TBB)])
def test_loops_in_loops(layer: str) -> None:
    """Several loops start at once; on tbb it is not known how many workers come to each."""
    at = f"nested_loops.py:{line_of('nested_loops.py', 'call')}"
    commands = [f"break {at}", "run", "delete", "jit gather", ON, "kill"]
    shown = harness.run(commands, program="nested_loops.py", env=env(layer))
    _, late = meetings(shown)
    assert late == 0 and "90.0" in shown.text, shown.text[-3000:]


CODE = """python
import os, re
at = [int(each, 16) for each in re.findall("0x[0-9a-f]+", gdb.execute("info breakpoints", False, True))]
pid = gdb.selected_inferior().pid
children = " ".join(open(f"/proc/{pid}/task/{task}/children").read() for task in os.listdir(f"/proc/{pid}/task"))
for process in (pid, *map(int, children.split())):
    with open(f"/proc/{process}/mem", "rb", 0) as memory:
        print("CODE", {os.pread(memory.fileno(), 8, address).hex() for address in at})
"""


def test_a_fork() -> None:
    """A child that is forked while workers gather has unchanged code. Another loop comes before the one that is asked
    for."""
    line, loop = (f"forking.py:{line_of('forking.py', mark)}" for mark in ("line", "loop"))
    commands = ["break prepared", "run", "delete", f"jit gather {loop}", "jit threads"]
    commands += [f"jit gather {line}", f"break {line}", CODE, "delete", "continue"]
    shown = harness.run(commands, program="forking.py", env={**env("workqueue"), "JITSCOPE_LEVEL": "steps"})
    assert shown.of(f"jit gather {loop}").count("\nworker ") == 4, shown.text
    assert shown.of("jit threads").count(f": work, prange at {loop}, ") == 4, shown.text
    assert shown.of(f"jit gather {line}").count("\nworker ") == 4, shown.text
    own, child = re.findall("^CODE (.*)$", shown.text, re.M)
    assert child == own, shown.text
    assert "\n96.0\n" in shown.text, shown.text


MANY = """import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def f(a, b, q, r, s, u, v):
    out = np.zeros_like(a)
    for i in prange(a.size):
        zero = 2.0
        k = i % 4 if i != 4 else 9
        w = i % 4 if i != 5 else 9
        t = a[i] * b[i]
        t += q * zero + r + s + u + v + k + w
        out[i] = t
    return out


x = np.arange(8.0)
print(f(x, x, 1, 2, 3, 4, 5).sum())
"""


def test_of_many_variables_the_same_are_shown_at_each_meeting(tmp_path: pathlib.Path) -> None:
    """The workers' `k` differ at the first meeting only, their `w` at the second one only."""
    program = tmp_path / "many.py"
    program.write_text(MANY)
    environment = {"JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"}
    commands = ["jit gather many.py:14", "run", "jit gather -next", "jit gather many.py:14"]
    shown = harness.run(commands, program=program, env=environment)
    for number, command in enumerate(["run", "jit gather -next", "jit gather many.py:14"]):
        said = shown.of(command, -1)
        assert said.count("    and 5 more: `jit apply ") == 2, shown.text
        expected = []
        for i in (number, 4 + number):
            k, w = (9 if i == 4 else i % 4), (9 if i == 5 else i % 4)
            t = i * i + 2 + 2 + 3 + 4 + 5 + k + w
            same = {"q": 1, "r": 2, "s": 3, "u": 4, "v": 5}
            expected += [("i", i), *same.items(), ("k", k), ("t", f"{t}.0")]
        rows = re.findall(r"^    (\w+) = (.*)$", said, re.M)
        assert rows == [(name, f"{value}") for name, value in expected], shown.text
