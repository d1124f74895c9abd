"""Parallel kernels of code that was compiled with the hook: under the user's file, function, lines and names."""

from __future__ import annotations

import ast
import re
import subprocess
import tempfile

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs, newest_python
from tests.minutes import MINUTES

PROGRAM = "hook_kernels.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
WITH = pytest.mark.parametrize("jitscope", [False, True], ids=["plain", "jitscope"])
pytestmark = pytest.mark.xdist_group("hook_kernels")
STEPS = {"JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"}
RESULTS = [
    "scaled 95.0",
    f"grid {[[float(row * 2), *(float(row * 10 + col) for col in (1, 2))] for row in range(6)]}",
    "negative [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0]",
    f"expression {[1.0 + 2.0 * n for n in range(8)]}",
    "pairs [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]",
    "closure [3.5, 3.5, 3.5, 3.5, 3.5, 3.5]",
    "in_turn [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]",
    "outer [6.0, 6.0, 6.0, 6.0]",
]

# Lines at which to stop, and the variables that are looked at there.
NAMES = {
    "body": "i t_1 my_sum my_scale",
    "inner": "row col",
    "outer": "row col b",
    "negative": "k",
    "expression": "a",
    "returned": "a",
    "pairs": "index",
    "closure": "k scale",
    "first": "i",
    "second": "j half",
    "inlined": "j total",
}
PROBE = """\
python
import gdb
NAMES = {names!r}
def shown(name):
    try:
        return gdb.execute("output " + name, to_string=True)
    except gdb.error as error:
        return "<%s>" % error
def seen(event):
    if isinstance(event, gdb.BreakpointEvent):
        frame = gdb.selected_frame()
        line = frame.find_sal().line
        print("STOP", (frame.name(), line, [shown(name) for name in NAMES.get(line, ())]))
gdb.events.stop.connect(seen)
end
run
while $_isvoid($_exitcode)
continue
end
"""

Stop = tuple[str, dict[str, str]]
_SEEN: dict[tuple[str, bool, tuple[tuple[str, str], ...]], dict[int, list[Stop]]] = {}


def stops(mark: str, gdb: str, jitscope: bool, env: dict[str, str] = STEPS) -> list[Stop]:
    """Return, for each stop on the marked line, the function, and its variables as GDB prints them."""
    key = (gdb, jitscope, tuple(env.items()))
    if key not in _SEEN:
        _SEEN[key] = run(gdb, jitscope, env)
    return _SEEN[key].get(line_of(PROGRAM, mark), [])


def run(gdb: str, jitscope: bool, env: dict[str, str]) -> dict[int, list[Stop]]:
    names = {line_of(PROGRAM, mark): text.split() for mark, text in NAMES.items()}
    command = [gdb, "-nx", "-batch", "-q"]
    for setting in harness.QUICK:
        command += ["-iex", setting]
    if jitscope:
        command += ["-ex", f"source {harness.JITSCOPE}"]
    for line in names:
        command += ["-ex", f"break {PROGRAM}:{line}"]
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write(PROBE.format(names=names))
        script.flush()
        command += ["-x", script.name, "--args", newest_python(), str(harness.PROGRAMS / PROGRAM)]
        done = subprocess.run(
            command,
            env=harness.lean(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
    for result in RESULTS:
        assert result in done.stdout, done.stdout[-3000:]
    found: dict[int, list[Stop]] = {}
    for text in re.findall(r"^STOP (.*)$", done.stdout, re.M):
        function, line, values = ast.literal_eval(text)
        assert line in names, f"a stop at line {line}"
        found.setdefault(line, []).append((function, dict(zip(names[line], values))))
    return found


@GDBS
@WITH
def test_each_iteration_stops_in_its_worker(gdb: str, jitscope: bool) -> None:
    found = stops("body", gdb, jitscope)
    assert len(found) == 20 and {function for function, _ in found} == {"scaled.prange"}
    sums = {0: 0.0, 10: 0.0}  # by the first index of each worker
    for _, values in sorted(found, key=lambda stop: int(stop[1]["i"])):
        index = int(values["i"])
        assert float(values["t_1"]) == index * 0.5 and float(values["my_scale"]) == 0.5
        assert float(values["my_sum"]) == sums[index]
        sums[index + 1] = sums[index] + index * 0.5 if index != 9 else 0.0


@GDBS
@WITH
def test_loops_run_in_turn(gdb: str, jitscope: bool) -> None:
    """Numba fuses no loop with another, or with the code that makes an array."""
    assert sorted(int(values["i"]) for _, values in stops("first", gdb, jitscope)) == list(range(6))
    found = {int(values["j"]): float(values["half"]) for _, values in stops("second", gdb, jitscope)}
    assert found == {j: float(j) for j in range(6)}


@GDBS
@WITH
def test_nested(gdb: str, jitscope: bool) -> None:
    inner = stops("inner", gdb, jitscope)
    assert {function for function, _ in inner} == {"grid.prange"}
    seen = [(int(values["row"]), int(values["col"])) for _, values in inner]
    assert sorted(seen) == [(row, col) for row in range(6) for col in range(3)]
    outer = [values for _, values in stops("outer", gdb, jitscope)]
    assert sorted(int(values["row"]) for values in outer) == list(range(6))
    assert all(int(values["b"]) == 2 * int(values["row"]) and values["col"] == "2" for values in outer)


@GDBS
def test_a_range_below_zero(gdb: str) -> None:
    found = stops("negative", gdb, False)
    assert sorted(int(values["k"]) for _, values in found) == list(range(-3, 3))


@GDBS
@WITH
def test_an_array_expression_stops_once(gdb: str, jitscope: bool) -> None:
    """It stops in the function that contains it, before any of it has run."""
    assert [function for function, _ in stops("expression", gdb, jitscope)] == ["expression"]
    assert [function for function, _ in stops("returned", gdb, jitscope)] == ["expression"]


@GDBS
def test_an_index_of_several_dimensions(gdb: str) -> None:
    found = stops("pairs", gdb, False)
    assert sorted(values["index"] for _, values in found) == [
        f"{{{row}, {col}}}" for row in range(2) for col in range(3)
    ]


@GDBS
@WITH
def test_parts_of_a_tuple(gdb: str, jitscope: bool) -> None:
    found = stops("closure", gdb, jitscope)
    assert {function for function, _ in found} == {"closure.prange"}
    assert sorted(int(values["k"]) for _, values in found) == list(range(6))
    assert {values["scale"] for _, values in found} == {"2.5"}


@GDBS
def test_a_loop_of_an_inlined_closure(gdb: str) -> None:
    """`total` is the closure's variable there, not the function's of the same name."""
    found = stops("inlined", gdb, False)
    assert {function for function, _ in found} == {"outer.prange"}
    assert sorted(int(values["j"]) for _, values in found) == list(range(4))
    assert all(values["total"] == "6" or not values["total"].isdigit() for _, values in found)


@GDBS
@pytest.mark.parametrize("opt", ["0", pytest.param("1", marks=MINUTES)])
def test_less_optimised(gdb: str, opt: str) -> None:
    found = stops("body", gdb, opt == "0", {**STEPS, "NUMBA_OPT": opt})
    assert sorted(int(values["i"]) for _, values in found) == list(range(20))
    assert all(float(values["t_1"]) == int(values["i"]) * 0.5 for _, values in found)


@GDBS
def test_exact_shows_nothing_false(gdb: str) -> None:
    """An innermost loop is left alone: the variables that it assigns are not known there."""
    for _, values in stops("outer", gdb, False, {"JITSCOPE_LEVEL": "exact", "NUMBA_NUM_THREADS": "2"}):
        assert int(values["b"]) == 2 * int(values["row"])


def test_what_numba_fuses_at_exact() -> None:
    """The caller is at the line of the loop, and no variable that the source assigns after it has a value."""
    program = "fused_loops.py"
    at = {mark: line_of(program, mark) for mark in ("header", "body", "behind")}
    done = harness.run(
        [f"break {program}:{at['body']}", "run", "jit bt -full", "delete", f"break {program}:{at['behind']}",
         "continue", "jit locals"],
        program=program, env={"JITSCOPE_LEVEL": "exact", "NUMBA_NUM_THREADS": "2"}, timeout=90,
    )  # fmt: skip
    kernel, _, caller = done.of("jit bt -full").partition("\n#1")
    assert "fused.prange (rows=array(float64, shape=(7,)), scale=1.5, out=" in kernel and "other" not in kernel
    assert re.search(rf" fused \(rows=.*, scale=1.5\) at .*{program}:{at['header']}\b", caller), done.text
    assert "other = <optimized out>" in caller and "mean = <optimized out>" in caller
    assert "other = array([1., 1., 1., 1., 1., 1., 1.])" in done.of("jit locals"), done.text
