"""jitscope.race_check on lists, sets and dicts, on what it does not record, and beside the function without
parallel=True."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from typing import Any

import pytest

from tests.gdb.harness import environment
from tests.interpreters import newest_python

HERE = pathlib.Path(__file__).parent
LOOPS = 3
pytestmark = pytest.mark.xdist_group("races")
BOTH = "containers.py:{0} by worker 0, changed at containers.py:{0} by worker 1"
UNSAFE = "  note: the function is not run in parallel, as changes of a container by several threads may end it"


def line_of(mark: str) -> int:
    lines = (HERE / "containers.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(mark))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    env = {**environment({}), "NUMBA_NUM_THREADS": "4", "PYTHONPATH": str(HERE.parent.parent)}
    command = [newest_python(), "-W", "ignore", str(HERE / "containers.py"), str(tmp_path_factory.mktemp("loops"))]
    done = subprocess.run([*command, str(LOOPS)], capture_output=True, text=True, env=env, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def lines_of(found: Any, name: str) -> list[str]:
    return str(found["said"][name]).splitlines()


def test_a_list_that_all_workers_append_to_is_named(found: Any) -> None:
    first, race, note = lines_of(found, "appended")
    assert first.startswith("appended: 1 race (1 parallel loop, 4 workers, ")
    assert race == f"  found, a list: changed at {BOTH.format(line_of('# at: appended'))}"
    assert note == UNSAFE


def test_typed_containers_and_sets_are_named(found: Any) -> None:
    assert lines_of(found, "several")[1:] == [
        f"  items, a typed List: changed at {BOTH.format(line_of('found.append(x)'))}",
        f"  counts, a typed Dict: changed at {BOTH.format(line_of('# at: counts'))}",
        f"  kinds, a set: changed at {BOTH.format(line_of('# at: kinds'))}",
        UNSAFE,
    ]


def test_attributes_of_a_jitclass_are_named(found: Any) -> None:
    lines = lines_of(found, "boxed")
    assert f"  box.items, a typed List: changed at {BOTH.format(line_of('self.items.append(x)'))}" in lines
    line = line_of("# at: sums")
    assert any(
        each.startswith(f"  box.sums[0]: written at containers.py:{line} by worker 0, written at") for each in lines
    ), lines


def test_an_instance_can_be_an_argument(found: Any) -> None:
    """Its arrays share memory in the copy as they do in the original."""
    race = found["said"]["given"]
    at = f"containers\\.py:{line_of('# at: given')}"
    assert re.search(rf"^  whole\.sums\[.* written at {at} by .* read at {at} ", race, re.M)
    assert re.search(r"^  whole\.tail\[\d+\] and \d+ more is .* in the order 'reverse'", race, re.M)


def test_instances_that_refer_to_each_other_are_not_compared(found: Any) -> None:
    assert lines_of(found, "circle")[1:] == [
        "  note: results are not compared, since instances in the arguments refer to each other in a circle"
    ]


def test_an_instance_stays_as_it_is(found: Any) -> None:
    assert found["said"]["changed"] == "False"


def test_containers_that_are_only_read_or_are_an_iteration_s_own_are_no_race(found: Any) -> None:
    (line,) = lines_of(found, "own")
    assert line.startswith("own: no race (1 parallel loop, 4 workers, ")


def test_what_is_not_recorded_is_said(found: Any) -> None:
    first, *others = lines_of(found, "in_c")
    assert first.startswith("in_c: no race in what was recorded (")
    assert {
        "  not recorded: numba_xgesv()",
        f"  not recorded: a block `with objmode` at containers.py:{line_of('# at: objmode') - 1}",
        f"  not recorded: the items of a typed List at containers.py:{line_of('# at: items')}",
    } < set(others)


def test_functions_that_numba_does_not_compile_are_not_recorded(found: Any) -> None:
    first, *others = lines_of(found, "elsewhere")
    assert first.startswith("elsewhere: no race in what was recorded (")
    assert others == [
        f"  not recorded: a C function at containers.py:{line_of('# at: c')}",
        f"  not recorded: a function that is called by its address at containers.py:{line_of('# at: address')}",
    ]


def test_a_result_that_differs_without_parallel_is_shown(found: Any) -> None:
    first, *others = lines_of(found, "carried")
    assert first.startswith("carried: results differ (")
    assert "  a[3] and 6 more is 3.0 with parallel=False, 0.0 with parallel=True" in others


def test_the_rounding_of_a_sum_is_no_difference(found: Any) -> None:
    (line,) = lines_of(found, "summed")
    assert line.startswith("summed: no race (")


def test_random_loops_against_python(found: Any) -> None:
    assert found["random"]["wrong"] == []
    assert found["random"]["loops"] == LOOPS and found["random"]["racy"] >= 1
