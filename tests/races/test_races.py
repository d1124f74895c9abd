"""jitscope.race_check and jitscope.schedule, on each of Numba's threading layers. No GDB."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import subprocess
from typing import Any

import pytest

from tests.interpreters import newest_python

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
LAYERS = ("workqueue", "omp", "tbb")
FEW = ("float_sum", "in_place")
PROGRAM = """
import json, sys
import jitscope
from tests.races.programs import CORRECT, RACY
all = CORRECT | RACY
names = sys.argv[1:] or all
print(json.dumps({name: [str(found), found.as_dict()] for name in names
                  for found in [jitscope.race_check(all[name][0], *all[name][1]())]}))
"""
LINES = {
    "accumulated": ("acc", "accumulated", "accumulated"),
    "in_place": ("a", "in_place", "in_place"),
    "shared_scratch": ("scratch", "filled", "used"),
    "overlapping": ("head", "overlapping", "overlapping"),
    "shared_bins": ("bins", "shared_bins", "shared_bins"),
    "by_call": ("where", "count", "count"),
    "bytes_beside": ("out", "own byte", "next byte"),
}


def run(layer: str, *command: str) -> Any:
    """What a program prints as JSON; skipped where the layer can't be loaded."""
    environment = {
        "NUMBA_THREADING_LAYER": layer,
        "NUMBA_NUM_THREADS": "4",
        "PYTHONPATH": str(ROOT),
        "PATH": "/usr/bin",
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
    }
    done = subprocess.run([newest_python(), *command], capture_output=True, text=True, env=environment, timeout=300)
    if "No threading layer could be loaded" in done.stderr:
        pytest.skip(f"{layer} is not there")
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    return json.loads(done.stdout)


@functools.lru_cache
def checked(layer: str, *names: str) -> dict[str, Any]:
    found: dict[str, Any] = run(layer, "-c", PROGRAM, *names)
    return found


def line_of(mark: str) -> int:
    lines = (HERE / "programs.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# at: {mark}"))


def check(found: dict[str, Any]) -> None:
    for name, (text, report) in found.items():
        assert not report["notes"], text
        assert report["accesses"] > 0, text
        assert bool(report["races"]) == (name in LINES), text
        if name not in LINES:
            assert not report["differences"], text


def test_all() -> None:
    found = checked("omp")
    check(found)
    assert len(found) - len(LINES) >= 15
    for name, (array, *marks) in LINES.items():
        text, report = found[name]
        lines = {line_of(mark) for mark in marks}
        assert any(
            race["array"] == array and {race["first"]["line"], race["second"]["line"]} == lines
            for race in report["races"]
        ), text
        for race in report["races"]:
            assert race["first"]["kind"] == "write", text
            assert all(one != other for one, other in race["workers"]), text


def test_indices_and_results() -> None:
    found = checked("omp")
    (race,) = found["in_place"][1]["races"]
    # 1001 turns of 4 workers: the last element of each, and the first of the next
    assert race["indices"] == [[251], [252], [501], [502], [751], [752]]
    assert race["is_complete"]
    differing = {each["order"] for each in found["in_place"][1]["differences"] if each["what"] == "a"}
    assert "reverse" in differing
    assert [race["indices"] for race in found["accumulated"][1]["races"]] == [[[0]]] * 2
    assert "acc[0]: written at programs.py:" in found["accumulated"][0]


def test_against_python() -> None:
    """What Python says of random loops: strides, small elements, views that overlap."""
    found = run("omp", str(HERE / "oracle.py"), "7", "8")
    assert found["wrong"] == []
    assert found["loops"] == 8 and found["racy"] >= 4


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer != "omp"])
def test_layers(layer: str) -> None:
    found = checked(layer, *FEW)
    check(found)


@pytest.mark.parametrize("layer", LAYERS)
def test_schedules(layer: str, tmp_path: pathlib.Path) -> None:
    run(layer, str(HERE / "schedules.py"), str(tmp_path), "only cache")
    found = run(layer, str(HERE / "schedules.py"), str(tmp_path))
    assert found["layer"] == layer
    assert found["cached"] == 1
    fixed = [found["totals"][order] for order in ("dealt", "serial", "reverse", "shuffle")]
    assert len(set(fixed)) == 1
    if layer != "tbb":  # steals: the rows of a thread's sum vary
        assert {found["total"], found["after"], *found["totals"].values()} == {fixed[0]}
        assert len(set(found["masked total"])) == 1
    assert found["orders"]["serial"] == [[*range(8)], [0, 0, 1, 1, 2, 2, 3, 3]]
    assert found["orders"]["reverse"] == [[6, 7, 4, 5, 2, 3, 0, 1], [0, 0, 1, 1, 2, 2, 3, 3]]
    order, ids = found["orders"]["shuffle"]
    assert sorted(order) == [*range(8)] != order and ids == found["orders"]["serial"][1]
    assert found["masked"]["reverse"] == [[4, 5, 6, 7, 0, 1, 2, 3], [0, 0, 0, 0, 1, 1, 1, 1]]
    assert all(result == [100.0] * 5 for result in found["nested"])
    assert found["raised"][0] == [*range(1, 9)]
    assert found.get("forked", 0) == 0
    assert found.get("threads", 0) < 1e-9


def test_what_cannot_be() -> None:
    program = """
import json, numba, jitscope
def said(call):
    try:
        return str(call())
    except (TypeError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
@numba.njit
def serial(a):
    return a
@numba.njit(parallel=True)
def parallel(a):
    return a
print(json.dumps([said(lambda: jitscope.race_check(serial, 1)), said(lambda: jitscope.schedule("sideways")),
                  said(lambda: jitscope.race_check(parallel, (each for each in ()))),
                  said(lambda: jitscope.race_check(parallel, 1))]))
"""
    not_parallel, no_order, no_copy, nothing = run("workqueue", "-c", program)
    assert not_parallel.startswith("TypeError: race_check() takes a function of @njit(parallel=True), not ")
    assert no_order.startswith("ValueError: schedule() takes 'parallel', 'dealt', 'serial', ")
    assert no_copy.startswith("TypeError: race_check() can't copy argument 1, a generator: ")
    assert "note: no parallel loop has run" in nothing
