"""The time from numba.gdb() to GDB's prompt, Numba's own way and jitscope's, and the cost of the runtime without a
debugger."""

from __future__ import annotations

import pathlib

from tests.attach import terminal
from tests.gdb.harness import environment

from .measure import Figure, Spread, compare, in_turn, printed

PROGRAM = "b1.py"
MOST = 0.7  # seconds from the call to the prompt
# What the runtime may cost: title, unit, factor from the program's unit, goal.
COSTS = {
    "sentinel": ("jitscope.breakpoint() in a hot loop, no debugger", "ns", 1e9, 2.0),
    "condition": ("jitscope.breakpoint_if(false) in a hot loop", "ns", 1e9, 3.0),
    "load": ("import jitscope and its library, after Numba", "ms", 1e3, 5.0),
    "memory": ("memory of the runtime", "MB", 1e-6, 2.0),
}


def _to_prompt(jitscope: bool) -> float:
    found = terminal.play(PROGRAM, [], jitscope=jitscope)
    if found.timed_out or not found.of(terminal.CALL):
        raise RuntimeError(found.text)
    return found.seconds


def _cost() -> dict[str, float]:
    program = pathlib.Path(__file__).parent / "programs" / "runtime.py"
    return printed(program, environment())


def measure(rounds: int) -> list[Figure]:
    samples = in_turn({"ours": lambda: _to_prompt(True), "theirs": lambda: _to_prompt(False)}, rounds)
    title = "numba.gdb() to GDB's prompt"
    prompt = compare("attaching", title, "s", samples["ours"], samples["theirs"], "Numba's own")
    prompt.goal, prompt.met = f"≤ {MOST} s", prompt.ours.median <= MOST
    figures = [prompt]
    costs = [_cost() for _ in range(rounds)]
    for name, (title, unit, scale, most) in COSTS.items():
        ours = Spread.of([cost[name] for cost in costs]).times(scale)
        goal = f"≤ {most:g} {unit}"
        figures.append(Figure("attaching", title, unit, ours, goal=goal, met=ours.median <= most, rounds=rounds))
    return figures
