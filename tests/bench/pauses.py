"""How long a process rests while `jitscope stack` copies its stacks, by a clock within the process, beside the least
that any tool must do: stop the threads, copy registers and stacks, let go (programs/bare_pause.c)."""

from __future__ import annotations

import pathlib
import statistics
import subprocess
import tempfile
import time

from .measure import Figure, NotMeasured, Spread, compare
from .stacks import CROWDED, PROGRAMS, TITLES, Pauses, running

TIMES = 100
GOAL = 5e-3  # seconds, in the median


def build(folder: pathlib.Path) -> pathlib.Path:
    built = folder / "bare_pause"
    done = subprocess.run(["gcc", "-O2", str(PROGRAMS / "bare_pause.c"), "-o", built], capture_output=True, text=True)
    if done.returncode:
        raise NotMeasured(f"gcc does not compile bare_pause.c: {done.stderr.strip()[:200]}")
    return built


def p99(samples: list[float]) -> float:
    return statistics.quantiles(samples, n=100, method="inclusive")[98]


def one_kind(kind: str, folder: pathlib.Path) -> list[Figure]:
    from jitscope.stacks.taking import Stacks

    ours: list[float] = []
    bare: list[float] = []
    none: list[float] = []
    tool = build(folder)

    def rest(pauses: Pauses) -> float:
        time.sleep(0.02)
        return pauses.take()

    with running(kind, folder) as (_, process, pauses), Stacks(process.pid) as stacks:
        stacks.take()
        for _ in range(TIMES):
            rest(pauses)
            none.append(rest(pauses))
            stacks.take()
            ours.append(rest(pauses))
            subprocess.run([tool, str(process.pid)], check=True)
            bare.append(rest(pauses))
    figure = compare(
        f"pauses.{kind}.bare", f"{kind}: the target rests", "ms", ours, bare, "stop-copy-detach", scale=1e3, at_most=1.5
    )
    median = statistics.median(ours)
    own = Figure(f"pauses.{kind}", f"{kind}: the target rests", "ms", Spread.of(ours).times(1e3))
    own.goal, own.met, own.rounds = f"≤ {GOAL * 1e3:g} ms", median <= GOAL, TIMES
    own.notes = [
        f"{TITLES[kind]}; medians and 99th percentiles of {TIMES}, by the target's own clock: jitscope stack "
        f"{median * 1e3:.1f} and {p99(ours) * 1e3:.1f} ms, stop-copy-detach {statistics.median(bare) * 1e3:.1f} and "
        f"{p99(bare) * 1e3:.1f} ms; without a tool {statistics.median(none) * 1e3:.1f} and {p99(none) * 1e3:.1f} ms"
    ]
    if own.met:  # beyond the goal, the bare pause is the measure
        figure.goal, figure.met = "", None
    return [own, figure]


def measure(rounds: int) -> list[Figure]:
    figures: list[Figure] = []
    for kind in ("threads", "busy", CROWDED):
        with tempfile.TemporaryDirectory(prefix="jitscope-pauses-") as name:
            figures += one_kind(kind, pathlib.Path(name))
    return figures
