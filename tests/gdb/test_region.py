"""`jit region`: the parallel loop that runs, and what its workers have read and written; live, and in a core."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import jsonschema

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT

PROGRAM = "recorded.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "region.json").read_text())
ENV = {"NUMBA_THREADING_LAYER": "omp", "NUMBA_NUM_THREADS": "4", "JITSCOPE_LEVEL": "steps"}
WRITES, JSON = "jit region -writes", "jit region -writes -json"


def lines(*marks: str) -> list[int]:
    return [line_of(PROGRAM, mark) for mark in marks]


def document(text: str) -> Any:
    found = json.loads(next(line for line in text.splitlines() if line[:1] in "{["))
    jsonschema.validate(found, SCHEMA)
    return found


def test_session(tmp_path: pathlib.Path) -> None:
    core = tmp_path / "core"
    commands = [
        "jit region",
        "break accumulated",
        "run",
        "jit region",
        WRITES,
        "jit region sideways",
        "jit region -record sideways",
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

    def said(command: str) -> list[str]:
        return [text for name, text in done.sections if name == command]

    regions, writes, documents = said("jit region"), said(WRITES), map(document, said(JSON))
    assert regions[0] == "no process: run or attach to a program, or open a core", regions
    assert regions[1].startswith("no parallel loop runs now; `jit region -writes` shows "), regions
    assert writes[0] == "nothing is recorded: `jit region -record`, and run the loop (again)"
    assert writes[1].startswith("no parallel loop has been recorded yet: functions at `steps` tell of it"), writes
    for wrong in ("jit region sideways", "jit region -record sideways"):
        assert done.of(wrong).startswith("Usage: jit region [-json]"), done.of(wrong)

    (header, body), (region,) = lines("header", "accumulated"), document(done.of("jit region -json"))
    assert regions[2].startswith(f"accumulated, prange at {PROGRAM}:{header}-{body}, on omp; "), regions
    assert (region["line"], region["last_line"], region["rows"], region["layer"]) == (header, body, 4, "omp")
    assert region["iterations"] == 3 * len(region["workers"])
    chunks = 4 - len(region["workers"])  # that are over, or have not begun
    assert region["all_iterations"] == 12 and region["ended"] in range(0, 3 * chunks + 1, 3), region
    assert "; 12 in all, " in regions[2] and regions[2].splitlines()[0].endswith(" done"), regions
    running = next(documents)
    assert (running["on"], running["line"], running["name"]) == (True, header, "accumulated.prange")

    assert f"  acc[0]: written at {PROGRAM}:{body} by worker 0, written at {PROGRAM}:{body} by worker 1\n" in writes[2]
    assert f"worker 1 wrote acc[0] at line {body}\n         read a[3..5] at line {body}; acc[0] at line" in writes[2]
    (line,), stencil = lines("in_place"), next(documents)
    (overlap,) = stencil["overlaps"]
    assert (overlap["first"]["line"], overlap["second"]["line"], overlap["second"]["kind"]) == (line, line, "read")
    assert overlap["indices"] == [[3], [4], [6], [7], [8], [9]]
    filled, used = lines("filled", "used")
    scratch = next(documents)
    assert {(each["array"], each["first"]["line"], each["second"]["line"]) for each in scratch["overlaps"]} == {
        ("scratch", first, second) for first in (filled, filled + 1) for second in (first, used)
    }

    correct = next(documents)
    assert correct["overlaps"] == [] and not correct["on"]
    had = {
        (worker["worker"], each["array"], each["kind"], each["line"]): each["ranges"]
        for worker in correct["workers"]
        for each in worker["had"]
    }
    (own, column, halves) = lines("correct", "column", "halves")
    for worker in range(4):
        first, last = 3 * worker, 3 * worker + 2
        assert had[worker, "out", "write", own] == [[[first, last, 1]]]
        assert had[worker, "a", "read", own] == [[[11 - last, 11 - first, 1]]]
        assert had[worker, "grid", "write", column] == [[[0, 4, 1], [first, last, 1]]]
        assert had[worker, "halves", "write", halves] == [[[2 * first, 2 * last, 2]]]
        assert had[worker, "halves", "read", halves] == [[[2 * first + 1, 2 * last + 1, 2]]]
    assert all(worker["lost"] == 0 and not worker["late"] for worker in correct["workers"])
    assert f"halves[0..4 step 2] at line {halves}" in writes[3]
    assert writes[3].endswith("No element that a worker has written is another's.")
    assert "66.0\n" in done.text
    # in the core, of which some GDBs say that they wrote too little of it
    assert re.sub("^warning: Section .* in core file too small.\n", "", writes[4], flags=re.M) == writes[3]
    assert "a core does not run" in said("jit region -record")[1]
