"""`jit gather`: one stop for all workers of a parallel loop, on each threading layer."""

from __future__ import annotations

import csv
import json
import pathlib
import re
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.gathered import PROGRAM, env
from tests.gdb.harness import line_of
from tests.gdb.threading_layers import NEEDS_TBB
from tests.interpreters import ROOT

SCHEMA = json.loads((ROOT / "docs" / "schema" / "gather.json").read_text())
THREADS = json.loads((ROOT / "docs" / "schema" / "threads.json").read_text())
RESULTS = ["826.0", "40.0", "1240.0", "1240.0", "4.0", "8.0", "10.0"]
TO_THE_END = "python for _ in range(40): gdb.selected_inferior().pid and gdb.execute('continue')"
DEALT = {14: [(0, 3), (4, 7), (8, 10), (11, 13)], 16: [(0, 3), (4, 7), (8, 11), (12, 15)]}


def meeting(text: str, line: str, n: int) -> list[dict[str, Any]]:
    """The rows of one of all workers, which are at the line with the variables of their turns of n."""
    found = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
    jsonschema.validate(found, SCHEMA)
    rows: list[dict[str, Any]] = found["workers"]
    assert found["reason"] == "all" and found["expected"] == found["arrived"] == len(rows)
    assert len({row["thread"] for row in rows}) == len(rows)
    for row in rows:
        i = row["index"]["value"]
        values = {each["name"]: each["text"] for each in row["variables"]}
        assert row["arrived"] and row["line"] == line_of(PROGRAM, line) and row["index"]["state"] == "exact"
        assert row["first"] <= i <= row["last"] and (row["first"], row["last"]) in DEALT[n]
        assert values["i"] == str(i) and values["a"] == f"array(float64, shape=({n},))"
        assert values["square"] == str(float(i * i))
    return rows


def turns(rows: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Of each worker its number, and how many turns it has done."""
    return [(row["worker"], row["index"]["value"] - row["first"]) for row in rows]


@pytest.mark.parametrize("layer", ["workqueue", "omp", pytest.param("tbb", marks=NEEDS_TBB)])
def test_meetings(layer: str, tmp_path: pathlib.Path) -> None:
    """On tbb threads steal: how many come is not known, and a worker may run several of the others' chunks."""
    marks = ("edge", "first", "line", "next", "behind", "stays", "late", "exact")
    at = {mark: f"{PROGRAM}:{line_of(PROGRAM, mark)}" for mark in marks}
    wrong = ("jit gather -timeout 0", "jit gather sideways", "jit gather -save x.txt", "jit gather -next start")
    commands = [
        *("set breakpoint pending on", "break lined", "run", "delete", "jit gather -json start", "jit threads"),
        *(*wrong, "set scheduler-locking on", "jit gather", "set scheduler-locking off"),
        *("set breakpoint pending auto", "jit gather none.py:3", "set breakpoint pending on"),
        *(f"jit gather -json {at['line']}", "bt 1", "info locals", "jit apply all print square", "jit threads -json"),
        *(f"jit gather -json -save {tmp_path / 'table.json'} -next", "next", "print square"),
        *(f"break {at['line']}", f"jit gather -save {tmp_path / 'table.csv'} {at['line']}", "delete"),
        *(f"jit gather {at['behind']}", f"jit gather {at['first']}"),
        *(f"jit gather {at['stays']}", "jit gather -n", "jit gather -next"),
        *("jit gather -json", "bt 1"),
    ]
    if layer != "tbb":
        commands += ["jit gather breakpoint", "jit gather b", "jit gather -ne", "jit gather -nex"]
        commands += [f"jit gather -timeout 0.3 {at['late']}", "jit gather -next"]
        commands += [f"jit gather {at['exact']}", f"jit gather {at['exact']} "]
    commands.append(TO_THE_END)
    done = harness.run(commands, program=PROGRAM, env=env(layer), timeout=150)
    assert "Traceback" not in done.text, done.text

    start = json.loads(done.of("jit gather -json start"))
    assert start["expected"] == start["arrived"] == len(start["workers"])
    assert {(row["first"], row["last"]) for row in start["workers"]} <= set(DEALT[14])
    assert {row["index"] for row in start["workers"]} == {None}
    said = done.of("jit threads")
    for row in start["workers"]:
        at_start = rf"worker {row['worker']} of {layer}.*: lined, prange at gathered.py:{line_of(PROGRAM, 'edge')}, "
        assert re.search(rf"{at_start}{row['first']}\.\.{row['last']}", said), said
    met = [
        meeting(done.of("jit gather -json"), "meeting", 16),
        meeting(done.of(f"jit gather -json {at['line']}"), "line", 14),
        meeting(json.dumps(json.loads((tmp_path / "table.json").read_text())), "line", 14),
    ]
    assert re.match(r"#0 .*foo\.prange \(.*gathered\.py:\d+$", done.of("bt 1", -1), re.S), done.of("bt 1", -1)
    if layer != "tbb":
        assert [turns(rows) for rows in met] == [[(k, turn) for k in range(4)] for turn in (0, 0, 1)]
        text = done.of("jit gather breakpoint")  # worker 3 ends its turns without
        assert text.startswith("3 workers are here:\nworker 0, thread "), text
        assert re.search(r"^worker 2, thread \d: i = 9 of 8\.\.11, line \d+$", text, re.M), text
        assert "worker 3" not in text and "    total = 16.0" in text, text
        assert done.of("jit gather b").startswith("Usage: jit gather"), done.of("jit gather b")
        assert [done.of(f"jit gather {x}").count("\nworker ") for x in ("-ne", "-nex")] == [4, 3]

    # at a line: who stops for all is there as at any breakpoint
    assert f"lined.prange (a=array(float64, shape=(14,))) at {harness.PROGRAMS / at['line']}" in done.of("bt 1")
    i, square = (re.search(rf"^{name} = (.*)$", done.of("info locals"), re.M) for name in ("i", "square"))
    assert i and square and float(square[1]) == int(i[1]) ** 2
    applied = re.findall(r"i = (\d+) of .*\n\$\d+ = (.*)$", done.of("jit apply all print square"), re.M)
    assert [float(square) for _, square in applied] == [int(i) ** 2 for i, _ in applied]
    assert len(applied) == len(met[1])
    entries = json.loads(done.of("jit threads -json"))
    jsonschema.validate(entries, THREADS)
    there = [entry for entry in entries if entry["regions"]]
    assert len(there) == len(met[1]) and {entry["layer"] for entry in there} == {layer}
    assert all(entry["regions"][0]["frame"] is not None for entry in there)
    assert sum(entry["waits"] for entry in there) in (len(there) - 1, len(there) - 2)  # omp: nor the caller
    assert re.match(rf"{line_of(PROGRAM, 'next')}\t", done.of("next"))
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[:7] == ["worker", "thread", "arrived", "first", "last", "index", "line"]
    for row in (dict(zip(head, row)) for row in rows):
        assert row["arrived"] == "True" and float(row["square"]) == int(row["index"]) ** 2 == int(row["i"]) ** 2
    assert len(rows) >= 1

    for command in wrong[:2] + wrong[3:]:
        assert done.of(command).startswith("Usage: jit gather"), done.of(command)
    assert done.of("jit gather -save x.txt") == "-save writes .json and .csv; x.txt is neither"
    assert "the other workers do not run: `set scheduler-locking off`" in done.text
    assert done.of("jit gather none.py:3").startswith("none.py:3: no function with this line is compiled; `set break")
    assert done.of(f"jit gather {at['behind']}") == f"{at['behind']} is in no parallel loop's body"
    # on tbb one may have all that is left
    assert re.search(
        r"workers are here:|^1 worker is here:" if layer == "tbb" else "workers are here:",
        done.of(f"jit gather {at['first']}"),
    )
    if layer != "tbb":  # worker 1 leaves by an exception at its second turn
        seen = [re.findall(r"^worker (\d)", done.of(f"jit gather {x}"), re.M) for x in (at["stays"], "-n", "-next")]
        assert [list(map(int, each)) for each in seen] == [[0, 1, 2, 3], [0, 2, 3], [0, 2, 3]]
    if layer != "tbb":
        refused = f"workers cannot gather at {at['exact']}, where plain.prange is not at level steps"
        assert refused in done.of(f"jit gather {at['exact']}")  # found when the loop is compiled meanwhile
        known = f"{at['exact']}: workers gather at any line of a loop at level steps; at others where it begins (line "
        assert known in done.of(f"jit gather {at['exact']} ")
        partial = done.of(f"jit gather -timeout 0.3 {at['late']}")
        assert "\n3 of 4 workers are here, 1 did not come in time:\n" in partial, partial
        assert re.search(r"^worker 3, thread .*\(not here\)$", partial, re.M), partial
        assert done.of("jit gather -next", -1).startswith("1 worker is here:\nworker 3, thread ")
    assert [line for line in done.text.splitlines() if line in RESULTS] == RESULTS, done.text


def test_launches_at_once() -> None:
    """Each of four workers has started a loop of its own: their workers meet launch by launch, none of them twice."""
    at = f"nested_loops.py:{line_of('nested_loops.py', 'call')}"
    commands = ["set breakpoint pending on", f"break {at}", "run", "delete"]
    commands += ["jit gather -json", *["jit gather -json -next"] * 3, "continue"]
    done = harness.run(commands, program="nested_loops.py", env=env("omp"), timeout=150)
    assert "Traceback" not in done.text, done.text
    found = [json.loads(done.of("jit gather -json"))]
    found += [json.loads(done.of("jit gather -json -next", k)) for k in range(3)]
    values = []
    for each in found:
        jsonschema.validate(each, SCHEMA)
        assert (each["expected"], each["arrived"], len(each["workers"])) == (2, 2, 2), done.text
        for row in each["workers"]:
            shown = {variable["name"]: variable["value"] for variable in row["variables"]}
            assert row["arrived"] and shown["value"] == (2 * (shown["k"] - 1) + shown["j"]) * shown["k"], row
            values.append((shown["k"], shown["j"]))
    assert sorted(values) == [(k, j) for k in (1, 2, 3, 4) for j in (0, 1)], done.text
    assert "90.0" in done.of("continue"), done.text


def test_a_line_that_is_compiled_later_needs_no_setting() -> None:
    """Before `run`, with another loop of the file before it; and at a stop, in a function that is still to come."""
    program = "gather_first.py"
    first, later = (f"{program}:{line_of(program, mark)}" for mark in ("body", "later"))
    commands = ["set breakpoint pending auto", f"jit gather {first}", "run", "jit gather none.py:3"]
    commands += [f"jit gather {later}", "continue"]
    done = harness.run(commands, program=program, env={**env("omp"), "JITSCOPE_LEVEL": "steps"})
    for command, of in (("run", first), (f"jit gather {later}", later)):
        line = of.partition(":")[2]
        assert re.search(rf"^\d workers are here:\nworker 0, .* line {line}$", done.of(command), re.M), done.text
    assert done.of("jit gather none.py:3").startswith("none.py:3: no function with this line is compiled; "), done.text
    assert "end" in done.of("continue"), done.text
