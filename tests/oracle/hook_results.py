"""Runs of programs with the hook and without it, and the comparison of their results."""

from __future__ import annotations

import pathlib
import subprocess

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python
from tests.minutes import MATRIX

CASES = ROOT / "tests" / "programs" / "results.py"
LEVELS = {"without": {"JITSCOPE": "0"}, "exact": {"JITSCOPE_LEVEL": "exact"}, "steps": {"JITSCOPE_LEVEL": "steps"}}


def started(level: str, opt: str, program: str, *arguments: str) -> subprocess.Popen[str]:
    own = {"NUMBA_OPT": opt, "NUMBA_NRT_STATS": "1", "NUMBA_NUM_THREADS": "1"}
    env = environment({**LEVELS[level], **own})
    pipe = subprocess.PIPE
    return subprocess.Popen([newest_python(), program, *arguments], stdin=pipe, stdout=pipe, text=True, env=env)


def cases(opt: str, *names: str, program: pathlib.Path = CASES) -> dict[str, list[list[str]]]:
    """Return by level the name and the result of each case, and the allocations and references that it leaves."""
    running = {level: started(level, opt, str(program), *names) for level in LEVELS}
    found = {}
    try:
        for level, process in running.items():
            said, _ = process.communicate(timeout=3600 if MATRIX else 300)
            assert process.returncode == 0, (level, said[-500:])
            found[level] = [line.split("\t") for line in said.splitlines()]
    finally:
        for process in running.values():
            process.kill()
    return found


def compare(opt: str, found: dict[str, list[list[str]]], least: int) -> None:
    without = found["without"]
    assert len(without) >= least
    for level in ("exact", "steps"):
        assert [case[:2] for case in found[level]] == [case[:2] for case in without]
        for (name, result, *left), (_, _, *most) in zip(found[level], without):
            # Numba leaks where an exception leaves a function, and with a generator that is not read to its end.
            assert [int(each) for each in left] <= [int(each) for each in most], (level, opt, name, result)
