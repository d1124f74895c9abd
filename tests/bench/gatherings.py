"""`jit gather` of workers that come to one line, against a stop for each of them."""

from __future__ import annotations

import pathlib

from tests.gdb import harness

from .measure import Figure, compare
from .session import Session

MOST = {8: 0.005, 64: 0.015, 256: 0.060}  # seconds, by the number of workers
_PROGRAM = pathlib.Path(__file__).parent / "programs" / "gatherings.py"


def measure(rounds: int) -> list[Figure]:
    return [_measure(workers, rounds) for workers in MOST]


def _measure(workers: int, rounds: int) -> Figure:
    env = {"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": str(workers), "JITSCOPE_LEVEL": "steps"}
    with harness.target(_PROGRAM, env=env) as pid, Session(jitscope=True, pid=pid) as session:

        def ours() -> float:
            found = session.time("jit gather")
            if f"{workers} workers are here" not in found["text"]:
                raise RuntimeError(found["text"])
            return float(found["seconds"])

        def theirs() -> float:
            return sum(float(session.time("continue")["seconds"]) for _ in range(4)) * workers / 4

        # not in turn: who has stopped by itself, and has not been shown, would come first
        samples = [[way() for _ in range(rounds + 1)][1:] for way in (ours, theirs)]
    title = f"jit gather of {workers} workers"
    figure = compare(f"gather.{workers}", title, "ms", *samples, "a stop each", scale=1e3)
    figure.goal, figure.met = f"≤ {MOST[workers] * 1e3:g} ms", figure.ours.median <= MOST[workers]
    return figure
