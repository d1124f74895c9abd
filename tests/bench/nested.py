"""A stack that is full of calls of one function: `jit bt`, which counts them, against `bt -4` of GDB alone."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

from tests.gdb import harness
from tests.interpreters import newest_python

from .measure import Figure, compare, in_turn
from .session import Session

PROGRAM = harness.PROGRAMS / "nested_calls.py"
# Drops what jitscope has read since the program stopped.
FORGET = 'python import sys; sys.modules["jitscope_gdb.target.target"].current().forget("stop")'
COUNTED = re.compile(r"([\d,]+) more frames of walk")


def measure(rounds: int) -> list[Figure]:
    command = [newest_python(), str(PROGRAM), "walk"]
    with contextlib.ExitStack() as stack:
        ways: dict[str, Callable[[], float]] = {}
        sessions: dict[str, Session] = {}
        for name, text, jitscope in (("ours", "jit bt", True), ("theirs", "bt -4", False)):
            sessions[name] = stack.enter_context(
                Session(jitscope=jitscope, command=command, env={"JITSCOPE_LEVEL": ""}, timeout=900)
            )
            said = sessions[name].execute("run")
            if "SIGSEGV" not in said:
                raise RuntimeError(said)
            ways[name] = _timed(sessions[name], text, jitscope)
        samples = in_turn(ways, rounds, warm_up=0)
        shown = COUNTED.search(sessions["ours"].execute("jit bt"))
    if shown is None:
        raise RuntimeError("jit bt counts no frames")
    figure = compare(
        "nested", "jit bt, the stack full of calls", "s", samples["ours"], samples["theirs"], "bt -4", at_least=10
    )
    figure.notes = [f"{shown[1]} frames are counted"]
    return [figure]


def _timed(session: Session, text: str, jitscope: bool) -> Callable[[], float]:
    def once() -> float:
        for command in ("maint flush register-cache", "maint flush dcache", *[FORGET] * jitscope):
            session.execute(command)
        return float(session.time(text)["seconds"])

    return once
