"""A debugger that is killed, or leaves, during a gathering: the program goes on, its results are right, and its code is
restored."""

from __future__ import annotations

import pathlib
import select
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest

from tests.gdb import harness
from tests.gdb.gathered import PROGRAM
from tests.gdb.harness import line_of
from tests.gdb.processes import code_of, differences, zombies
from tests.gdb.threading_layers import LIBRARIES
from tests.interpreters import first_gdb, newest_python
from tests.minutes import MATRIX

RESULT = "4.0 826.0 1240.0 1240.0\n"
LINE = f"{PROGRAM}:{line_of(PROGRAM, 'line')}"
LATE = f"{PROGRAM}:{line_of(PROGRAM, 'late')}"
SECONDS = 20.0  # from the kill to the end of the round; the goal is 2, and machines are shared
KILL = "shell kill -9 $PPID"
# What GDB does. "go": the program begins its round; "killed": GDB is killed while its last command waits.
STATES = [
    ("go", [f"jit gather {LINE}", "jit gather -next", "next", KILL]),
    ("go, killed", [f"jit gather {LATE}"]),  # three wait for the fourth
    ("killed, go", ["jit gather"]),  # no worker has come
    ("killed, go", [f"jit gather {LINE}"]),  # the code has its calls
    ("go", [f"jit gather {LINE}", "jit gather -next", "detach"]),
    # other threads have run into the breakpoint, and were stopped
    ("go", [f"break {LINE}", "continue", "continue", "continue", KILL]),
    ("killed, go", ["break mkfifo", "continue"]),  # nothing calls it
    # the code that restores the program's code must not run into these
    ("killed, go", ["break pread64", "break pwrite64", "continue"]),
]
if MATRIX:  # these workers are released like those at a line
    STATES += [("go", ["jit gather", KILL]), ("go", ["jit gather", "detach"])]  # the first gathering's table is shown


class Program:
    def __init__(self, folder: pathlib.Path, layer: str):
        self.rounds = [folder / f"{number}" for number in range(len(STATES))]
        env = {
            "NUMBA_THREADING_LAYER": layer,
            "NUMBA_NUM_THREADS": "4",
            "JITSCOPE_LEVEL": "exact",
            "JITSCOPE_STEPS": "foo,lined,late",
            "LD_LIBRARY_PATH": str(LIBRARIES),
        }
        command = [newest_python(), str(harness.PROGRAMS / PROGRAM), *map(str, self.rounds)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=harness.lean(env))
        assert self.line(60) == "ready\n"

    def line(self, seconds: float) -> str:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        return self.process.stdout.readline() if ready else ""


@pytest.fixture
def program(tmp_path: pathlib.Path) -> Iterator[Program]:
    started = Program(tmp_path, "workqueue")
    try:
        yield started
    finally:
        started.process.kill()
        started.process.communicate()


def test_debugger_goes(program: Program, record_property: pytest.RecordProperty) -> None:
    before, took = code_of(program.process.pid), []
    for path, (order, commands) in zip(program.rounds, STATES):
        gdb = [first_gdb(), "-nx", "-q", "-batch"]
        for setting in harness.QUICK:
            gdb += ["-iex", setting]
        gdb += ["-ex", f"source {harness.JITSCOPE}", "-p", str(program.process.pid)]
        attached = path.with_suffix(".attached")
        go = [f"shell touch {path}"] if order.startswith("go") else []
        for command in [f"shell touch {attached}", *go, *commands]:
            gdb += ["-ex", command]
        debugger = subprocess.Popen(gdb, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            if "killed" in order:
                wait_for_continue(debugger, program.process.pid, path if order.startswith("go") else attached)
                debugger.kill()
            said, _ = debugger.communicate(timeout=60)
        finally:
            debugger.kill()
            debugger.wait()
        start = time.monotonic()
        path.touch()
        assert debugger.returncode == (0 if "detach" in commands else -signal.SIGKILL), said
        if "killed" not in order:
            assert "workers are here" in said or "hit Breakpoint 1" in said, said
        assert program.line(SECONDS) == RESULT, (order, commands, said)
        took.append(time.monotonic() - start)
        assert differences(before, code_of(program.process.pid)) == [], (order, commands, said)
        assert zombies(program.process.pid) == []
    record_property("seconds", [round(each, 2) for each in took])
    print("seconds from the debugger's end to the round's:", *(f"{each:.2f}" for each in took))


def wait_for_continue(debugger: subprocess.Popen[str], pid: int, path: pathlib.Path) -> None:
    """Wait until the debugger, which has made this file, lets the program run, and its workers, if they run, wait for
    the late one. (A debugger that is killed while it attaches may leave the program stopped.)"""
    end = time.monotonic() + 60
    while time.monotonic() < end and debugger.poll() is None:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        if "TracerPid:\t0" not in status and "State:\tt" not in status and path.exists():
            break
        time.sleep(0.02)
    time.sleep(0.4)


def test_a_debugger_that_the_program_cannot_see() -> None:
    """The debugger is outside a container: the program's threads would look for it, find none, and take its breakpoints
    out."""
    program = "import time, jitscope; jitscope.breakpoint(); print('ready', flush=True); time.sleep(60)"
    inside = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", newest_python(), "-c", program]
    with subprocess.Popen(inside, stdout=subprocess.PIPE, text=True, start_new_session=True) as outer:
        try:
            assert outer.stdout is not None
            if outer.stdout.readline() != "ready\n":
                pytest.skip("a PID namespace may not be made here")
            (children,) = pathlib.Path(f"/proc/{outer.pid}/task").glob("*/children")
            done = harness.run(["jit gather start", "detach"], pid=int(children.read_text()))
        finally:
            harness.kill_session(outer)
    said = done.of("jit gather start")
    assert said.startswith("the program is in another PID namespace") and len(said.splitlines()) == 1, done.text
