"""Exceptions that come through compiled functions: with the frames of these, against Numba's own tracebacks."""

from __future__ import annotations

import functools
import subprocess

from tests.gdb.harness import environment
from tests.interpreters import newest_python

from .measure import Figure, NotMeasured, compare, in_turn
from .stacks import PROGRAMS

PROGRAM = PROGRAMS / "raises.py"
GOAL = 20e-6  # seconds that an exception through five functions may take more
KNOWN, NUMBA = {"JITSCOPE": "", "JITSCOPE_LEVEL": "", "JITSCOPE_TRACEBACKS": "known"}, {"JITSCOPE": "0"}
# the environment, and the program's arguments
WAYS: dict[str, tuple[dict[str, str], list[str]]] = {
    "known": (KNOWN, []),
    "all": ({**KNOWN, "JITSCOPE_TRACEBACKS": "all"}, []),
    "calls": (KNOWN, ["calls"]),  # whose return addresses are read
    "Numba": (NUMBA, []),
    "Numba, calls": (NUMBA, ["calls"]),
}
AGAINST = {"known": "Numba", "all": "Numba", "calls": "Numba, calls"}


def run(way: str, returns: dict[str, list[float]]) -> float:
    """Return the seconds of an exception, and append those of a call without one."""
    own, arguments = WAYS[way]
    command = [newest_python(), str(PROGRAM), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(own))
    if done.returncode:
        raise NotMeasured(f"raises.py: {done.stderr.strip()[-200:]}")
    raised, returned = map(float, done.stdout.split())
    returns[way].append(returned)
    return raised


def measure(rounds: int) -> list[Figure]:
    returns: dict[str, list[float]] = {way: [] for way in WAYS}
    raised = in_turn({way: functools.partial(run, way, returns) for way in WAYS}, rounds)
    figures = []
    for way, other in AGAINST.items():
        figure = compare(
            f"raises.{way}", f"{way}: an exception through five functions", "µs", raised[way], raised[other], "Numba",
            scale=1e6,
        )  # fmt: skip
        more = max(ours - theirs for ours, theirs in zip(raised[way], raised[other]))
        figure.goal, figure.met = f"≤ {GOAL * 1e6:g} µs more", more <= GOAL
        figures.append(figure)
        figures.append(
            compare(
                f"raises.{way}.returns",
                f"{way}: a call that raises nothing",
                "ns",
                returns[way][-rounds:],
                returns[other][-rounds:],
                "Numba",
                scale=1e9,
            )  # fmt: skip
        )
    return figures
