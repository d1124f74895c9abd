"""fork and exec: what is known belongs to the right process and to the program that it runs."""

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
from tests.gdb.harness import line_of
from tests.interpreters import ROOT, gdbs, newest_python

FAMILY, AGAIN = "family.py", "again.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs().keys())
OPT0 = {"NUMBA_OPT": "0"}


def at(mark: str) -> str:
    return f"{FAMILY}:{line_of(FAMILY, mark)}"


def status_of(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text.splitlines()[-1])
    schema = json.loads((ROOT / "docs" / "schema" / "status.json").read_text())
    jsonschema.validate(found, schema)
    return found


@contextlib.contextmanager
def started(program: pathlib.Path, *arguments: str) -> Iterator[tuple[int, str]]:
    """(its pid, the first line that it writes)"""
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


@GDBS
def test_the_child_is_followed(gdb: str) -> None:
    """`jit bt` in the parent first: nothing that was read of it may be shown of the child."""
    commands = [
        "set follow-fork-mode child",
        f"break {at('shared')}",
        f"break {at('own')}",
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
    ]
    done = harness.run(commands, program=FAMILY, arguments=["wait"], env=OPT0, gdb=gdb)
    parent, child = done.of("jit bt"), done.of("jit bt", 1)
    assert "child ()" not in parent and "main ()" in parent, done.text
    assert re.search(r"#1  child \(\) .*\n#2  main \(\) ", child), done.text
    assert done.of("info locals") == "m = 11"
    forked = re.search(r"^forked from process (\d+): .*family\.py wait$", done.of("jit status"), re.M)
    assert forked, done.text
    found = status_of(done.of("jit status -json"))
    family = found["family"]
    assert isinstance(family, dict)
    assert family["forked"] and family["parent"]["pid"] == int(forked[1]) and not family["children"]
    assert str(found["process"]) != f"process {forked[1]}"
    assert done.of("info locals", 1) == "m = 40"
    assert re.search(r"^shared\(int64\)", done.of("jit functions"), re.M)
    assert re.search(r"^own\(int64\)", done.of("jit functions"), re.M)


@GDBS
def test_both_are_debugged(gdb: str) -> None:
    commands = [
        "set detach-on-fork off",
        "set schedule-multiple on",
        f"break {at('shared')}",
        f"break {at('own')}",
        f"break {at('parents')}",
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
    ]
    done = harness.run(commands, program=FAMILY, arguments=["wait"], env=OPT0, gdb=gdb, timeout=180)
    assert "(inferior 2 of 2)" in done.of("jit status") and "forked from process" in done.of("jit status"), done.text
    assert "(inferior 1 of 2)" in done.of("jit status", 1) and "children: " in done.of("jit status", 1), done.text
    assert "#1  child () " in done.of("jit bt", 1)
    assert done.of("info locals") == "m = 11"
    only_shared = done.of("jit functions")
    assert "shared(int64)" in only_shared and "own(" not in only_shared
    assert done.of("info locals", 1) == "m = 40"
    assert "own(int64)" in done.of("jit functions", 1)
    last = done.of("jit functions", 2)
    assert "parents(int64)" in last and "own(" not in last, done.text
    assert done.of("info locals", 2) in ("m = 90", "m = 3"), done.text
    assert "child ()" not in done.of("jit bt", 2) and "main ()" in done.of("jit bt", 2)


@GDBS
@pytest.mark.parametrize("randomized", ["on", "off"])
def test_exec_clears_what_is_known(gdb: str, randomized: str) -> None:
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
    done = harness.run(commands, program=AGAIN, env=OPT0, gdb=gdb)
    assert re.search(r"hit Breakpoint 1, before_exec \(n=1\)", done.of("run")), done.text
    assert "before_exec(int64)" in done.of("jit functions"), done.text
    assert "is executing new program" in done.of("continue"), done.text
    assert re.search(r"hit Breakpoint 2, after_exec \(n=7\)", done.of("continue")), done.text
    assert done.of("info locals") == "m = 35"
    stack = r"#0  after_exec \(n=7\) at .*\n#1  <module> \(\) at .*again\.py:\d+ \[py\]"
    assert re.fullmatch(stack, done.of("jit bt", 1)), done.text
    assert re.fullmatch(r"after_exec\(int64\) .*", done.of("jit functions", 1)), done.text
    assert "with 1 function," in done.of("jit status")
    assert "No symbol" in done.of("info symbol before_exec")
    assert "exited normally" in done.of("continue", 1) and "done" in done.of("continue", 1), done.text


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
    """The file changed after the parent had compiled it, and before the fork: it is not the source of that code."""
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
        # A server of forks, and the tracker of resources, are processes of the same program too.
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
