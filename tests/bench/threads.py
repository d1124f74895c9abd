"""jit threads where 256 workers of a parallel loop are in a function that it calls, against GDB's stacks of them."""

from __future__ import annotations

import pathlib
import time

from tests.gdb import harness

from .measure import Figure, compare, in_turn
from .session import Session

WORKERS = 256
MOST = 0.05  # seconds
FRAMES = 4  # from the function that is called to the loop's body
_PROGRAM = pathlib.Path(__file__).parent / "programs" / "threads.py"
_AGAIN = "python import jitscope_gdb.target as t; t.current().forget(t.STOP)"  # as at a new stop


def measure(rounds: int) -> list[Figure]:
    env = {"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": str(WORKERS), "JITSCOPE": "0"}
    with harness.target(_PROGRAM, env=env) as pid:
        time.sleep(2)  # until all are there
        with Session(jitscope=True, pid=pid) as session:

            def ours() -> float:
                session.execute(_AGAIN)
                found = session.time("jit threads")
                if found["lines"] < WORKERS:
                    raise RuntimeError(found["text"])
                return float(found["seconds"])

            def theirs() -> float:
                return float(session.time(f"thread apply all bt {FRAMES}")["seconds"])

            samples = in_turn({"ours": ours, "theirs": theirs}, rounds)
    title = f"jit threads with {WORKERS} workers"
    figure = compare("threads", title, "ms", samples["ours"], samples["theirs"], f"their bt {FRAMES}", scale=1e3)
    figure.goal, figure.met = f"≤ {MOST * 1e3:g} ms", figure.ours.median <= MOST * 1e3
    return [figure]
