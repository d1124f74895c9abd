"""`jit gather`, against a stop for each worker, and against GDB alone with one stop for all of them."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tests.gdb import harness

from . import report
from .measure import Figure, Spread, compare
from .session import Session

MOST = {8: 0.005, 64: 0.015, 256: 0.060}  # seconds, by the number of workers
_PROGRAM = pathlib.Path(__file__).parent / "programs" / "gatherings.py"
_SAMPLED = 4  # workers that are sampled for the stops of each worker
_TIMES = 4  # samples in each round

# What `jit gather` writes, for a GDB without jitscope (jitscope.h: jitscope_gather; the descriptor points to it).
_PLACE = "set $gather = *(unsigned long *)((char *)&__jitscope_descriptor + 144)"
_RELEASE = ("set *(unsigned int *)($gather + 48) += 1", "set *(unsigned int *)($gather + 8) = 0")
_ARM = (
    "set *(unsigned int *)($gather + 12) = 2",
    "set *(unsigned long *)($gather + 16) = 0",
    "set *(unsigned int *)($gather + 24) = 10000",
    "set *(unsigned int *)($gather + 8) = 1",
)
_REASON = "output *(unsigned int *)($gather + 28)"  # 1: all have come


class Samples(NamedTuple):
    seconds: list[float]
    processor: list[float]  # GDB's own processor time for them


def measure(rounds: int) -> list[Figure]:
    figures = []
    for workers in MOST:
        ours, line = _ours(workers, rounds, "asking", ""), _ours(workers, rounds, "plain", f" {_line()}")
        alone, each = _alone(workers, rounds)
        figures += [
            _figure(f"gather.{workers}", f"jit gather of {workers} workers", workers, ours, each),
            _figure(f"gather-line.{workers}", f"jit gather of {workers} workers at a line", workers, line, each),
        ]
        title, spread = f"GDB alone, one stop of {workers} workers", Spread.of(alone.seconds).times(1e3)
        figures.append(Figure(f"floor.{workers}", title, "ms", spread, rounds=rounds, notes=[_note(alone)]))
    return figures


def _figure(name: str, title: str, workers: int, ours: Samples, theirs: Samples) -> Figure:
    figure = compare(name, title, "ms", ours.seconds, theirs.seconds, "a stop each", scale=1e3)
    figure.goal, figure.met = f"≤ {MOST[workers] * 1e3:g} ms", Spread.of(ours.seconds).median <= MOST[workers]
    figure.notes.append(_note(ours))
    return figure


def _note(samples: Samples) -> str:
    return f"processor time of GDB {report.spread(Spread.of(samples.processor).times(1e3), 'ms')}"


def _line() -> str:
    marked = [n for n, line in enumerate(_PROGRAM.read_text().splitlines(), 1) if line.endswith("# at: line")]
    return f"{_PROGRAM.name}:{marked[0]}"


@contextlib.contextmanager
def session(workers: int, loop: str, jitscope: bool) -> Iterator[Session]:
    env = {"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": str(workers), "JITSCOPE_LEVEL": "steps"}
    with harness.target(_PROGRAM, env={**env, "GATHER": loop}) as pid, Session(jitscope=jitscope, pid=pid) as gdb:
        yield gdb


def _samples(rounds: int, sample: Callable[[], Mapping[str, float]]) -> Samples:
    found = [sample() for _ in range(_TIMES * rounds + 1)][1:]
    return Samples([each["seconds"] for each in found], [each["processor"] for each in found])


def _ours(workers: int, rounds: int, loop: str, place: str) -> Samples:
    with session(workers, loop, True) as gdb:
        gdb.execute(f"jit gather{place}")  # some workers may have been there before

        def sample() -> Mapping[str, float]:
            found = gdb.time(f"jit gather{place}")
            if f"{workers} workers are here" not in found["text"]:
                raise RuntimeError(found["text"])
            return found

        return _samples(rounds, sample)


def _alone(workers: int, rounds: int) -> tuple[Samples, Samples]:
    """Measure a GDB without jitscope: one stop for all, in the same program, and one for each."""
    with session(workers, "asking", False) as gdb:
        gdb.execute("break *jitscope_stopped")
        gdb.execute(_PLACE)

        def once() -> Mapping[str, float]:
            for command in (*_RELEASE, *_ARM):
                gdb.execute(command)
            found = gdb.time("continue")
            if gdb.execute(_REASON).strip() != "1":
                raise RuntimeError("the workers have not met")
            return found

        def each() -> Mapping[str, float]:
            found = [gdb.time("continue") for _ in range(_SAMPLED)]
            return {name: sum(one[name] for one in found) * workers / _SAMPLED for name in ("seconds", "processor")}

        # not in turn, because a worker that has stopped and was not shown would come first
        alone = _samples(rounds, once)
        for command in _RELEASE:
            gdb.execute(command)
        return alone, _samples(rounds, each)
