"""Debuggers that come and go at any time while a parallel loop runs: it is right, has its code back, and leaves nobody.

By hand, on each layer: `python -m tests.gdb.test_comings CYCLES [LAYER …]`."""

from __future__ import annotations

import random
import subprocess
import sys
import time

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.test_gather_killed import code_of, differences, zombies
from tests.gdb.test_threads import env
from tests.interpreters import newest_python

PROGRAM = "rounds.py"
BODY = f"{PROGRAM}:{line_of(PROGRAM, 'body')}"
# What a debugger does before it leaves.
VISITS = [
    [],
    ["jit threads"],
    [f"break {BODY}", "continue", "next"],
    [f"jit tbreak {BODY} -once-per-worker", "continue", "continue"],
    [f"break {BODY} if i == 7", "continue", "delete", "step", "step"],
]


def come_and_go(layer: str, level: str, cycles: int, seed: int) -> None:
    chance, pipe = random.Random(seed), subprocess.PIPE
    command = [newest_python(), str(harness.PROGRAMS / PROGRAM)]
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=harness.lean(env(layer, level)))
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        before = code_of(process.pid)
        for number in range(cycles):
            time.sleep(chance.random() / 20)
            visit = chance.choice(VISITS)
            done = harness.run([*visit, "detach"], pid=process.pid)
            said = number, visit, done.text
            assert done.status == 0 and "detached" in done.of("detach"), said
            assert process.poll() is None and zombies(process.pid) == [], said
            assert differences(before, code_of(process.pid)) == [], said
        answer, _ = process.communicate("", timeout=30)
        rounds, wrong = map(int, answer.split())
        assert (wrong, process.returncode) == (0, 0) and rounds > cycles, answer
    finally:
        process.kill()
        process.communicate()


def test_debuggers_come_and_go() -> None:
    come_and_go("workqueue", "steps", 2, 3)


if __name__ == "__main__":
    for chosen in sys.argv[2:] or ("workqueue", "omp", "tbb"):
        for of in ("stock", "steps"):
            start = time.monotonic()
            come_and_go(chosen, of, int(sys.argv[1]), 1)
            print(f"{chosen}, {of}: {sys.argv[1]} cycles in {time.monotonic() - start:.0f} s: right")
