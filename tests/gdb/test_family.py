"""fork and exec: cached facts belong to the right process and to the program that it runs."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import subprocess
from collections.abc import Iterator

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.interpreters import ROOT, gdbs, newest_python

FAMILY, AGAIN = "family.py", "again.py"
OPT0 = {"NUMBA_OPT": "0"}
NEVER_SET = "jitscope: the program has ended, and breakpoint 3 (nothing_there) was never set: "


def at(mark: str) -> str:
    return f"{FAMILY}:{line_of(FAMILY, mark)}"


def status_of(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text.splitlines()[-1])
    schema = json.loads((ROOT / "docs" / "schema" / "status.json").read_text())
    jsonschema.validate(found, schema)
    return found


@contextlib.contextmanager
def started(program: pathlib.Path, *arguments: str) -> Iterator[tuple[int, str]]:
    """Start the program, and yield its pid and the first line that it writes."""
    process = subprocess.Popen(
        [newest_python(), str(program), *arguments],
        env=harness.environment(),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline()
    finally:
        harness.kill_session(process)
        if process.stdout is not None:
            process.stdout.close()


def sessions(fixture: str) -> pytest.MarkDecorator:
    """Return the mark for one session for each GDB, which all tests of the fixture share."""
    cases = [
        pytest.param(path, id=name, marks=pytest.mark.xdist_group(f"family-{fixture}-{name}"))
        for name, path in gdbs().items()
    ]
    return pytest.mark.parametrize(fixture, cases, indirect=True)


@pytest.fixture(scope="module")
def followed(request: pytest.FixtureRequest) -> Transcript:
    """Let GDB follow the child. `jit bt` in the parent comes first: no fact about it may be shown for the child."""
    commands = [
        "set follow-fork-mode child",
        f"break {at('shared')}",
        f"break {at('own')}",
        "break nothing_there",
        "run",
        "jit bt",
        "continue",
        "jit bt",
        "info locals",
        "jit status",
        "jit status -json",
        "continue",
        "info locals",
        "jit functions",
        "continue",
    ]
    return harness.run(commands, program=FAMILY, arguments=["wait"], env=OPT0, gdb=request.param)


FOLLOWED = sessions("followed")


def parent_of(followed: Transcript) -> int:
    forked = re.search(r"^forked from process (\d+): .*family\.py wait$", followed.of("jit status"), re.M)
    assert forked, followed.text
    return int(forked[1])


@FOLLOWED
def test_the_parents_stack_is_its_own(followed: Transcript) -> None:
    stack = followed.of("jit bt")
    assert "child ()" not in stack and "main ()" in stack, followed.text


@FOLLOWED
def test_the_childs_stack_is_its_own(followed: Transcript) -> None:
    stack = followed.of("jit bt", 1)
    assert re.search(r"#1  child \(\) .*\n#2  main \(\) .*\n#3  <module> \(\) .*$", stack), followed.text


@FOLLOWED
def test_variables_of_code_that_the_child_has_of_its_parent(followed: Transcript) -> None:
    assert followed.of("info locals") == "m = 11"


@FOLLOWED
def test_variables_of_code_that_the_child_compiles(followed: Transcript) -> None:
    assert followed.of("info locals", 1) == "m = 40"


@FOLLOWED
def test_the_childs_status_names_its_parent(followed: Transcript) -> None:
    parent, found = parent_of(followed), status_of(followed.of("jit status -json"))
    family = found["family"]
    assert isinstance(family, dict)
    assert family["forked"] and family["parent"]["pid"] == parent and not family["children"]
    assert str(found["process"]) != f"process {parent}"


@FOLLOWED
@pytest.mark.parametrize("name", ["shared", "own"])
def test_the_child_has_its_parents_functions_and_its_own(followed: Transcript, name: str) -> None:
    assert re.search(rf"^{name}\(int64\)", followed.of("jit functions"), re.M)


KEEP_BOTH = "`set detach-on-fork off` and `set schedule-multiple on` before `run`"


@FOLLOWED
def test_a_breakpoint_that_was_not_set_may_be_the_parents(followed: Transcript) -> None:
    last = followed.of("continue", -1).splitlines()
    why = "this process has compiled nothing of that name; GDB has let its parent go (`follow-fork-mode child`)"
    assert f"{NEVER_SET}{why}: to keep both, {KEEP_BOTH}" in last, followed.text
    assert followed.text.count("never set") == 1, followed.text


@pytest.fixture(scope="module")
def both(request: pytest.FixtureRequest) -> Transcript:
    """Let GDB debug both: inferior 2 is the child."""
    commands = [
        "set detach-on-fork off",
        "set schedule-multiple on",
        f"break {at('shared')}",
        f"break {at('own')}",
        f"break {at('parents')}",
        "break nothing_there",
        "run",
        "jit bt",
        "continue",
        "jit status",
        "jit bt",
        "info locals",
        "inferior 1",
        "jit functions",
        "jit status",
        "inferior 2",
        "continue",
        "info locals",
        "jit functions",
        "continue",
        "inferior 1",
        "continue",
        "continue",
        "info locals",
        "jit bt",
        "jit functions",
        "delete 1 2 3",
        "continue",
    ]
    return harness.run(commands, program=FAMILY, arguments=["wait"], env=OPT0, gdb=request.param, timeout=180)


BOTH = sessions("both")


@BOTH
def test_status_of_a_child_that_is_debugged_beside_its_parent(both: Transcript) -> None:
    status = both.of("jit status")
    assert "(inferior 2 of 2)" in status and "forked from process" in status, both.text


@BOTH
def test_status_of_a_parent_that_is_debugged_beside_its_child(both: Transcript) -> None:
    status = both.of("jit status", 1)
    assert "(inferior 1 of 2)" in status and "children: " in status, both.text


@BOTH
def test_stack_of_a_child_that_is_debugged_beside_its_parent(both: Transcript) -> None:
    assert "#1  child () " in both.of("jit bt", 1)


@BOTH
def test_stack_of_a_parent_that_is_debugged_beside_its_child(both: Transcript) -> None:
    stack = both.of("jit bt", 2)
    assert "child ()" not in stack and "main ()" in stack


@BOTH
def test_variables_of_a_child_that_is_debugged_beside_its_parent(both: Transcript) -> None:
    assert (both.of("info locals"), both.of("info locals", 1)) == ("m = 11", "m = 40")


@BOTH
def test_variables_of_a_parent_that_is_debugged_beside_its_child(both: Transcript) -> None:
    assert both.of("info locals", 2) in ("m = 90", "m = 3"), both.text


@BOTH
def test_the_parent_has_no_function_of_its_child(both: Transcript) -> None:
    before, after = both.of("jit functions"), both.of("jit functions", 2)
    assert "shared(int64)" in before and "own(" not in before
    assert "parents(int64)" in after and "own(" not in after, both.text


@BOTH
def test_the_child_has_a_function_of_its_own(both: Transcript) -> None:
    assert "own(int64)" in both.of("jit functions", 1)


@BOTH
def test_a_breakpoint_that_was_not_set_is_reported_when_both_have_ended(both: Transcript) -> None:
    last = both.of("continue", -1).splitlines()
    assert f"{NEVER_SET.replace('3', '4')}these processes have compiled nothing of that name" in last, both.text
    assert both.text.count("never set") == 1, both.text


@pytest.fixture(scope="module")
def replaced(request: pytest.FixtureRequest) -> Transcript:
    """Let the program replace itself by exec."""
    gdb, randomized = request.param
    commands = [
        f"set disable-randomization {randomized}",
        "break before_exec",
        "break after_exec",
        "run",
        "jit bt",
        "jit functions",
        "continue",
        f"advance {line_of(AGAIN, 'second')}",
        "info locals",
        "jit bt",
        "jit functions",
        "jit status",
        "info symbol before_exec",
        "delete",
        "continue",
    ]
    return harness.run(commands, program=AGAIN, env=OPT0, gdb=gdb)


REPLACED = pytest.mark.parametrize(
    "replaced",
    [
        pytest.param(
            (path, randomized),
            id=f"{name}-{randomized}",
            marks=pytest.mark.xdist_group(f"family-replaced-{name}-{randomized}"),
        )
        for name, path in gdbs().items()
        for randomized in ("on", "off")
    ],
    indirect=True,
)


@REPLACED
def test_the_program_before_exec(replaced: Transcript) -> None:
    assert re.search(r"hit Breakpoint 1, before_exec \(n=1\)", replaced.of("run")), replaced.text
    assert "before_exec(int64)" in replaced.of("jit functions"), replaced.text


@REPLACED
def test_a_breakpoint_stops_in_the_program_after_exec(replaced: Transcript) -> None:
    assert "is executing new program" in replaced.of("continue"), replaced.text
    assert re.search(r"hit Breakpoint 2, after_exec \(n=7\)", replaced.of("continue")), replaced.text


@REPLACED
def test_variables_after_exec(replaced: Transcript) -> None:
    assert replaced.of("info locals") == "m = 35"


@REPLACED
def test_the_stack_after_exec(replaced: Transcript) -> None:
    stack = r"#0  after_exec \(n=7\) at .*\n#1  <module> \(\) at .*again\.py:\d+ \[py\]"
    assert re.fullmatch(stack, replaced.of("jit bt", 1)), replaced.text


@REPLACED
def test_after_exec_the_functions_are_those_of_the_new_program(replaced: Transcript) -> None:
    assert re.fullmatch(r"after_exec\(int64\) .*", replaced.of("jit functions", 1)), replaced.text
    assert "with 1 function," in replaced.of("jit status")


@REPLACED
def test_after_exec_gdb_has_no_symbol_of_the_old_program(replaced: Transcript) -> None:
    assert "No symbol" in replaced.of("info symbol before_exec")


@REPLACED
def test_the_new_program_ends_as_it_would_without(replaced: Transcript) -> None:
    said = replaced.of("continue", 1)
    assert "exited normally" in said and "done" in said, replaced.text


FORKED = """\
import os, sys, time
from numba import njit


@njit(debug=True)
def foo(n):
    x = n + 1
    y = x * 2
    return x + y  # at: stop


if __name__ == "__main__":
    foo(1)
    time.sleep(1.5)  # the clock of the kernel counts seconds
    with open(__file__, "a") as stream:
        stream.write("# changed\\n")
    time.sleep(1.5)
    pid = os.fork()
    if pid:
        print(pid, flush=True)
        os.waitpid(pid, 0)
    else:
        while True:
            foo(1)
            time.sleep(0.05)
"""


def test_a_forked_childs_source_is_as_old_as_its_parent(tmp_path: pathlib.Path) -> None:
    """The file changed after the parent had compiled it, and before the fork, so it is not the source of that code."""
    program = tmp_path / "program.py"
    program.write_text(FORKED)
    with started(program) as (parent, line):
        pid = int(line)
        ask = "python from jitscope_gdb.target import sources, target; "
        ask += f"of = target.current(); print(sources.find(of, {str(program)!r}), sources.born(of))"
        done = harness.run([ask, "jit status"], pid=pid)
        found, born = done.of(ask).split()
        assert found == "None" and 0 < float(born) < program.stat().st_mtime, done.text
        assert f"forked from process {parent}: " in done.of("jit status"), done.text


POOL = """\
import multiprocessing, sys
from numba import njit


@njit(debug=True)
def square(n):
    return n * n


def work(n):
    import time
    square(n)
    time.sleep(120)


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    workers = [context.Process(target=work, args=(n,), daemon=True) for n in range(3)]
    for worker in workers:
        worker.start()
    print(*(worker.pid for worker in workers), flush=True)
    workers[0].join()
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_of_multiprocessing(tmp_path: pathlib.Path, method: str) -> None:
    program = tmp_path / "pool.py"
    program.write_text(POOL)
    with started(program, method) as (parent, line):
        workers = sorted(map(int, line.split()))
        family = status_of(harness.run(["jit status -json"], pid=workers[1]).of("jit status -json"))["family"]
        assert isinstance(family, dict)
        # A server of forks, and the tracker of resources, are processes of the same program, too.
        assert set(workers) - {workers[1]} <= set(family["siblings"]) and workers[1] not in family["siblings"]
        assert family["forked"] == (method != "spawn")
        assert (family["parent"]["pid"] == parent) == (method != "forkserver")
        assert not family["children"]
        text = harness.run(["jit status"], pid=parent).of("jit status")
        children = re.search(r"^children: ([\d, ]+)$", text, re.M)
        assert children, text
        if method != "forkserver":
            assert set(workers) <= set(map(int, children[1].split(", "))), text
        assert "forked from" not in text, text
