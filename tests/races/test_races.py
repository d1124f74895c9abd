"""jitscope.race_check and jitscope.schedule, on each of Numba's threading layers, without GDB."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest

from tests.gdb.threading_layers import LIBRARIES, NEEDS_TBB
from tests.interpreters import newest_python

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
LOOPS = 12
CORRECT = ("elements", "scratch")
pytestmark = pytest.mark.xdist_group("races")
# By racy function: the array and the two lines of its races.
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


def run(layer: str, cache: pathlib.Path, loops: int, *names: str) -> Any:
    """Return the output of schedules.py."""
    environment = {
        "NUMBA_THREADING_LAYER": layer,
        "NUMBA_NUM_THREADS": "4",
        "PYTHONPATH": str(ROOT),
        "PATH": "/usr/bin",
        "LD_LIBRARY_PATH": str(LIBRARIES),
    }
    command = [newest_python(), str(HERE / "schedules.py"), str(cache), str(loops), *names]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
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
        sides = ("first", "second")
        told = {(race["array"], *sorted(race[side]["line"] for side in sides)) for race in report["races"]}
        assert told == races, text
        for race in report["races"]:
            assert race["first"]["kind"] == "write", text
            assert all(one != other for one, other in race["workers"]), text
        if name not in RACES:
            assert not report["differences"], text


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Return the cache that the first layer fills, and from which the others take their code."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def omp(cache: pathlib.Path) -> Any:
    return run("omp", cache, LOOPS, *CORRECT, *RACES)


def test_all(omp: Any) -> None:
    found = omp["checked"]
    check(found)
    (race,) = found["in_place"][1]["races"]
    # 1001 iterations of 4 workers: the last element of each, and the first of the next
    assert race["indices"] == [[251], [252], [501], [502], [751], [752]]
    assert race["is_complete"]
    differing = {each["order"] for each in found["in_place"][1]["differences"] if each["what"] == "a"}
    assert "reverse" in differing
    assert [race["indices"] for race in found["accumulated"][1]["races"]] == [[[0]]] * 2
    assert "acc[0]: written at programs.py:" in found["accumulated"][0]


def test_against_python(omp: Any) -> None:
    """Python's results for random loops are those of race_check and of the records: strides, small elements, views that
    overlap."""
    found = omp["random"]
    assert found["wrong"] == []
    assert found["loops"] == LOOPS and found["racy"] >= 4


def test_what_cannot_be(omp: Any) -> None:
    not_parallel, no_order, no_copy = omp["said"]
    assert not_parallel.startswith("TypeError: race_check() takes a function of @njit(parallel=True), not ")
    assert no_order.startswith("ValueError: schedule() takes 'parallel', 'dealt', 'serial', ")
    assert no_copy.startswith("TypeError: race_check() can't copy argument 1, a generator: ")


def test_schedules(omp: Any) -> None:
    check_orders("omp", omp)


@pytest.mark.parametrize("layer", ["workqueue", pytest.param("tbb", marks=NEEDS_TBB)])
def test_layers(layer: str, omp: Any, cache: pathlib.Path) -> None:
    found = run(layer, cache, 0, "in_place")
    assert found["cached"] == 1
    check_orders(layer, found)
    check(found["checked"])
    assert "the result" not in [each["what"] for each in found["checked"]["in_place"][1]["differences"]]


def check_orders(layer: str, found: Any) -> None:
    assert found["layer"] == layer
    fixed = [found["totals"][order] for order in ("dealt", "serial", "reverse", "shuffle")]
    assert len(set(fixed)) == 1
    if layer != "tbb":  # tbb steals work, so the rows of a thread's sum vary
        assert {found["total"], found["after"], *found["totals"].values()} == {fixed[0]}
        assert len(set(found["masked total"])) == 1
    assert found["orders"]["serial"] == [[*range(8)], [0, 0, 1, 1, 2, 2, 3, 3]]
    assert found["orders"]["reverse"] == [[6, 7, 4, 5, 2, 3, 0, 1], [0, 0, 1, 1, 2, 2, 3, 3]]
    order, ids = found["orders"]["shuffle"]
    assert sorted(order) == [*range(8)] != order and ids == found["orders"]["serial"][1]
    assert found["masked"]["reverse"] == [[4, 5, 6, 7, 0, 1, 2, 3], [0, 0, 0, 0, 1, 1, 1, 1]]
    assert all(result == [2.0] * 5 for result in found["nested"])
    assert found["raised"][0] == [*range(1, 9)]
    assert found.get("forked", 0) == 0
    assert found.get("threads", 0) < 1e-9
