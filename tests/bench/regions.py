"""Parallel loops: with the runtime loaded and no debugger, against Numba alone; while workers gather; and who runs
what."""

from __future__ import annotations

import pathlib

from tests.gdb.harness import environment

from . import gatherings, threads
from .measure import Figure, Spread, compare, in_turn, printed

MOST = 1.02
CHUNK = 30.0  # nanoseconds
TIMES = 4  # pairs of processes in each round, since the addresses of a process's memory change the ratio by a tenth


def _run(jitscope: bool) -> dict[str, float]:
    program = pathlib.Path(__file__).parent / "programs" / "regions.py"
    # In one thread, because the waiting of threads for each other varies more than the measured time.
    env = environment({"JITSCOPE": "1" if jitscope else "0", "NUMBA_THREADING_LAYER": "omp", "NUMBA_NUM_THREADS": "1"})
    return printed(program, env)


def measure(rounds: int) -> list[Figure]:
    samples = in_turn({"ours": lambda: _run(True), "theirs": lambda: _run(False)}, TIMES * rounds)
    ours, theirs = samples["ours"], samples["theirs"]
    title = "a parallel loop of 100 000 turns, no debugger"
    loops = [[each["loop"] for each in one] for one in (ours, theirs)]
    loop = compare("regions", title, "µs", *loops, "Numba alone", scale=1e6, at_most=MOST)
    each = Spread.of([one["chunk"] - other["chunk"] for one, other in zip(ours, theirs)]).times(1e9)
    met = each.median <= CHUNK
    title = "recording one chunk of a schedule"
    chunk = Figure("regions", title, "ns", each, goal=f"≤ {CHUNK:g} ns", met=met, rounds=TIMES * rounds)
    return [loop, chunk, *gatherings.measure(rounds), *threads.measure(rounds)]
