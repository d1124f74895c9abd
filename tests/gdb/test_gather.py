"""`jit gather`: one stop for all workers of a parallel loop, on each threading layer."""

from __future__ import annotations

import csv
import dataclasses
import json
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
    """Return the rows of a gathering of all workers, which are at the line with the variables of their iterations; the
    loop has n of them."""
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
    """Return for each worker its number, and how many iterations it has done."""
    return [(row["worker"], row["index"]["value"] - row["first"]) for row in rows]


WRONG = ("jit gather -timeout 0", "jit gather sideways", "jit gather -next start")
AT = {mark: f"{PROGRAM}:{line_of(PROGRAM, mark)}" for mark in ("line", "first", "behind", "stays", "late", "exact")}
UNTIL = f"jit gather -timeout 0.3 {AT['late']}"


@dataclasses.dataclass
class Session:
    done: harness.Transcript
    layer: str
    table: str  # the JSON that -save wrote
    csv: str  # the CSV

    def meetings(self) -> list[list[dict[str, Any]]]:
        return [
            meeting(self.done.of("jit gather -json"), "meeting", 16),
            meeting(self.done.of(f"jit gather -json {AT['line']}"), "line", 14),
            meeting(json.dumps(json.loads(self.table)), "line", 14),
        ]


@pytest.fixture(scope="module")
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Session:
    layer, folder = request.param, tmp_path_factory.mktemp("gather")
    commands = [
        *("set breakpoint pending on", "break lined", "run", "delete", "jit gather -json start", "jit threads"),
        *(*WRONG, "jit gather -save x.txt", "set scheduler-locking on", "jit gather", "set scheduler-locking off"),
        *("set breakpoint pending auto", "jit gather none.py:3", "set breakpoint pending on"),
        *(f"jit gather -json {AT['line']}", "bt 1", "info locals", "jit apply all print square", "jit threads -json"),
        *(f"jit gather -json -save {folder / 'table.json'} -next", "next", "print square"),
        *(f"break {AT['line']}", f"jit gather -save {folder / 'table.csv'} {AT['line']}", "delete"),
        *(f"jit gather {AT['behind']}", f"jit gather {AT['first']}"),
        *(f"jit gather {AT['stays']}", "jit gather -n", "jit gather -next"),
        *("jit gather -json", "bt 1"),
    ]
    if layer != "tbb":
        commands += ["jit gather breakpoint", "jit gather b", "jit gather -ne", "jit gather -nex"]
        commands += [UNTIL, "jit gather -next"]
        commands += [f"jit gather {AT['exact']}", f"jit gather {AT['exact']} "]
    commands.append(TO_THE_END)
    done = harness.run(commands, program=PROGRAM, env=env(layer), timeout=150)
    assert "Traceback" not in done.text, done.text
    return Session(done, layer, *((folder / f"table.{kind}").read_text("utf-8") for kind in ("json", "csv")))


def layers(*names: str) -> pytest.MarkDecorator:
    """Return the mark for one GDB for each layer, which all tests of a layer share."""
    cases = []
    for name in names:
        marks = [pytest.mark.xdist_group(f"gather-{name}"), *([NEEDS_TBB] if name == "tbb" else [])]
        cases.append(pytest.param(name, marks=marks))
    return pytest.mark.parametrize("session", cases, indirect=True)


ON_EACH_LAYER = layers("workqueue", "omp", "tbb")
# On tbb threads steal work: the number that come is not known, and a worker may run several of the others' chunks.
WITHOUT_STEALING = layers("workqueue", "omp")


@ON_EACH_LAYER
def test_all_workers_come_to_the_start(session: Session) -> None:
    start = json.loads(session.done.of("jit gather -json start"))
    assert start["expected"] == start["arrived"] == len(start["workers"])
    assert {(row["first"], row["last"]) for row in start["workers"]} <= set(DEALT[14])
    assert {row["index"] for row in start["workers"]} == {None}


@ON_EACH_LAYER
def test_at_the_start_each_worker_has_its_chunk_in_the_list_of_threads(session: Session) -> None:
    said = session.done.of("jit threads")
    loop = f"lined, prange at gathered.py:{line_of(PROGRAM, 'edge')}"
    for row in json.loads(session.done.of("jit gather -json start"))["workers"]:
        chunk = rf"{row['first']}\.\.{row['last']}"
        assert re.search(rf"worker {row['worker']} of {session.layer}.*: {loop}, {chunk}", said), said


@ON_EACH_LAYER
def test_a_meeting_is_of_all_workers_with_the_variables_of_their_turns(session: Session) -> None:
    session.meetings()


@WITHOUT_STEALING
def test_workers_meet_in_the_same_turn(session: Session) -> None:
    found = [turns(rows) for rows in session.meetings()]
    assert found == [[(k, turn) for k in range(4)] for turn in (0, 0, 1)]


@ON_EACH_LAYER
def test_at_a_meeting_the_frame_is_that_of_the_loops_body(session: Session) -> None:
    said = session.done.of("bt 1", -1)
    assert re.match(r"#0 .*foo\.prange \(.*gathered\.py:\d+$", said, re.S), said


@WITHOUT_STEALING
def test_a_worker_that_ends_its_turns_is_not_waited_for(session: Session) -> None:
    text = session.done.of("jit gather breakpoint")  # worker 3 ends its iterations without it
    assert text.startswith("3 workers are here:\nworker 0, thread "), text
    assert re.search(r"^worker 2, thread \d: i = 9 of 8\.\.11, line \d+$", text, re.M), text
    assert "worker 3" not in text and "    total = 16.0" in text, text


@WITHOUT_STEALING
def test_an_option_may_be_cut_but_a_word_may_not(session: Session) -> None:
    said = session.done.of("jit gather b")
    assert said.startswith("Usage: jit gather"), said
    assert [session.done.of(f"jit gather {x}").count("\nworker ") for x in ("-ne", "-nex")] == [4, 3]


@ON_EACH_LAYER
def test_who_stops_for_all_is_there_as_at_any_breakpoint(session: Session) -> None:
    done = session.done
    assert f"lined.prange (a=array(float64, shape=(14,))) at {harness.PROGRAMS / AT['line']}" in done.of("bt 1")
    i, square = (re.search(rf"^{name} = (.*)$", done.of("info locals"), re.M) for name in ("i", "square"))
    assert i and square and float(square[1]) == int(i[1]) ** 2


@ON_EACH_LAYER
def test_a_command_is_applied_to_all_who_have_met(session: Session) -> None:
    said = session.done.of("jit apply all print square")
    applied = re.findall(r"i = (\d+) of .*\n\$\d+ = (.*)$", said, re.M)
    assert [float(square) for _, square in applied] == [int(i) ** 2 for i, _ in applied]
    assert len(applied) == len(session.meetings()[1])


@ON_EACH_LAYER
def test_threads_that_have_met_wait_in_the_loop(session: Session) -> None:
    entries = json.loads(session.done.of("jit threads -json"))
    jsonschema.validate(entries, THREADS)
    there = [entry for entry in entries if entry["regions"]]
    assert len(there) == len(session.meetings()[1]) and {entry["layer"] for entry in there} == {session.layer}
    assert all(entry["regions"][0]["frame"] is not None for entry in there)
    # on omp the caller does not wait either
    assert sum(entry["waits"] for entry in there) in (len(there) - 1, len(there) - 2)


@ON_EACH_LAYER
def test_next_steps_as_at_any_breakpoint(session: Session) -> None:
    assert re.match(rf"{line_of(PROGRAM, 'next')}\t", session.done.of("next"))


@ON_EACH_LAYER
def test_a_table_is_saved(session: Session) -> None:
    head, *rows = csv.reader(session.csv.splitlines())
    assert head[:7] == ["worker", "thread", "arrived", "first", "last", "index", "line"]
    for row in (dict(zip(head, row)) for row in rows):
        assert row["arrived"] == "True" and float(row["square"]) == int(row["index"]) ** 2 == int(row["i"]) ** 2
    assert len(rows) >= 1


@ON_EACH_LAYER
@pytest.mark.parametrize("command", WRONG)
def test_how_it_is_used_is_told(session: Session, command: str) -> None:
    said = session.done.of(command)
    assert said.startswith("Usage: jit gather"), said


@ON_EACH_LAYER
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("jit gather -save x.txt", "-save writes .json and .csv; x.txt is neither"),
        (f"jit gather {AT['behind']}", f"{AT['behind']} is in no parallel loop's body"),
    ],
)
def test_why_workers_cannot_gather_is_told(session: Session, command: str, reason: str) -> None:
    assert session.done.of(command) == reason


@ON_EACH_LAYER
def test_workers_cannot_gather_at_a_line_that_has_no_code_yet(session: Session) -> None:
    said = session.done.of("jit gather none.py:3")
    assert said.startswith("none.py:3: no function with this line is compiled; `set break"), said


@ON_EACH_LAYER
def test_workers_that_gdb_does_not_let_run_cannot_come(session: Session) -> None:
    assert "the other workers do not run: `set scheduler-locking off`" in session.done.text


@ON_EACH_LAYER
def test_workers_come_to_a_first_line(session: Session) -> None:
    """On tbb one worker may have all that is left."""
    pattern = r"workers are here:|^1 worker is here:" if session.layer == "tbb" else "workers are here:"
    said = session.done.of(f"jit gather {AT['first']}")
    assert re.search(pattern, said), said


@WITHOUT_STEALING
def test_a_worker_that_an_exception_ends_is_not_waited_for(session: Session) -> None:
    """Worker 1 leaves at its second iteration."""
    said = [session.done.of(f"jit gather {x}") for x in (AT["stays"], "-n", "-next")]
    seen = [[int(number) for number in re.findall(r"^worker (\d)", text, re.M)] for text in said]
    assert seen == [[0, 1, 2, 3], [0, 2, 3], [0, 2, 3]]


@WITHOUT_STEALING
def test_a_loop_at_another_level_is_refused_when_it_is_compiled(session: Session) -> None:
    refused = f"workers cannot gather at {AT['exact']}, where plain.prange is not at level steps"
    assert refused in session.done.of(f"jit gather {AT['exact']}")


@WITHOUT_STEALING
def test_a_loop_at_another_level_that_is_compiled_is_refused(session: Session) -> None:
    known = f"{AT['exact']}: workers gather at any line of a loop at level steps; at others where it begins (line "
    assert known in session.done.of(f"jit gather {AT['exact']} ")


@WITHOUT_STEALING
def test_who_does_not_come_in_time_is_told(session: Session) -> None:
    partial = session.done.of(UNTIL)
    assert "\n3 of 4 workers are here, 1 did not come in time:\n" in partial, partial
    assert re.search(r"^worker 3, thread .*\(not here\)$", partial, re.M), partial


@WITHOUT_STEALING
def test_who_came_late_is_met_next(session: Session) -> None:
    said = session.done.of("jit gather -next", -1)
    assert said.startswith("1 worker is here:\nworker 3, thread "), said


@ON_EACH_LAYER
def test_the_program_computes_what_it_would_without(session: Session) -> None:
    text = session.done.text
    assert [line for line in text.splitlines() if line in RESULTS] == RESULTS, text


def test_launches_at_once() -> None:
    """Each of four workers has started a loop of its own: their workers gather launch by launch, and none twice."""
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
    """The place is given before `run`, with another loop of the file before it; and at a stop, in a function that is
    still to come."""
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
