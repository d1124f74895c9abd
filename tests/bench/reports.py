"""The report of a crash, beside faulthandler's and catchsegv's, on the same crashes: what is named, and the time to the
end of the process."""

from __future__ import annotations

import dataclasses
import functools
import re
import shutil
import subprocess
import time

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python

from .measure import Figure, compare, in_turn

PROGRAM = ROOT / "tests" / "report" / "programs" / "crashes.py"
KINDS = ("index", "overflow", "double_free", "cut_file")
# What is in the frames of each crash: the innermost own function, and a variable or argument of it or of its caller.
NAMES = {"index": "store", "overflow": "deeper", "double_free": "double_free", "cut_file": "cut_file"}
VALUES = {
    "index": r"index=1000000000",
    "overflow": r"number=\d{4,}",
    "double_free": r"block = \d",
    "cut_file": r"mapped = ",
}


@dataclasses.dataclass(frozen=True)
class Way:
    """One way to learn of a crash: what the command begins with, and its variables."""

    before: tuple[str, ...]
    variables: dict[str, str]


def ways() -> dict[str, Way]:
    found = {
        "jitscope": Way((), {"JITSCOPE": "", "JITSCOPE_LEVEL": ""}),
        "faulthandler": Way((), {"JITSCOPE": "0", "PYTHONFAULTHANDLER": "1"}),
        "nothing": Way((), {"JITSCOPE": "0"}),
    }
    if catcher := shutil.which("catchsegv"):
        found["catchsegv"] = Way((catcher,), {"JITSCOPE": "0"})
    return found


def crash(kind: str, way: str, given: Way, shown: dict[str, str]) -> float:
    """Return the seconds of the whole process."""
    code = f"import sys; sys.path.insert(0, {str(PROGRAM.parent)!r}); import crashes; crashes.only({kind!r}, {way!r})"
    env = {**environment(given.variables), "PYTHONPATH": str(ROOT / "runtime" / "python")}
    started = time.perf_counter()
    done = subprocess.run([*given.before, newest_python(), "-c", code], capture_output=True, text=True, env=env)
    seconds = time.perf_counter() - started
    shown[way] = done.stderr + done.stdout
    return seconds


def score(kind: str, text: str) -> str:
    """Return what of a crash a text has: the function, its file and line, a variable, and the cause."""
    name = re.search(rf"\b{NAMES[kind]}\b", text) is not None
    line = re.search(rf"{NAMES[kind]}[^\n]*\.py:\d+|\.py\", line \d+ in {NAMES[kind]}\b", text) is not None
    value = re.search(VALUES[kind], text) is not None
    cause = re.search(r"is outside axis|the stack overflowed|heap is damaged|double free|was cut", text) is not None
    words = (("function", name), ("line", line), ("variable", value), ("cause", cause))
    return ", ".join(word for word, is_there in words if is_there) or "nothing"


def measure(rounds: int) -> list[Figure]:
    figures = []
    for kind in KINDS:
        shown: dict[str, str] = {}
        given = ways()
        runs = {way: functools.partial(crash, kind, way, each, shown) for way, each in given.items()}
        samples = in_turn(runs, rounds)
        figures += [
            compare(f"report.{kind}", f"{kind}: to the end of the process", "ms", samples["jitscope"], samples[other],
                    other, scale=1e3)
            for other in given if other != "jitscope"
        ]  # fmt: skip
        figures[-1].notes += [f"{kind}, {way}: {score(kind, text)}" for way, text in shown.items()]
    return figures
