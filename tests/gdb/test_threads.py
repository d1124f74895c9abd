"""The iterations that each thread runs: `jit threads` against the program's own record, on each threading layer."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import pathlib
import re
import time
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.gdb.threading_layers import NEEDS_TBB, env
from tests.interpreters import ROOT
from tests.minutes import MATRIX, MINUTES

PROGRAM = "workers.py"
CASES = [  # one GDB for each; the one at steps is the first, so that AT_STEPS shares it
    pytest.param(("omp", "steps"), marks=pytest.mark.xdist_group("omp-steps"), id="omp-steps"),
    pytest.param(("workqueue", "stock"), marks=pytest.mark.xdist_group("workqueue-stock"), id="workqueue-stock"),
    pytest.param(("tbb", "stock"), marks=[NEEDS_TBB, pytest.mark.xdist_group("tbb-stock")], id="tbb-stock"),
]
ON_EACH_LAYER = pytest.mark.parametrize("session", CASES, indirect=True)
AT_STEPS = pytest.mark.parametrize("session", CASES[:1], indirect=True)
SCHEMA = json.loads((ROOT / "docs" / "schema" / "threads.json").read_text())
MARKS = {"fill": "body", "signed": "signed", "grid": "grid", "outer": "outer"}
BODY = f"{PROGRAM}:{line_of(PROGRAM, 'body')}"
# Commands in workers, when the first loop runs once more.
COMMANDS = [
    "delete",
    f"jit tbreak {BODY} -worker 2",
    "continue",
    "thread name mine",
    "python before = gdb.selected_thread().num, gdb.selected_frame().level()",
    "jit apply all info locals",
    "jit apply 2 print i",
    "jit apply worker i>=7 print t",
    "jit apply worker (i > 100) print t",
    "jit apply worker 'i >= 7' print t",
    "jit apply worker i> 7 print t",
    "jit apply 77 print i",
    "jit apply worker nothing print i",
    "jit apply all nonsense",
    f"jit tbreak {BODY} -worker 99",
    f"jit break {BODY} -worker 1",
    "python print(before == (gdb.selected_thread().num, gdb.selected_frame().level()))",
    f"jit tbreak {PROGRAM}:{line_of(PROGRAM, 'last')} -once-per-worker if i > 3",
    "continue",
    "info threads",
    "continue",
    "continue",
    "continue",
    "jit tbreak",
    "jit apply all",
    "jit threads",
]


def entries(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text.splitlines()[-1])
    jsonschema.validate(found, SCHEMA)
    return found


def said(transcript: Transcript) -> dict[str, Any]:
    match = re.search(r"^who: (\{.*\})$", transcript.text, re.M)
    assert match, transcript.text[-3000:]
    found: dict[str, Any] = json.loads(match[1])
    return found


def ran(who: Any, chunk: list[list[int]], name: str) -> set[int]:
    """Return the threads that ran the iterations of a chunk, by the program's own record."""
    shift = 5 if name == "signed" else 0
    ranges = [range(first + shift, last + shift + 1) for first, last in chunk]
    found = set()
    for at in itertools.product(*ranges):
        cell = who
        for index in at:
            cell = cell[index]
        found.add(cell)
    return found


@dataclasses.dataclass
class Session:
    shown: Transcript
    layer: str
    level: str
    loops: list[str]

    @functools.cached_property
    def looks(self) -> list[list[dict[str, Any]]]:
        """Return the answers of `jit threads -json`, stop by stop."""
        sections = self.shown.sections
        return [entries(text) for command, text in sections if command == "jit threads -json" and text.startswith("[")]


class TestLayers:
    @pytest.fixture(scope="class")
    @classmethod
    def session(cls, request: pytest.FixtureRequest) -> Session:
        layer, level = request.param
        # on tbb a loop in another one tests as much as the others
        loops = ["outer"] if layer == "tbb" and not MATRIX else ["signed", "grid", "outer"]
        lines = {name: line_of(PROGRAM, MARKS[name]) for name in ("fill", *loops)}
        looks = []
        for number in range(1, len(lines) + 1):  # some iterations of each loop
            looks += [*["jit threads -json", "continue"] * 4, "jit threads -json", f"delete {number}", "continue"]
        shown = harness.run(
            [
                *(f"break {PROGRAM}:{line}" for line in lines.values()),
                f"jit tbreak {PROGRAM}:{line_of(PROGRAM, 'last')} -worker 1",
                "run",
                "list",
                "info threads",
                "jit threads",
                *(["jit gather"] if level == "stock" else []),
                *looks[:-1],
                *(COMMANDS if level == "steps" else ["delete", "continue"]),
            ],
            program=PROGRAM,
            arguments=loops,
            env=env(layer, level),
            timeout=80,
        )
        return Session(shown, layer, level, loops)

    @ON_EACH_LAYER
    def test_chunks_are_those_that_the_program_ran(self, session: Session) -> None:
        who = said(session.shown)
        seen: dict[str, int] = {}
        for look in session.looks:
            for entry in look:
                for region in entry["regions"]:
                    name = region["function"]
                    assert region["chunk"] is not None, region
                    assert region["line"] >= region["region_line"] > 0
                    is_recorded = session.level != "stock" and len(region["chunk"]) == 1
                    assert region["source"] == ("recorded" if is_recorded else "recovered"), region
                    seen[name] = seen.get(name, 0) + 1
                    if region["iterations"]:
                        assert ran(who[name], region["chunk"], name) == {entry["native_id"]}, region
                    index = region["index"]
                    if index and index["state"] == "exact" and isinstance(index["value"], int):
                        assert region["done"] == index["value"] - region["chunk"][0][0]
                        assert 0 <= region["done"] < region["iterations"]
        assert set(seen) == {"fill", *session.loops}, seen

    @ON_EACH_LAYER
    def test_the_index_is_exact_at_steps_and_labelled_else(self, session: Session) -> None:
        regions = [region for look in session.looks for entry in look for region in entry["regions"]]
        of = [region["index"] for region in regions if region["index"]]
        assert of
        for index in of:
            assert (index["value"] is None) == (index["state"] != "exact")
            assert index["state"] == "exact" or re.match("<.*>$", index["text"])
        if session.level == "steps":
            assert "exact" in {index["state"] for index in of} <= {"exact", "unassigned"}

    @ON_EACH_LAYER
    def test_roles(self, session: Session) -> None:
        first = session.looks[0]
        roles = {entry["role"] for entry in first}
        assert "worker" in roles
        (main,) = (entry for entry in first if entry["starts"])
        assert main["starts"][0]["function"] == "fill" and main["layer"] == session.layer
        for entry in first:
            if entry["regions"]:
                assert entry["callers"] == [main["thread"]] and entry["layer"] == session.layer
        pool = [entry["worker"] for entry in first if entry["layer"] == session.layer and entry is not main]
        first_number = 0 if session.layer == "workqueue" else 1
        assert pool == list(range(first_number, first_number + len(pool)))
        if session.layer == "workqueue":
            assert main["role"] == "caller" and len(pool) == 4

    @ON_EACH_LAYER
    def test_breakpoints_stop_in_this_file_only(self, session: Session) -> None:
        assert "workers_other" not in session.shown.text and "elsewhere" not in session.shown.text
        hits = re.findall(r"hit (?:Temporary b|B)reakpoint (\d+)", session.shown.text)
        assert set(hits) >= {str(number) for number in range(1, len(session.loops) + 2)}
        assert "t = a[i] * 2" in session.shown.of("list")
        pending = re.findall(r"Breakpoint (\d+) \(workers.py:\d+\) pending", session.shown.text)
        assert len(pending) == len(session.loops) + 1

    @ON_EACH_LAYER
    def test_gathering_needs_the_runtime(self, session: Session) -> None:
        if session.level == "stock":
            assert session.shown.of("jit gather") == (
                "workers gather where the program has jitscope loaded (libjitscope.so); "
                "`jit threads` shows where each is"
            )

    @ON_EACH_LAYER
    def test_one_worker_is_stopped(self, session: Session) -> None:
        number = len(session.loops) + 2
        assert f"Breakpoint {number} stops worker 1 only" in session.shown.text
        hits = [
            text
            for (_, stop), (command, text) in itertools.pairwise(session.shown.sections)
            if f"reakpoint {number}" in stop and "hit" in stop and command == "jit threads -json"
        ]
        assert len(hits) <= 1
        for text in hits:
            assert any(e["worker"] == 1 and e["regions"] for e in entries(text))

    @ON_EACH_LAYER
    def test_threads_have_names_while_they_are_stopped(self, session: Session) -> None:
        shown = session.shown.of("info threads")
        named = re.findall(rf'"worker \d of {session.layer}: fill:{line_of(PROGRAM, "header")}, [^"]*"', shown)
        assert named, shown
        assert not re.search(r'"worker \d[^"]*" hit', session.shown.text)  # a name from the stop before

    @AT_STEPS
    def test_a_command_in_all_workers(self, session: Session) -> None:
        everywhere = session.shown.of("jit apply all info locals")
        heads = re.findall(
            r"^thread \d+, worker (\d) of omp.*: fill, prange at workers\.py:\d+, i = (\d+) of", everywhere, re.M
        )
        values = re.findall(r"^i = (\d+)$", everywhere, re.M)
        assert heads and [index for _, index in heads] == values

    @AT_STEPS
    def test_a_command_in_the_worker_of_a_number(self, session: Session) -> None:
        said = session.shown.of("jit apply 2 print i")
        assert re.search(r"worker 2 of omp: .*i = 7 of 7\.\.9.*\n\$1 = 7$", said), said

    @AT_STEPS
    def test_a_command_in_the_workers_for_which_a_condition_holds(self, session: Session) -> None:
        assert "= 14" in session.shown.of("jit apply worker i>=7 print t")
        assert session.shown.of("jit apply worker (i > 100) print t") == "(i > 100) is true in no worker."
        assert session.shown.of("jit apply worker 'i >= 7' print t").count("= 14") == 1

    @AT_STEPS
    @pytest.mark.parametrize(
        ("command", "reason"),
        [
            ("jit apply 77 print i", "no worker 77 runs iterations of this loop now; these do: "),
            ("jit apply worker nothing print i", "not defined"),
            ("jit apply worker i> 7 print t", "`i>` would be the expression, and `7 print t` the command"),
            ("jit apply all nonsense", 'Undefined command: "nonsense"'),
            (
                f"jit tbreak {BODY} -worker 99",
                "there is no worker 99: the workers of omp are 0 to 3 (NUMBA_NUM_THREADS is 4)",
            ),
            (f"jit break {BODY} -worker 1", "`jit break` stops all workers; `jit tbreak LOC -worker K` stops one"),
        ],
    )
    def test_why_a_command_does_not_run_in_workers_is_told(self, session: Session, command: str, reason: str) -> None:
        assert reason in session.shown.of(command)

    @AT_STEPS
    def test_a_command_in_workers_leaves_the_selected_thread_and_frame(self, session: Session) -> None:
        assert "True" in [text for command, text in session.shown.sections if command.startswith("python print(before")]

    @AT_STEPS
    def test_a_breakpoint_stops_each_worker_once(self, session: Session) -> None:
        shown, who = session.shown, said(session.shown)
        once = [shown.of("continue", n) for n in range(-4, 0)]  # after the last one the program has ended
        lwps = [match[1] for text in once[:3] if (match := re.search(r"^\[Switching to .*LWP (\d+)", text, re.M))]
        assert len(lwps) == len(set(lwps)) and len(set(who["again"][4:])) == 3
        number = len(session.loops) + 4
        assert [f"Breakpoint {number}" in text for text in once] == [True] * 3 + [False]

    @AT_STEPS
    def test_a_name_that_the_user_gave_a_thread_stays(self, session: Session) -> None:
        assert '"mine"' in session.shown.of("info threads", 1)

    @AT_STEPS
    @pytest.mark.parametrize("command", ["jit tbreak", "jit apply all"])
    def test_how_it_is_used_is_told(self, session: Session, command: str) -> None:
        assert session.shown.of(command).startswith("Usage: ")

    @AT_STEPS
    def test_without_a_process_there_are_no_threads(self, session: Session) -> None:
        assert session.shown.of("jit threads", 1).startswith("no process")


# scenario D has stock's crash live
@pytest.mark.parametrize(("level", "layer"), [pytest.param("stock", "omp", marks=MINUTES), ("steps", "workqueue")])
def test_a_crash_in_a_worker(layer: str, level: str, tmp_path: pathlib.Path) -> None:
    core = tmp_path / "core"
    live = harness.run(
        ["run", "jit bt", "jit bt -json", f"generate-core-file {core}"], program="par2.py", env=env(layer, level)
    )
    later = harness.run(["jit bt", "jit threads"], core=core)
    crash, call, header = (line_of("par2.py", mark) for mark in ("crash", "call", "prange"))
    for shown in (live.of("jit bt"), later.of("jit bt")):
        assert re.search(
            rf"free .*\n(?:.*\n)*?#\d+ +scale\.prange \(.*k ?= ?21.* at .*par2\.py:{crash}, "
            rf"iterations 20\.\.29 of the loop at line {header}\n"
            rf"--- region started by thread \d+ ---\n#\d+ +scale \(.*factor=0\.5\) at .*par2\.py:{header}\n"
            rf"#\d+ +run \(\) at .*par2\.py:{call} \[py\]\n.*<module>.*\n--- the other workers ---\n",
            shown,
        ), shown
    found = json.loads(live.of("jit bt -json"))
    jsonschema.validate(found, json.loads((ROOT / "docs" / "schema" / "bt.json").read_text()))
    jsonschema.validate(found["workers"], SCHEMA)
    assert len(found["workers"]) >= 2
    assert re.search(r"^\* .*k = 21 of 20\.\.29, line 19, 1 of 10 done$", later.of("jit threads"), re.M)


def test_the_end_of_a_chunk() -> None:
    shown = harness.run(
        [
            f"break {PROGRAM}:{line_of(PROGRAM, 'last')} if i == 5",
            "run",
            "print i",
            "thread apply all info locals",
            "delete",
            "next",
            "jit finish -region",
            "jit finish -region",
        ],
        program=PROGRAM,
        env=env("workqueue", "steps"),
    )
    assert shown.of("print i") == "$1 = 5"
    assert re.search(
        r'^Thread \d+ \(.*"worker 1 of workqueue: fill:\d+, i = 5 of 4\.\.6"\):\n(?:\w+ = .*\n)*i = 5\nt = 10$',
        shown.of("thread apply all info locals"),
        re.M,
    )
    assert re.search(rf"^{line_of(PROGRAM, 'header')}\t", shown.of("next"), re.M)
    after = line_of(PROGRAM, "after")
    assert shown.of("jit finish -region").startswith(
        f"The parallel loop at workers.py:{line_of(PROGRAM, 'header')} has ended.\n#0  fill ("
    )
    assert re.search(rf"^{after}\t    return total", shown.of("jit finish -region"), re.M)
    assert shown.of("jit finish -region", 1).startswith("the selected thread is in no parallel loop")


def alike(program: str, extra: dict[str, str]) -> tuple[list[dict[str, Any]], str]:
    """Return the entries of 12 workers, most of them read without GDB, and the text about samples."""
    by_gdb = "import jitscope_gdb.target.target as t, jitscope_gdb.threads.same_stack as s; "
    by_gdb += "import jitscope_gdb.threads.pools as p; "
    known = "[one for some in t.current().keep(t.OBJECT, 'samples', dict).values() for one in some]"
    with harness.target(program, env={**env("workqueue", "stock", 12), **extra}) as pid:
        time.sleep(1)  # until all are there
        shown = harness.run(
            [
                "jit threads -json",
                f"python {by_gdb}print('samples', len({known}))",
                "python t.current().forget(t.STOP)",
                "jit threads -json",  # the samples are also used at the next stop
                f"python print('then', len({known}), 'at', sorted({{str(one.level) for one in {known}}}))",
                "python s.find = p.unselected = lambda *_: None",
                "python t.current().forget(t.STOP)",
                "jit threads -json",
            ],
            pid=pid,
        )
    ours, again, theirs = (entries(text) for command, text in shown.sections if command == "jit threads -json")
    assert ours == again == theirs
    workers = [entry for entry in ours if entry["role"] == "worker"]
    workers.sort(key=lambda entry: entry["regions"][0]["chunk"])  # GDB 18 numbers threads from the last
    assert [entry["regions"][0]["chunk"] for entry in workers] == [[[n, n]] for n in range(12)]
    return workers, shown.text


def test_stacks_that_are_alike_are_read_as_gdb_unwinds_them() -> None:
    workers, text = alike("called.py", {})
    assert len({entry["regions"][0]["frame"] for entry in workers}) == 3
    # the others are like these, and the thread that started the loop waits as before
    assert "samples 4" in text and "then 4" in text, text


def test_bodies_that_have_called_nothing_are_read_as_gdb_unwinds_them() -> None:
    workers, text = alike(str(ROOT / "tests" / "bench" / "programs" / "threads.py"), {"WORKERS": "body"})
    assert {entry["regions"][0]["frame"] for entry in workers} == {0}
    assert "at ['0', 'None']" in text, text
    assert [entry["regions"][0]["index"]["value"] for entry in workers] == list(range(12))


@pytest.mark.parametrize("jitscope", ["1", "0"])
@pytest.mark.parametrize("opt", ["3", pytest.param("0", marks=MINUTES)])
def test_a_thread_that_runs_compiled_code_is_no_idle_one(jitscope: str, opt: str) -> None:
    """The threads are a worker of a parallel ufunc, and one that has crashed in a loop without debug information."""
    program = "crowd.py"
    ufunc = line_of(program, "ufunc")
    env = {"JITSCOPE": jitscope, "NUMBA_OPT": opt, "NUMBA_DEBUGINFO": "1", "NUMBA_NUM_THREADS": "4"}
    shown = harness.run(
        [f"break {program}:{ufunc} if x >= 100", "run", "jit threads", "jit bt", "delete", "continue", "jit threads",
         "jit bt"],
        program=program, env={**env, "NUMBA_BOUNDSCHECK": "0", "NUMBA_THREADING_LAYER": "omp"},
    )  # fmt: skip
    stopped, crashed = (
        next(line for line in shown.of("jit threads", number).splitlines() if line.startswith("*")) for number in (0, 1)
    )
    assert re.fullmatch(rf"\* \d+ +worker [123] of omp: twice \(\) at {program}:{ufunc}", stopped), shown.text
    below = "started by thread 1 ---\n" if jitscope == "1" else "(the thread that has called the ufunc is not known)"
    assert below in shown.of("jit bt") and ("<module> ()" in shown.of("jit bt")) == (jitscope == "1"), shown.text
    assert re.fullmatch(r"\* \d+ +worker \d of omp( \(and caller\))?: fill, prange, .*", crashed), shown.text
    assert "fill.prange[gufunc-wrapper] ()" in shown.of("jit bt", 1).splitlines()[0], shown.text
    assert "  fill ()" in shown.of("jit bt", 1) and "<module> ()" in shown.of("jit bt", 1), shown.text


CRASH = """
import numpy as np
from llvmlite import ir
from numba import njit, prange, types
from numba.extending import intrinsic

@intrinsic
def load(context, address):
    def generate(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], ir.DoubleType().as_pointer()))
    return types.float64(address), generate

@njit(parallel=True)
def fill(a, base, n):
    for i in prange(n):
        a[i] = load(base + i * 8)
    return a

fill(np.zeros(8), 16, 8)
"""


def test_workers_that_crash_alike_without_debug_information(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "crash.py"
    program.write_text(CRASH)
    env = {"NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "workqueue", "JITSCOPE_LEVEL": "exact"}
    env |= {"JITSCOPE_DEBUG": "off"}
    shown = harness.run(["run", "jit threads", "jit bt", "jit region"], program=program, env=env)
    assert "not found" not in shown.text and ":0" not in shown.of("jit region"), shown.text
    for command in ("jit threads", "jit region"):
        assert re.findall(r"worker [01] of workqueue: fill, prange, \d\.\.\d$", shown.of(command), re.M), shown.text
    assert "fill, prange without debug information, on workqueue" in shown.of("jit region"), shown.text
    assert "--- region started by thread 1 ---\n" in shown.of("jit bt"), shown.text


@pytest.mark.parametrize(("threads", "layer"), [("1", "omp"), ("4", "workqueue")])
def test_a_loop_without_debug_information_has_the_name_of_its_function_in_each_thread(
    tmp_path: pathlib.Path, threads: str, layer: str
) -> None:
    """It has the name in the thread that started it and in a worker; in the stop's line, in GDB's own stack and in
    jitscope's."""
    program = tmp_path / "crash.py"
    program.write_text(CRASH)
    env = {"NUMBA_NUM_THREADS": threads, "NUMBA_THREADING_LAYER": layer, "JITSCOPE": "0"}
    shown = harness.run(["run", "bt 1", "jit bt", "jit locals"], program=program, env=env)
    assert "__numba_parfor_gufunc" not in shown.text, shown.text
    assert re.search(r"^#0  0x\w+ in fill\.prange\[gufunc-wrapper\] \(\)$", shown.of("bt 1"), re.M), shown.text
    assert re.search(r"^#\d  fill\.prange\[gufunc-wrapper\] \(\)$", shown.of("jit bt"), re.M), shown.text
    assert "or write debug=True in its @njit" in shown.text, shown.text


INLINED = """
from numba import njit

@njit(debug=True)
def check(x, limit):
    if x > limit:
        raise ValueError("much")  # at: raises
    return x + 1

@njit(debug=True)
def loop(n):
    total = 0
    for i in range(n):
        total += check(i, 2)
    return total

loop(5)
"""


@pytest.mark.parametrize("level", ["exact", "steps"])
def test_a_thread_is_in_its_innermost_function_inlined_or_not(tmp_path: pathlib.Path, level: str) -> None:
    program = tmp_path / "inlined.py"
    program.write_text(INLINED)
    place = f"inlined.py:{line_of(program, 'raises')}"
    shown = harness.run(["jit catch", "run", "jit threads", "jit bt"], program=program, env={"JITSCOPE_LEVEL": level})
    assert f"* 1  Python thread: check () at {place}" in shown.of("jit threads"), shown.text
    assert re.search(r"^#1  loop ", shown.of("jit bt"), re.M), shown.text
