"""`jit threads` with 256 workers of a parallel loop, wherever they are, against GDB's stacks of them."""

from __future__ import annotations

import contextlib
import pathlib
import time
from collections.abc import Iterator

from tests.gdb import harness

from . import gatherings
from .measure import Figure, compare, in_turn
from .session import Session

WORKERS = 256
MOST = 0.05  # seconds
FRAMES = 4  # frames from the called function to the loop's body
WHERE = {"idle": "idle", "body": "in the body", "called": "in a function that it calls", "gathered": "gathered"}
_PROGRAM = pathlib.Path(__file__).parent / "programs" / "threads.py"
# drops the caches, as a new stop does
_AGAIN = "python import jitscope_gdb.target.target as t; t.current().forget(t.STOP)"


def measure(rounds: int) -> list[Figure]:
    return [_measure(where, rounds) for where in WHERE]


@contextlib.contextmanager
def _session(where: str) -> Iterator[Session]:
    if where == "gathered":
        with gatherings.session(WORKERS, "asking", True) as session:
            session.execute("jit gather")
            yield session
        return
    env = {"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": str(WORKERS), "JITSCOPE": "0", "WORKERS": where}
    with harness.target(_PROGRAM, env=env) as pid:
        time.sleep(2)  # until all are there
        with Session(jitscope=True, pid=pid) as session:
            yield session


def _measure(where: str, rounds: int) -> Figure:
    with _session(where) as session:

        def ours() -> float:
            session.execute(_AGAIN)
            found = session.time("jit threads")
            if found["lines"] < WORKERS:
                raise RuntimeError(found["text"])
            return float(found["seconds"])

        def theirs() -> float:
            return float(session.time(f"thread apply all bt {FRAMES}")["seconds"])

        samples = in_turn({"ours": ours, "theirs": theirs}, rounds)
    title = f"jit threads with {WORKERS} workers, {WHERE[where]}"
    figure = compare(
        f"threads.{where}", title, "ms", samples["ours"], samples["theirs"], f"their bt {FRAMES}", scale=1e3
    )
    figure.goal, figure.met = f"≤ {MOST * 1e3:g} ms", figure.ours.median <= MOST * 1e3
    return figure
