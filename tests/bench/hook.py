"""The cost of the compiler hook: the speed of kernels at each level, against no debug information, Numba's own and
NUMBA_OPT=0; and the time, the objects and the memory of many small functions, against Numba's own."""

from __future__ import annotations

import functools
import json
import math
import pathlib
import subprocess
from collections.abc import Mapping
from typing import Any

from tests.gdb.harness import environment
from tests.interpreters import newest_python

from .measure import Figure, Spread, compare, in_turn

PROGRAMS = pathlib.Path(__file__).with_name("programs")
NONE, STOCK, EXACT, STEPS, OPT0 = "no debug info", "stock", "exact", "steps", "NUMBA_OPT=0"
LINES = "lines"  # compiled without debug information, with jitscope
WAYS: dict[str, tuple[str, dict[str, str]]] = {  # debug, environment
    NONE: ("0", {"JITSCOPE": "0"}),
    STOCK: ("1", {"JITSCOPE_LEVEL": "stock"}),
    EXACT: ("1", {"JITSCOPE_LEVEL": "exact"}),
    STEPS: ("1", {"JITSCOPE_LEVEL": "steps"}),
    OPT0: ("1", {"JITSCOPE_LEVEL": "stock", "NUMBA_OPT": "0"}),
}
KERNELS = (
    *("saxpy", "matmul", "n-body", "Collatz", "Mandelbrot", "stencil", "Floyd–Warshall", "strings, dict"),
    *("prange sum", "array expressions", "callee"),
)
CALLS = 7  # calls for a sample, which is the fastest of them
LIMITS = {EXACT: (1.05, 1.15), STEPS: (1.4, math.inf)}  # geometric mean, worst
COMPILE, SIZE, MEMORY = 1.25, 1.2, 1.2
LINES_COMPILE, LINES_SIZE, LINES_MEMORY = 1.08, 1.15, 1.05
CHUNK = 8  # functions in a sample: one of each form

functions = 160  # functions that are compiled; scripts/bench --functions


class Asked:
    """A program that answers lines."""

    def __init__(self, program: str, arguments: list[str], env: Mapping[str, str]) -> None:
        command = [newest_python(), str(PROGRAMS / program), *arguments]
        # otherwise threads that wait for work would use the processor
        env = {**environment(env), "NUMBA_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=env
        )

    def ask(self, *words: object) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\t".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline()
        if not said:
            raise RuntimeError(f"{self._process.args} ended with status {self._process.wait()}")
        return json.loads(said)

    def end(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


# -- speed


def kernels(rounds: int) -> list[Figure]:
    programs = {way: Asked("kernels.py", [debug], env) for way, (debug, env) in WAYS.items()}
    try:
        samples = {kernel: one(programs, kernel, rounds) for kernel in KERNELS}
        vectors = {kernel: {way: programs[way].ask("vectors", kernel) for way in WAYS} for kernel in KERNELS}
    finally:
        for program in programs.values():
            program.end()
    ratios = {way: {kernel: ratio(samples[kernel], way) for kernel in KERNELS} for way in WAYS}
    figures = []
    for way in (EXACT, STEPS, STOCK, OPT0):
        worst = LIMITS.get(way, (0, math.inf))[1]
        for kernel in KERNELS:
            limit = worst if way == EXACT else None
            ours, theirs = samples[kernel][way], samples[kernel][NONE]
            figures.append(
                compare(f"hook.{way}.{kernel}", f"{way}: {kernel}", "ms", ours, theirs, NONE, scale=1e3, at_most=limit)
                if limit
                else plain(f"hook.{way}.{kernel}", f"{way}: {kernel}", ours, theirs)
            )
        figures.append(summary(way, [ratios[way][kernel] for kernel in KERNELS], vectors))
    return figures


def one(programs: Mapping[str, Asked], kernel: str, rounds: int) -> dict[str, list[float]]:
    for program in programs.values():
        program.ask("time", kernel, 1)
    calls = {way: 1 if way == OPT0 else CALLS for way in WAYS}
    ways = {way: functools.partial(programs[way].ask, "time", kernel, calls[way]) for way in WAYS}
    return in_turn(ways, rounds)


def ratio(samples: Mapping[str, list[float]], way: str) -> float:
    """Return the median of the rounds' ratios."""
    return Spread.of([ours / theirs for ours, theirs in zip(samples[way], samples[NONE])]).median


def plain(name: str, title: str, ours: list[float], theirs: list[float]) -> Figure:
    figure = compare(name, title, "ms", ours, theirs, NONE, scale=1e3, at_most=math.inf)
    figure.goal, figure.met = "", None
    return figure


def summary(way: str, ratios: list[float], vectors: Mapping[str, Mapping[str, int]]) -> Figure:
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    worst = max(ratios)
    title = f"{way}: geometric mean of {len(ratios)} kernels, against {NONE}"
    figure = Figure(f"hook.{way}", title, "×", Spread(mean, min(ratios), worst))
    if way in LIMITS:
        most, most_worst = LIMITS[way]
        figure.goal = f"≤ {most:g}×" + (f", worst ≤ {most_worst:g}×" if most_worst < math.inf else "")
        figure.met = mean <= most and worst <= most_worst
    figure.notes = [f"the worst is {KERNELS[ratios.index(worst)]}, {worst:.2f}×"]
    lost = [kernel for kernel in KERNELS if vectors[kernel][NONE] and not vectors[kernel][way]]
    packed = [
        f"{kernel} {vectors[kernel][way]} of {vectors[kernel][NONE]}" for kernel in KERNELS if vectors[kernel][NONE]
    ]
    figure.notes.append(f"packed instructions, and with {NONE}: {', '.join(packed)}")
    figure.notes.append(f"vectorised with {NONE}, and not here: {', '.join(lost) or 'none'}")
    if way == EXACT:
        figure.met = bool(figure.met) and not lost
    return figure


# -- compile time, objects, memory


def many(_rounds: int) -> list[Figure]:
    """Compile each function once: there are as many rounds as functions, CHUNK at a time."""
    programs = {way: Asked("functions.py", [], WAYS[way][1]) for way in (STOCK, EXACT, STEPS)}
    programs |= {
        NONE: Asked("functions.py", ["plain"], WAYS[NONE][1]),
        LINES: Asked("functions.py", ["plain"], {"JITSCOPE_LEVEL": ""}),
    }
    answers: dict[str, list[dict[str, float]]] = {way: [] for way in programs}

    def compiled(way: str) -> float:
        answers[way].append(programs[way].ask("compile", CHUNK))
        return answers[way][-1]["seconds"]

    try:
        # The first of each form also compiles Numba's callees, and the hook's proof.
        ways = {way: functools.partial(compiled, way) for way in programs}
        samples = in_turn(ways, functions // CHUNK, warm_up=1)
        memory = {way: programs[way].ask("memory")["resident"] for way in programs}
    finally:
        for program in programs.values():
            program.end()
    sizes = {way: sum(each["bytes"] for each in found) / len(found) / CHUNK for way, found in answers.items()}
    first = {way: found[0]["seconds"] for way, found in answers.items()}
    figures: list[Figure] = []
    for way, peer, limits in (
        (LINES, NONE, (LINES_COMPILE, LINES_SIZE, LINES_MEMORY)),
        (EXACT, STOCK, (COMPILE, SIZE, MEMORY)),
        (STEPS, STOCK, None),
    ):
        at_most = limits or (COMPILE, SIZE, MEMORY)
        count = functions // CHUNK * CHUNK
        title = f"{way}: compiling a small function, of {count}"
        time = compare(
            f"hook.{way}.compile", title, "ms", samples[way], samples[peer], peer, scale=1e3 / CHUNK, at_most=at_most[0]
        )
        time.notes = [f"the first {CHUNK}, with what is done once: {first[way]:.2f} s, {peer} {first[peer]:.2f} s"]
        own = [
            time,
            exactly(f"hook.{way}.objects", f"{way}: object of a function", "KiB", sizes, (way, peer), at_most[1]),
            exactly(
                f"hook.{way}.memory", f"{way}: process with {count} functions", "MiB", memory, (way, peer), at_most[2]
            ),
        ]
        if limits is None:
            for figure in own:
                figure.goal, figure.met = "", None
        figures += own
    return figures


_UNITS = {"KiB": 1024, "MiB": 1 << 20}


def exactly(
    name: str, title: str, unit: str, found: Mapping[str, float], ways: tuple[str, str], at_most: float
) -> Figure:
    """Return a figure of one sample: of the first way, beside the second."""
    way, peer = ways
    return compare(name, title, unit, [found[way]], [found[peer]], peer, scale=1 / _UNITS[unit], at_most=at_most)
