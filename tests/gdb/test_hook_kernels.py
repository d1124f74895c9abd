"""Parallel kernels of code that was compiled with the hook: under the user's file, function, lines and names."""

from __future__ import annotations

import re
import subprocess
import tempfile

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs, newest_python

PROGRAM = "hook_kernels.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
WITH = pytest.mark.parametrize("jitscope", [False, True], ids=["plain", "jitscope"])
STEPS = {"JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"}
RESULTS = [
    "scaled 95.0",
    f"grid {[[float(row * 2), *(float(row * 10 + col) for col in (1, 2))] for row in range(6)]}",
    "negative [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0]",
    f"expression {[1.0 + 2.0 * n for n in range(8)]}",
    "pairs [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]",
    "closure [3.5, 3.5, 3.5, 3.5, 3.5, 3.5]",
    "outer [6.0, 6.0, 6.0, 6.0]",
]

Stop = tuple[str, dict[str, str]]


def stops(mark: str, names: str, gdb: str, jitscope: bool, env: dict[str, str] | None = None) -> list[Stop]:
    """At each stop on the marked line: the function, and the named variables as GDB prints them."""
    breakpoint = [f"break {PROGRAM}:{line_of(PROGRAM, mark)}", "python gdb.events.stop.connect(seen)"]
    define = (
        "python\nimport gdb\n"
        "def shown(name):\n"
        "    try:\n        return gdb.execute('output ' + name, to_string=True)\n"
        "    except gdb.error as error:\n        return '<%s>' % error\n"
        "def seen(event):\n"
        "    if isinstance(event, gdb.BreakpointEvent):\n"
        "        frame = gdb.selected_frame()\n"
        f"        print('STOP', (frame.name(), frame.find_sal().line, [shown(n) for n in {names.split()!r}]))\n"
        "end"
    )
    text = run_all([define, *breakpoint], gdb, jitscope, env or STEPS)
    found = []
    for function, line, values in (eval(each) for each in re.findall(r"^STOP (.*)$", text, re.M)):
        assert line == line_of(PROGRAM, mark)
        found.append((function, dict(zip(names.split(), values))))
    for result in RESULTS:
        assert result in text, text[-3000:]
    return found


def run_all(commands: list[str], gdb: str, jitscope: bool, env: dict[str, str]) -> str:
    """Runs to the end; definitions of several lines go by a file of GDB's."""
    command = [gdb, "-nx", "-batch", "-q"]
    for setting in harness.QUIET:
        command += ["-iex", setting]
    if jitscope:
        command += ["-ex", f"source {harness.JITSCOPE}"]
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write("\n".join([*commands, "run", "while $_isvoid($_exitcode)", "continue", "end"]))
        script.flush()
        command += ["-x", script.name, "--args", newest_python(), str(harness.PROGRAMS / PROGRAM)]
        done = subprocess.run(
            command,
            env=harness.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
        )
    return done.stdout


@GDBS
@WITH
def test_each_iteration_stops_in_its_worker(gdb: str, jitscope: bool) -> None:
    found = stops("body", "i t_1 my_sum my_scale", gdb, jitscope)
    assert len(found) == 20 and {function for function, _ in found} == {"scaled.prange"}
    sums = {0: 0.0, 10: 0.0}  # the first index of each worker
    for _, values in sorted(found, key=lambda stop: int(stop[1]["i"])):
        index = int(values["i"])
        assert float(values["t_1"]) == index * 0.5 and float(values["my_scale"]) == 0.5
        assert float(values["my_sum"]) == sums[index]
        sums[index + 1] = sums[index] + index * 0.5 if index != 9 else 0.0


@GDBS
@WITH
def test_nested(gdb: str, jitscope: bool) -> None:
    inner = stops("inner", "row col", gdb, jitscope)
    assert {function for function, _ in inner} == {"grid.prange"}
    seen = [(int(values["row"]), int(values["col"])) for _, values in inner]
    assert sorted(seen) == [(row, col) for row in range(6) for col in range(3)]
    outer = [values for _, values in stops("outer", "row col b", gdb, jitscope)]
    assert sorted(int(values["row"]) for values in outer) == list(range(6))
    assert all(int(values["b"]) == 2 * int(values["row"]) and values["col"] == "2" for values in outer)


@GDBS
def test_a_range_below_zero(gdb: str) -> None:
    found = stops("negative", "k", gdb, False)
    assert sorted(int(values["k"]) for _, values in found) == list(range(-3, 3))


@GDBS
@WITH
def test_an_array_expression_stops_once(gdb: str, jitscope: bool) -> None:
    """In the function that it stands in, before any of it has run."""
    assert [function for function, _ in stops("expression", "a", gdb, jitscope)] == ["expression"]
    assert [function for function, _ in stops("returned", "a", gdb, jitscope)] == ["expression"]


@GDBS
def test_an_index_of_several_dimensions(gdb: str) -> None:
    found = stops("pairs", "index", gdb, False)
    assert sorted(values["index"] for _, values in found) == [
        f"{{{row}, {col}}}" for row in range(2) for col in range(3)
    ]


@GDBS
@WITH
def test_parts_of_a_tuple(gdb: str, jitscope: bool) -> None:
    found = stops("closure", "k scale", gdb, jitscope)
    assert {function for function, _ in found} == {"closure.prange"}
    assert sorted(int(values["k"]) for _, values in found) == list(range(6))
    assert {values["scale"] for _, values in found} == {"2.5"}


@GDBS
def test_a_loop_of_an_inlined_closure(gdb: str) -> None:
    """`total` is the closure's there, not the function's of the same name."""
    found = stops("inlined", "j total", gdb, False)
    assert {function for function, _ in found} == {"outer.prange"}
    assert sorted(int(values["j"]) for _, values in found) == list(range(4))
    assert all(values["total"] == "6" or not values["total"].isdigit() for _, values in found)


@GDBS
@pytest.mark.parametrize("opt", ["0", "1"])
def test_less_optimised(gdb: str, opt: str) -> None:
    found = stops("body", "i t_1", gdb, False, {**STEPS, "NUMBA_OPT": opt})
    assert sorted(int(values["i"]) for _, values in found) == list(range(20))
    assert all(float(values["t_1"]) == int(values["i"]) * 0.5 for _, values in found)


@GDBS
def test_exact_shows_nothing_false(gdb: str) -> None:
    """An innermost loop is left alone: what it assigns is not known there."""
    for _, values in stops("outer", "row b", gdb, False, {"JITSCOPE_LEVEL": "exact", "NUMBA_NUM_THREADS": "2"}):
        assert int(values["b"]) == 2 * int(values["row"])
