"""A JIT of the tests' own (tests/programs/toyjit.c): GDB shows it only by its descriptors."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT, gdbs, newest_python

GDBS = pytest.mark.parametrize("gdb", gdbs().items(), ids=lambda item: f"gdb-{item[0]}")
TOYJIT = str(ROOT / "build" / "tests" / "programs" / "toyjit")
LIBRARY = ROOT / "build" / "runtime" / "inferior" / "libjitscope.so"
SOURCE = "total.toy"
ROWS = ", ".join(f"[{row}., {row}.5]" for row in range(12))
VALUES = f"array([{ROWS}])"
ARGUMENTS = r"values=array\(float64, shape=\(12, 2\)\), factor=2\.0, row=\d+, end=\d+"


def toy(commands: list[str], gdb: str, *, mode: str = "once", **how: Any) -> harness.Transcript:
    return harness.run(commands, program=SOURCE, arguments=[mode], python=TOYJIT, gdb=gdb, **how)


@contextlib.contextmanager
def serving() -> Iterator[int]:
    """Yield the pid of a toyjit that runs on."""
    command = [TOYJIT, str(harness.PROGRAMS / SOURCE), "serve"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "132\n" and process.stdout.readline() == "ready\n"
        yield process.pid
    finally:
        harness.kill_session(process)
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture(scope="module")
def once(request: pytest.FixtureRequest) -> harness.Transcript:
    """Run once: the first breakpoint is at the function, the second one at its loop's line."""
    at_add = f"break {SOURCE}:{line_of(SOURCE, 'add')}"
    return toy(
        ["break total", at_add, "info breakpoints", "run", "bt", "info locals", "info args", "jit locals", "jit bt"]
        + ["whatis values", "whatis factor", "print values", "print limits.high", "delete 1", "continue"]
        + ["info locals", "jit print values[1:3, 0]", "jit print values.shape", "up", "info args", "jit status"],
        request.param,
    )


ONE_RUN = pytest.mark.parametrize(
    "once",
    [
        pytest.param(path, id=f"gdb-{name}", marks=pytest.mark.xdist_group(f"described-{name}"))
        for name, path in gdbs().items()
    ],
    indirect=True,
)


@ONE_RUN
def test_breakpoints_wait_for_the_code(once: harness.Transcript) -> None:
    assert once.of("info breakpoints").count("<PENDING>") == 2, once.text


@ONE_RUN
def test_a_breakpoint_at_a_function_stops_at_its_first_line(once: harness.Transcript) -> None:
    assert re.search(rf"hit Breakpoint 1, total \({ARGUMENTS}\) at .*{SOURCE}:2\n2\t", once.of("run")), once.text


@ONE_RUN
def test_a_breakpoint_at_a_line_stops_there(once: harness.Transcript) -> None:
    assert re.search(rf"\) at .*{SOURCE}:4\n", once.of("continue")), once.text


@ONE_RUN
def test_backtrace(once: harness.Transcript) -> None:
    frames = once.of("bt").splitlines()
    assert re.match(rf"#0  total \({ARGUMENTS}\) at .*{SOURCE}:2$", frames[0]), once.text
    assert re.match(rf"#1  0x\w+ in run \(values=array\(.*\)\) at .*{SOURCE}:8$", frames[1]), once.text
    assert re.match(r"#2  0x\w+ in work \(", frames[2]), once.text


@ONE_RUN
def test_jit_backtrace(once: harness.Transcript) -> None:
    stack = once.of("jit bt").splitlines()
    assert [re.sub(r" \(.*", "", line) for line in stack] == ["#0  total", "#1  run", "#2  work"], once.text


@ONE_RUN
def test_locals(once: harness.Transcript) -> None:
    assert once.of("info locals").splitlines() == [
        "sum = <optimized out>",
        "limits = {low = -1.5, closed = True, high = 24.0}",
        "width = -2",
        "folded = <optimized out>",
    ]


@ONE_RUN
def test_locals_that_are_assigned_later(once: harness.Transcript) -> None:
    assert once.of("info locals", 1).splitlines()[0] == "sum = 0.0", once.text


@ONE_RUN
def test_arguments(once: harness.Transcript) -> None:
    assert once.of("info args").splitlines()[:2] == [f"values = {VALUES}", "factor = 2.0"]


@ONE_RUN
def test_arguments_of_the_caller(once: harness.Transcript) -> None:
    assert once.of("info args", 1) == f"values = {VALUES}"


@ONE_RUN
def test_jit_locals(once: harness.Transcript) -> None:
    known = once.of("jit locals").splitlines()
    assert known[:2] + known[4:6] == [
        f"values = {VALUES}",
        "factor = 2.0",
        "sum = <unassigned>",
        "limits = {low = -1.5, closed = True, high = 24.0}",
    ]


@ONE_RUN
def test_types_of_variables(once: harness.Transcript) -> None:
    assert once.of("whatis values") == "type = Matrix" and once.of("whatis factor") == "type = float64"


@ONE_RUN
def test_print(once: harness.Transcript) -> None:
    assert once.of("print values") == f"$1 = {VALUES}"
    assert once.of("print limits.high") == "$2 = 24.0"


@ONE_RUN
def test_jit_print(once: harness.Transcript) -> None:
    assert once.of("jit print values[1:3, 0]") == "array([1., 2.])"
    assert once.of("jit print values.shape") == "(12, 2)"


@ONE_RUN
def test_no_code_is_missing(once: harness.Transcript) -> None:
    status = once.of("jit status")
    assert status and "missing" not in status, once.text


@GDBS
def test_code_that_was_taken_back(gdb: tuple[str, str]) -> None:
    shown = toy(["handle SIGUSR1 nopass", "run", "jit functions", "info symbol run", "info line total"], gdb[1])
    assert "SIGUSR1" in shown.of("run"), shown.text
    assert re.fullmatch(r"run +\S*total\.toy:7 .*", shown.of("jit functions")), shown.text
    assert shown.of("info line total") == 'Function "total" not defined.', shown.text


@GDBS
def test_unwinds_from_each_instruction(gdb: tuple[str, str]) -> None:
    """Frames are right at the entry, in the prologue and at the return, too."""
    step = ["stepi", "bt 3"]
    shown = toy(
        ["tbreak total", "run", "break *total", "continue", "delete", "set scheduler-locking on", "bt 3", *step * 7]
        + [f"tbreak {SOURCE}:5", "continue", "bt 3", *step * 4, "stepi", "bt 1", "kill"],
        gdb[1],
        mode="serve",
    )
    stacks = [re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) ", shown.of("bt 3", n), re.M) for n in range(13)]
    inside, outside = ["total", "run", "work"], ["run", "work"]  # and the C library's, which may have no name
    assert [*stacks[:11], *(stack[:2] for stack in stacks[11:])] == [inside] * 11 + [outside] * 2, shown.text
    assert re.match(r"#0 .*\bwork \(", shown.of("bt 1")), shown.text


@GDBS
def test_result_is_not_guessed(gdb: tuple[str, str]) -> None:
    """The toy does not describe its return convention, so neither a value nor an exception is shown."""
    shown = toy(["tbreak total", "run", "set scheduler-locking on", "jit finish", "kill"], gdb[1])
    assert shown.of("jit finish").splitlines()[-1] == "total returned; with what is not known", shown.text
    shown = toy(["tbreak total", "run", "set scheduler-locking on", "finish", "kill"], gdb[1])
    assert "\nrun (" in f"\n{shown.of('finish')}" and "Value returned" not in shown.of("finish"), shown.text


@GDBS
def test_regions_and_their_workers(gdb: tuple[str, str]) -> None:
    shown = toy(["break total", "run", "jit status -json", "print row", "jit threads -json", "jit threads"], gdb[1])
    answer = json.loads(shown.of("jit status -json"))
    schema = json.loads((ROOT / "docs" / "schema" / "status.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(answer)
    (region,) = answer["regions"]
    workers = region.pop("workers")
    assert region == {
        "name": "run.parallel",
        "function": "run",
        "file": str(harness.PROGRAMS / SOURCE),
        "schedule": "dynamic",
        "line": line_of(SOURCE, "call"),
        "nworkers": 4,
        "begin": 0,
        "end": 12,
        "chunk": 3,
    }
    assert workers and all(w["end"] == w["begin"] + 3 and w["innermost"] for w in workers if w["chunks"]), shown.text
    row = int(shown.of("print row").split(" = ")[1])
    assert row in [worker["begin"] for worker in workers], shown.text
    threads = json.loads(shown.of("jit threads -json"))
    schema = json.loads((ROOT / "docs" / "schema" / "threads.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(threads)
    chunks = [each["chunk"] for entry in threads for each in entry["regions"] if each["chunk"]]
    assert sorted(chunks) == sorted([[w["begin"], w["end"] - 1]] for w in workers if w["chunks"]), shown.text
    line = rf"^\* \d  worker: run, loop at {SOURCE}:8, {row}\.\.{row + 2}, line \d+$"
    assert re.search(line, shown.of("jit threads"), re.M), shown.text


@GDBS
def test_workers_before_their_first_chunk(gdb: tuple[str, str]) -> None:
    shown = toy(["break jitscope_region_chunk", "run", "jit threads", "jit region"], gdb[1])
    text = f"worker: run, loop at {SOURCE}:8, chunk <unknown: the thread has begun none>"
    assert any(line.startswith("* ") and line.endswith(text) for line in shown.of("jit threads").splitlines())
    assert shown.of("jit region").startswith(f"run, prange at {SOURCE}:8; "), shown.text


@GDBS
def test_attach(gdb: tuple[str, str]) -> None:
    with serving() as pid:
        shown = harness.run(
            ["break total", "continue", "print values", "jit bt", "delete", "detach"],
            pid=pid,
            python=TOYJIT,
            gdb=gdb[1],
        )
    assert re.search(rf"hit Breakpoint 1, total \({ARGUMENTS}\) at .*{SOURCE}:2", shown.of("continue")), shown.text
    assert shown.of("print values") == f"$1 = {VALUES}"
    assert re.match(r"#0  total \(.*\n#1  run \(.*\n#2  work \(", shown.of("jit bt")), shown.text


@GDBS
def test_core(gdb: tuple[str, str], tmp_path: pathlib.Path) -> None:
    core = tmp_path / "core.toy"
    made = toy(["run", f"generate-core-file {core}", "kill"], gdb[1], jitscope=False, mode="crash")
    assert core.exists(), made.text
    shown = harness.run(["bt 2", "jit bt", "info locals", "print values.dims"], core=core, python=TOYJIT, gdb=gdb[1])
    assert re.match(rf"#0 .* total \(.*\) at .*{SOURCE}:4\n#1 .* run \(", shown.of("bt 2")), shown.text
    assert re.match(r"#0  total \(.*\n#1  run \(.*\n#2  work \(", shown.of("jit bt")), shown.text
    assert shown.of("info locals").splitlines()[1] == "limits = {low = -1.5, closed = True, high = 24.0}", shown.text
    assert shown.of("print values.dims") == "$1 = [12, 2]"


@GDBS
def test_plain_gdb_shows_names_and_no_warning(gdb: tuple[str, str]) -> None:
    shown = toy(["break total", "run", "bt 2", "handle SIGUSR1 nopass", "delete", "continue"], gdb[1], jitscope=False)
    assert re.match(r"#0  0x\w+ in total \(\)\n#1  0x\w+ in run \(\)", shown.of("bt 2")), shown.text
    said = re.sub(r"(warning: )?\d+\t\S+: No such file or directory", "", shown.text)  # the C library's source
    assert "warning" not in said and "error" not in said.lower(), shown.text


def test_runs_alone() -> None:
    done = subprocess.run([TOYJIT, str(harness.PROGRAMS / SOURCE)], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGUSR1 and done.stdout == "132\nready\n", done


@pytest.mark.parametrize("preload", [False, True], ids=["ctypes", "LD_PRELOAD"])
@GDBS
def test_beside_numba(gdb: tuple[str, str], preload: bool) -> None:
    """Each JIT's registrations are seen, whichever library came first."""
    environment = {"NUMBA_OPT": "0"}
    setup = [f"set environment LD_PRELOAD {LIBRARY}"] if preload else []
    here = line_of("twojits.py", "foo")
    shown = harness.run(
        [*setup, f"break twojits.py:{here}", "break twice", "run", "info args", "continue", "info args", "jit bt"]
        + ["jit functions", "continue", "info args", "continue", "info args", "jit functions", "info line twice"],
        program="twojits.py",
        arguments=[str(LIBRARY)],
        gdb=gdb[1],
        env=environment,
    )
    assert [shown.of("info args", n) for n in range(4)] == ["a = 1", "x = 21", "a = 5", "a = 2.5"], shown.text
    stack = shown.of("jit bt").splitlines()
    assert re.fullmatch(r"#0  twice \(x=21\) at .*twojits\.py:61", stack[0]), shown.text
    assert re.search(rf"<module> \(\) at .*twojits\.py:{line_of('twojits.py', 'twice')} ", stack[-1]), shown.text
    assert [re.findall(r"^(\w+)", shown.of("jit functions", n), re.M) for n in range(2)] == [
        ["foo", "twice"],
        ["foo", "foo"],
    ], shown.text
    assert shown.of("info line twice") == 'Function "twice" not defined.', shown.text


@GDBS
def test_beside_numba_in_a_core(gdb: tuple[str, str], tmp_path: pathlib.Path) -> None:
    """GDB walks over the objects that both have registered."""
    core, python = tmp_path / "core.two", newest_python()
    made = harness.run(
        ["break twice", "run", f"generate-core-file {core}", "kill"],
        program="twojits.py",
        arguments=[str(LIBRARY)],
        gdb=gdb[1],
        jitscope=False,
        env={"NUMBA_OPT": "0"},
    )
    assert core.exists(), made.text
    shown = harness.run(["jit functions", "bt 1", "info line foo", "jit bt"], core=core, python=python, gdb=gdb[1])
    assert re.findall(r"^(\w+)", shown.of("jit functions"), re.M) == ["foo", "twice"], shown.text
    assert re.match(r"#0 .*\btwice \(x=21\) at .*twojits\.py:6[01]", shown.of("bt 1")), shown.text
    assert 'of "' in shown.of("info line foo") and "twojits.py" in shown.of("info line foo"), shown.text
    assert re.search(r" <module> \(\) at .*twojits\.py:", shown.of("jit bt")), shown.text


@GDBS
def test_cplusplus_breakpoint(gdb: tuple[str, str]) -> None:
    """A C++ extension stops on the line of its own call."""
    program = ROOT / "build" / "tests" / "programs" / "breakpoint"
    if not program.exists():
        pytest.skip("no C++ compiler was there when build/ was made")
    shown = harness.run(["run", "print sum", "continue"], program="breakpoint.cpp", python=str(program), gdb=gdb[1])
    source = (harness.PROGRAMS / "breakpoint.cpp").read_text().splitlines()
    line = 1 + next(n for n, text in enumerate(source) if text.endswith("// at: stop"))
    assert re.search(rf"\bat \S*breakpoint\.cpp:{line}\n{line}\t", shown.of("run")), shown.text
    assert shown.of("print sum") == "$1 = 7", shown.text
    assert "passed 4" in shown.of("continue"), shown.text
