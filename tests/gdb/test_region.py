"""`jit region`: the parallel loop that runs, and the elements that its workers have read and written; live, and in a
core."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.interpreters import ROOT

PROGRAM = "recorded.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "region.json").read_text())
ENV = {"NUMBA_THREADING_LAYER": "omp", "NUMBA_NUM_THREADS": "4", "JITSCOPE_LEVEL": "steps"}
WRITES, JSON = "jit region -writes", "jit region -writes -json"
WRONG = ("jit region sideways", "jit region -record sideways")

pytestmark = pytest.mark.xdist_group("region")  # one GDB for them


def lines(*marks: str) -> list[int]:
    return [line_of(PROGRAM, mark) for mark in marks]


def document(text: str) -> Any:
    found = json.loads(next(line for line in text.splitlines() if line[:1] in "{["))
    jsonschema.validate(found, SCHEMA)
    return found


@dataclasses.dataclass
class Session:
    """The outputs of a session, in order: of `jit region`, of WRITES, and as JSON of JSON."""

    done: Transcript
    regions: list[str]
    writes: list[str]
    documents: list[Any]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    core = tmp_path_factory.mktemp("region") / "core"
    commands = [
        "jit region",
        "break accumulated",
        "run",
        "jit region",
        WRITES,
        *WRONG,
        "jit region -record",
        WRITES,
        "delete",
        f"break {PROGRAM}:{line_of(PROGRAM, 'accumulated')}",
        "continue",
        "jit region",
        "jit region -json",
        JSON,
        "delete",
        "break in_place",
        "continue",
        WRITES,
        "delete",
        "break shared_scratch",
        "continue",
        JSON,
        "delete",
        "break correct",
        "continue",
        JSON,
        "delete",
        f"break {PROGRAM}:{line_of(PROGRAM, 'behind')}",
        "continue",
        "jit region -record off",
        JSON,
        WRITES,
        f"gcore {core}",
        "continue",
        f"core-file {core}",
        WRITES,
        "jit region -record",
    ]
    done = harness.run(commands, program=PROGRAM, env=ENV)
    assert "Traceback" not in done.text
    regions, writes, documents = (
        [text for name, text in done.sections if name == command] for command in ("jit region", WRITES, JSON)
    )
    return Session(done, regions, writes, [document(text) for text in documents])


def test_without_a_process_the_reason_is_told(session: Session) -> None:
    assert session.regions[0] == "no process: run or attach to a program, or open a core"


def test_without_a_loop_that_runs_the_reason_is_told(session: Session) -> None:
    said = session.regions[1]
    assert said.startswith("no parallel loop runs now; `jit region -writes` shows "), said


def test_without_recording_there_are_no_writes(session: Session) -> None:
    assert session.writes[0] == "nothing is recorded: `jit region -record`, and run the loop (again)"


def test_without_a_loop_that_was_recorded_there_are_no_writes(session: Session) -> None:
    said = session.writes[1]
    assert said.startswith("no parallel loop has been recorded yet: functions at `steps` record them"), said


@pytest.mark.parametrize("command", WRONG)
def test_how_it_is_used_is_told(session: Session, command: str) -> None:
    said = session.done.of(command)
    assert said.startswith("Usage: jit region [-json]"), said


def test_the_loop_that_runs_is_named(session: Session) -> None:
    (header, body), said = lines("header", "accumulated"), session.regions[2]
    assert said.startswith(f"accumulated, prange at {PROGRAM}:{header}-{body}, on omp; "), said


def test_the_loop_that_runs_is_named_in_json(session: Session) -> None:
    (region,) = document(session.done.of("jit region -json"))
    header, body = lines("header", "accumulated")
    assert (region["line"], region["last_line"], region["rows"], region["layer"]) == (header, body, 4, "omp")


def test_iterations_are_those_of_the_workers(session: Session) -> None:
    (region,) = document(session.done.of("jit region -json"))
    assert region["iterations"] == 3 * len(region["workers"])
    chunks = 4 - len(region["workers"])  # chunks that are over, or have not begun
    assert region["all_iterations"] == 12 and region["ended"] in range(0, 3 * chunks + 1, 3), region


def test_how_far_the_workers_are_is_apart_from_how_far_the_loop_is(session: Session) -> None:
    (region,) = document(session.done.of("jit region -json"))
    assert f"), {region['done']} of them done; the whole loop has " in session.regions[2], session.regions[2]


def test_how_far_the_loop_is_stands_in_the_first_line(session: Session) -> None:
    said = session.regions[2]
    assert "; the whole loop has 12 iterations in 4 chunks, " in said and said.splitlines()[0].endswith(" done"), said


def test_what_is_recorded_of_the_loop_that_runs(session: Session) -> None:
    (header,), running = lines("header"), session.documents[0]
    assert (running["on"], running["line"], running["name"]) == (True, header, "accumulated.prange")


def test_an_element_that_two_workers_write_is_told(session: Session) -> None:
    (body,), said = lines("accumulated"), session.writes[2]
    assert f"  acc[0]: written at {PROGRAM}:{body} by worker 0, written at {PROGRAM}:{body} by worker 1\n" in said
    assert f"worker 1 wrote acc[0] at line {body}\n         read a[3..5] at line {body}; acc[0] at line" in said


def test_elements_that_one_worker_reads_and_another_writes_are_told(session: Session) -> None:
    (line,), (overlap,) = lines("in_place"), session.documents[1]["overlaps"]
    assert (overlap["first"]["line"], overlap["second"]["line"], overlap["second"]["kind"]) == (line, line, "read")
    assert overlap["indices"] == [[3], [4], [6], [7], [8], [9]]


def test_an_array_that_all_workers_use_is_told_at_each_line(session: Session) -> None:
    filled, used = lines("filled", "used")
    overlaps = session.documents[2]["overlaps"]
    assert {(each["array"], each["first"]["line"], each["second"]["line"]) for each in overlaps} == {
        ("scratch", first, second) for first in (filled, filled + 1) for second in (first, used)
    }


def test_a_correct_loop_has_no_overlaps(session: Session) -> None:
    assert session.documents[3]["overlaps"] == []
    assert session.writes[3].endswith("No worker has used an element that another one has written.")


def test_recording_ends_when_it_is_turned_off(session: Session) -> None:
    assert not session.documents[3]["on"]


@pytest.mark.parametrize("worker", range(4))
def test_what_a_worker_has_read_and_written(session: Session, worker: int) -> None:
    had = {
        (each["array"], each["kind"], each["line"]): each["ranges"]
        for found in session.documents[3]["workers"]
        if found["worker"] == worker
        for each in found["had"]
    }
    own, column, halves = lines("correct", "column", "halves")
    first, last = 3 * worker, 3 * worker + 2
    assert had["out", "write", own] == [[[first, last, 1]]]
    assert had["a", "read", own] == [[[11 - last, 11 - first, 1]]]
    assert had["grid", "write", column] == [[[0, 4, 1], [first, last, 1]]]
    assert had["halves", "write", halves] == [[[2 * first, 2 * last, 2]]]
    assert had["halves", "read", halves] == [[[2 * first + 1, 2 * last + 1, 2]]]


def test_nothing_is_lost_and_nobody_is_late(session: Session) -> None:
    assert all(worker["lost"] == 0 and not worker["late"] for worker in session.documents[3]["workers"])


def test_steps_between_elements_are_told(session: Session) -> None:
    (halves,) = lines("halves")
    assert f"halves[0..4 step 2] at line {halves}" in session.writes[3]


def test_the_program_computes_what_it_would_without(session: Session) -> None:
    assert "66.0\n" in session.done.text


def test_a_core_has_what_was_recorded(session: Session) -> None:
    """Some GDBs report that they wrote too little of their own core."""
    said = re.sub("^warning: Section .* in core file too small.\n", "", session.writes[4], flags=re.M)
    assert said == session.writes[3]


def test_a_core_records_nothing(session: Session) -> None:
    assert "a core cannot run" in session.done.of("jit region -record", 1)
