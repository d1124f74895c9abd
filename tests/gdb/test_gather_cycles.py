"""Workers that gather and go on again and again: every gathering is complete, and the program's results are right.

By hand, on each layer: `python -m tests.gdb.test_gather_cycles CYCLES [LAYER …]`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.processes import code_of, differences, zombies
from tests.gdb.threading_layers import NEEDS_TBB, env
from tests.interpreters import newest_python

PROGRAM = "rounds.py"
WORKERS = 8
# The places, one after the other: a line, which needs a breakpoint, and the beginning of each share, which needs none.
CYCLES = """python
import json
incomplete, others = [], 0
for number in range({cycles}):
    place = ("{line}", "-next", "start", "-next")[number % 4]
    said = gdb.execute("jit gather -json " + place, False, True)
    found = json.loads(next((line for line in said.splitlines() if line.startswith("{{")), "null"))
    if found is None or found["reason"] != "all" or len(found["workers"]) != found["expected"]:
        incomplete.append((number, found or said))
    elif found["expected"] != {workers}:
        others += 1
print("cycles:", json.dumps([incomplete, others]))
"""


def gather(layer: str, cycles: int) -> tuple[list[object], int]:
    """Return the gatherings that were not complete, and how many had fewer than all workers (some have ended their
    iterations)."""
    pipe = subprocess.PIPE
    command = [newest_python(), str(harness.PROGRAMS / PROGRAM)]
    environment = harness.lean(env(layer, "steps", WORKERS))
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        before = code_of(process.pid)
        text = CYCLES.format(cycles=cycles, workers=WORKERS, line=f"{PROGRAM}:{line_of(PROGRAM, 'body')}")
        done = harness.run([text, "detach"], pid=process.pid, timeout=60 + cycles)
        found = re.search(r"^cycles: (.*)$", done.text, re.M)
        assert found and not done.timed_out, done.text[-3000:]
        assert differences(before, code_of(process.pid)) == [] and zombies(process.pid) == []
        answer, _ = process.communicate("", timeout=30)
        rounds, wrong = map(int, answer.split())
        assert wrong == 0 and rounds > 0 and process.returncode == 0, answer
        incomplete, others = json.loads(found[1])
        return incomplete, others
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("layer", ["workqueue", "omp", pytest.param("tbb", marks=NEEDS_TBB)])
def test_every_meeting_is_complete(layer: str) -> None:
    incomplete, _ = gather(layer, 12)
    assert incomplete == []


if __name__ == "__main__":
    for chosen in sys.argv[2:] or ("workqueue", "omp", "tbb"):
        start = time.monotonic()
        bad, fewer = gather(chosen, int(sys.argv[1]))
        took = time.monotonic() - start
        print(f"{chosen}: {sys.argv[1]} cycles in {took:.0f} s: {len(bad)} incomplete, {fewer} of fewer workers", *bad)
