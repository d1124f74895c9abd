"""`jit why` gives the reason that holds, and advises only what helps."""

from __future__ import annotations

import functools

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "reasons.py"
# By level: the variables that are asked about at the marks, in this order, and then where it crashes.
WHY = {
    "steps": {"lifted": "o t", "stencil": "y", "again": "w", "loop": "s p"},
    "exact": {"stencil": "y", "loop": "s p"},
}


@functools.lru_cache
def session(level: str) -> Transcript:
    commands = [f"tbreak {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in WHY[level]]
    for number, names in enumerate(WHY[level].values()):
        commands += ["continue" if number else "run", *(f"jit why {name}" for name in names.split())]
    return harness.run(
        [*commands, "continue", "jit why c"],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": level, "NUMBA_BOUNDSCHECK": "0", "NUMBA_NUM_THREADS": "1"},
    )


def test_at_steps() -> None:
    """Nothing helps where the compiler keeps a variable at no level, and under GDB from the start no loop began before
    a debugger was there."""
    shown = session("steps")
    around = "o is optimized out: the function around this lifted loop assigns it, or the compiler removed what does"
    assert shown.of("jit why o") == around, shown.text
    waits = "w is optimized out: the generator does not keep it over a `yield`, or the compiler removed what assigns it"
    assert shown.of("jit why w") == waits, shown.text
    assert "no debugger was there" not in shown.text and "under the debugger" not in shown.text
    for name in ("t", "y", "s", "p", "c"):
        assert shown.of(f"jit why {name}").startswith(f"{name} is exact: "), shown.text


def test_at_exact() -> None:
    shown = session("exact")
    steps = "run the program with JITSCOPE_STEPS="
    assert shown.of("jit why s").startswith("s is optimized out: it is assigned in an innermost loop, "), shown.text
    reason, advice = shown.of("jit why y").splitlines()  # a stencil has no name that the compiler knows
    assert reason.endswith(": its loop runs at full speed, and keeps no variables"), shown.text
    assert advice == "run the program with JITSCOPE_LEVEL=steps", shown.text
    assert shown.of("jit why p").splitlines() == [
        "p is optimized out: the compiler removed what assigns it",
        f"{steps}__main__.uses, or write @jitscope.steps above its @njit",
    ], shown.text
    assert shown.of("jit why c").splitlines()[1:] == [f"{steps}impl"], shown.text  # it has no decorator
