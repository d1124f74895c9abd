"""Debuggers that attach, and leave or are killed at any time while a parallel loop runs: the program's results are
right, its code is restored, and no process is left.

By hand, on each layer: `python -m tests.gdb.test_comings CYCLES [LAYER …]`."""

from __future__ import annotations

import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.processes import code_of, differences, zombies
from tests.gdb.threading_layers import NEEDS_TBB, env
from tests.interpreters import first_gdb, newest_python
from tests.minutes import MATRIX, MINUTES

PROGRAM = "rounds.py"
BODY = f"{PROGRAM}:{line_of(PROGRAM, 'body')}"
SECONDS = 20.0  # the goal is 2, and machines are shared
# The commands of a debugger before it leaves.
VISITS = [
    [],
    ["jit threads"],
    [f"break {BODY}", "continue", "next"],
    [f"jit tbreak {BODY} -once-per-worker", "continue", "continue"],
    [f"break {BODY} if i == 7", "continue", "delete", "step", "step"],
]


# Commands if the program has jitscope: no worker has come, some have, all have.
GATHERED = [
    [f"jit gather {BODY}"],
    ["jit gather start", "jit gather -next", f"jit gather {BODY}", "next"],
    [f"jit gather -timeout 0.01 {BODY}"],
    ["jit region -record", f"break {BODY}", "continue", "continue 3", "jit region -writes", "jit region -record off"],
]


class Program:
    """A program that runs the loop again and again, until it is asked to end, with the bytes of its code at the
    start."""

    def __init__(self, layer: str, level: str):
        command, pipe = [newest_python(), str(harness.PROGRAMS / PROGRAM)], subprocess.PIPE
        environment = harness.lean(env(layer, level))
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)
        self.visits = VISITS if level == "stock" else VISITS + GATHERED
        assert self.process.stdout is not None and self.process.stdout.readline() == "ready\n"
        self.code = code_of(self.process.pid)

    def problems(self) -> list[str]:
        if self.process.poll() is not None:
            return [f"it has ended with {self.process.returncode}"]
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        stopped = [line for line in status.splitlines() if re.match(r"State:\t[Tt]|TracerPid:\t[1-9]", line)]
        return stopped + differences(self.code, code_of(self.process.pid)) + list(map(str, zombies(self.process.pid)))

    def end(self, cycles: int) -> None:
        answer, _ = self.process.communicate("", timeout=30)
        rounds, wrong = map(int, answer.split())
        assert (wrong, self.process.returncode) == (0, 0) and rounds > cycles, answer


def come_and_go(layer: str, level: str, cycles: int, seed: int) -> None:
    chance, program = random.Random(seed), Program(layer, level)
    try:
        for number in range(cycles):
            time.sleep(chance.random() / 20)
            visit = chance.choice(program.visits)
            done = harness.run([*visit, "detach"], pid=program.process.pid)
            assert done.status == 0 and "detached" in done.of("detach"), (number, visit, done.text)
            assert program.problems() == [], (number, visit, done.text)
        program.end(cycles)
    finally:
        program.process.kill()
        program.process.communicate()


def be_killed(layer: str, level: str, cycles: int, seed: int, first: float = 0.1) -> float:
    """Kill GDB, from `first` seconds after its start on. Return the longest time for which the program was not all
    right."""
    chance, program, longest = random.Random(seed), Program(layer, level), 0.0
    try:
        for number in range(cycles):
            visit = chance.choice(program.visits)
            command = [first_gdb(), "-nx", "-q", "-batch"]
            for setting in harness.QUICK:
                command += ["-iex", setting]
            # as from .gdbinit: a GDB that is killed while it attaches, before it has read jitscope, is GDB alone
            command += ["-iex", f"source {harness.JITSCOPE}", "-p", str(program.process.pid)]
            for text in [*visit, "continue"]:
                command += ["-ex", text]
            pipe = subprocess.PIPE
            debugger = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.STDOUT)
            time.sleep(first + chance.random() * 1.5)
            debugger.kill()
            said, _ = debugger.communicate()
            start = time.monotonic()
            # a GDB that is killed between ptrace's attach and the SIGSTOP that it sends leaves the SIGSTOP
            if not said:
                program.process.send_signal(signal.SIGCONT)
            while (wrong := program.problems()) and time.monotonic() < start + SECONDS:
                time.sleep(0.02)
            assert wrong == [], (number, visit, wrong, said)
            longest = max(longest, time.monotonic() - start)
        program.end(cycles)
    finally:
        program.process.kill()
        program.process.communicate()
    return longest


def test_debuggers_come_and_go() -> None:
    come_and_go("workqueue", "steps", 2, 3)


@pytest.mark.parametrize(
    ("layer", "level"),
    [
        ("workqueue", "stock"),
        ("omp", "steps"),
        pytest.param("workqueue", "steps", marks=MINUTES),
        pytest.param("omp", "stock", marks=MINUTES),
        pytest.param("tbb", "stock", marks=[NEEDS_TBB, MINUTES]),
        pytest.param("tbb", "steps", marks=[NEEDS_TBB, MINUTES]),
    ],
)
def test_debuggers_are_killed(layer: str, level: str) -> None:
    be_killed(layer, level, 30 if MATRIX else 3, 4)


if __name__ == "__main__":
    for chosen in sys.argv[2:] or ("workqueue", "omp", "tbb"):
        for of in ("stock", "steps"):
            start, count = time.monotonic(), int(sys.argv[1])
            come_and_go(chosen, of, count, 1)
            longest = be_killed(chosen, of, count, 1)
            print(
                f"{chosen}, {of}: {count} debuggers have left, and {count} were killed, in "
                f"{time.monotonic() - start:.0f} s: right, at most {longest:.2f} s after",
                flush=True,
            )
