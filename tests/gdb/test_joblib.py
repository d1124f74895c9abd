"""Workers of joblib, forked (multiprocessing) and started anew (loky): each may have its own debugger."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import first_gdb, newest_python

POOLED = "pooled.py"
BACKENDS = pytest.mark.parametrize("backend", ["multiprocessing", "loky"])
PLACE = rf"at .*{POOLED}:{line_of(POOLED, 'if')}"
# If loky pickles `work` by its code, cloudpickle 3.1.3 gives its file this name.
WORK = rf"(?:.*{POOLED}|<dynamic-code>)"


def result(output: str) -> dict[str, Any]:
    """Return the program's result, on a line that the workers' GDBs may have begun, and may continue."""
    found: dict[str, Any] = json.JSONDecoder().raw_decode(output, output.index('{"'))[0]
    return found


def check_workers(found: dict[str, Any], logs: pathlib.Path) -> None:
    """Check that each worker ran as it would have alone, and that its log is that of a GDB of its own, which stopped in
    it once."""
    pids = [pid for pid, _, _ in found["workers"]]
    assert len({*pids, found["parent"]}) == 3
    for n, (pid, tracer, results) in enumerate(found["workers"], 1):
        assert tracer == 0 and results == [2 * n] * 3
        log = (logs / str(n)).read_text()
        assert re.findall(r"process (\d+) ", log) == [str(pid)], log
        assert re.search(r"^m = 2$" if n == 1 else r"^m = 4$", log, re.M), log
        assert re.search(rf"^#0  foo \(n={n}\) {PLACE}\n#1  work \(.*\) at {WORK}:\d+ \[py\]$", log, re.M), log


@BACKENDS
def test_each_worker_starts_its_own_debugger(backend: str, tmp_path: pathlib.Path) -> None:
    done = subprocess.run(
        [newest_python(), str(PROGRAMS / POOLED), backend, str(tmp_path)],
        env=harness.environment({"JITSCOPE_GDB": first_gdb()}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done
    check_workers(result(done.stdout), tmp_path)
    stopped = re.findall(rf"hit jitscope\.breakpoint\(\), foo \(n=(\d+)\) {PLACE}$", done.stdout, re.M)
    assert sorted(stopped) == ["1", "2"], done.stdout


@BACKENDS
def test_workers_of_a_debugged_program(backend: str, tmp_path: pathlib.Path) -> None:
    """The parent has a debugger already: it does not stop the workers, and they start their own."""
    done = harness.run(
        ["run", "info locals", "info inferiors", "jit status", "continue"],
        program=POOLED,
        arguments=[backend, str(tmp_path)],
        env={"JITSCOPE_GDB": first_gdb()},
    )
    stopped = done.of("run")
    assert re.search(rf"hit jitscope\.breakpoint\(\), foo \(n=100\) {PLACE}$", stopped, re.M), done.text
    assert done.of("info locals") == "m = 200"
    found = result(done.of("continue"))
    check_workers(found, tmp_path)
    assert re.findall(r"process (\d+) ", done.of("info inferiors")) == [str(found["parent"])], done.text
    assert "forked from" not in done.of("jit status")
    assert "exited normally" in done.of("continue"), done.text
