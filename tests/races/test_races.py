"""jitscope.race_check and jitscope.schedule, on each of Numba's threading layers. No GDB."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

from tests.interpreters import newest_python

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
PROGRAM = """
import json, sys
import jitscope
from tests.races.programs import CORRECT, RACY
all = CORRECT | RACY
print(json.dumps({name: [str(found), found.as_dict()] for name in all
                  for found in [jitscope.race_check(all[name][0], *all[name][1]())]}))
"""
# Of each racy function: the array and the two lines of its races.
RACES = {
    "accumulated": {("acc", "accumulated", "accumulated")},
    "in_place": {("a", "in_place", "in_place")},
    "shared": {
        ("temporary", "filled", "filled"),
        ("temporary", "filled", "used"),
        ("temporary", "filled too", "filled too"),
        ("temporary", "filled too", "used"),
        ("bins", "bins", "bins"),
        ("flags", "own byte", "next byte"),
        ("where", "count", "count"),
        ("head", "overlapping", "overlapping"),
    },
}


def run(layer: str, *command: str) -> Any:
    """What a program prints as JSON; None where the layer can't be loaded."""
    environment = {
        "NUMBA_THREADING_LAYER": layer,
        "NUMBA_NUM_THREADS": "4",
        "PYTHONPATH": str(ROOT),
        "PATH": "/usr/bin",
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
    }
    done = subprocess.run([newest_python(), *command], capture_output=True, text=True, env=environment, timeout=300)
    if "No threading layer could be loaded" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    return json.loads(done.stdout)


def line_of(mark: str) -> int:
    lines = (HERE / "programs.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# at: {mark}"))


def check(found: dict[str, Any]) -> None:
    for name, (text, report) in found.items():
        assert not report["notes"], text
        assert report["accesses"] > 0, text
        races = {(array, *sorted(map(line_of, marks))) for array, *marks in RACES.get(name, ())}
        told = {(race["array"], *sorted(race[side]["line"] for side in ("first", "second"))) for race in report["races"]}
        assert told == races, text
        for race in report["races"]:
            assert race["first"]["kind"] == "write", text
            assert all(one != other for one, other in race["workers"]), text
        if name not in RACES:
            assert not report["differences"], text


def test_all() -> None:
    found = run("omp", "-c", PROGRAM)
    check(found)
    assert found.keys() > RACES.keys()
    (race,) = found["in_place"][1]["races"]
    # 1001 turns of 4 workers: the last element of each, and the first of the next
    assert race["indices"] == [[251], [252], [501], [502], [751], [752]]
    assert race["is_complete"]
    differing = {each["order"] for each in found["in_place"][1]["differences"] if each["what"] == "a"}
    assert "reverse" in differing
    assert [race["indices"] for race in found["accumulated"][1]["races"]] == [[[0]]] * 2
    assert "acc[0]: written at programs.py:" in found["accumulated"][0]


def test_against_python() -> None:
    """What Python says of random loops, of race_check and of what is recorded: strides, small elements, views that
    overlap."""
    found = run("omp", str(HERE / "oracle.py"), "7", "12")
    assert found["wrong"] == []
    assert found["loops"] == 12 and found["racy"] >= 4


def test_layers(tmp_path: pathlib.Path) -> None:
    """The first one fills the cache, of which the others take their code."""
    found = schedules("omp", tmp_path)
    not_parallel, no_order, no_copy = found["said"]
    assert not_parallel.startswith("TypeError: race_check() takes a function of @njit(parallel=True), not ")
    assert no_order.startswith("ValueError: schedule() takes 'parallel', 'dealt', 'serial', ")
    assert no_copy.startswith("TypeError: race_check() can't copy argument 1, a generator: ")
    for layer in ("workqueue", "tbb"):
        if (found := schedules(layer, tmp_path, "in_place")) is not None:
            assert found["cached"] == 1
            check(found["checked"])
            sums = [each["what"] for each in found["checked"]["in_place"][1]["differences"]]
            assert "the result" not in sums


def schedules(layer: str, *arguments: Any) -> Any:
    """None: the layer can't be loaded."""
    found = run(layer, str(HERE / "schedules.py"), *map(str, arguments))
    if found is None:
        return None
    assert found["layer"] == layer
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
    return found
