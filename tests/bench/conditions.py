"""The cost of a hit whose condition is false: a condition that jitscope evaluates against one that GDB evaluates."""

from __future__ import annotations

import pathlib
import re

from tests.gdb import harness

from .measure import Figure, compare

PROGRAM = pathlib.Path(__file__).parent / "programs" / "hits.py"
HITS = 1000
THEIRS, OURS = "n == 7", "i in (-1, -2) or n < 0"


def measure(rounds: int) -> list[Figure]:
    file = PROGRAM.name
    commands = [
        "python import time",
        f"break {file}:{harness.line_of(PROGRAM, 'end')}",
        "run",
        f"break {file}:{harness.line_of(PROGRAM, 'line')}",
    ]
    for _ in range(rounds):
        for condition in (THEIRS, OURS):
            commands += [f"condition 2 {condition}", "python start = time.monotonic()", "continue"]
            commands += ["python print('SECONDS', time.monotonic() - start)"]
    seen = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "steps"}, timeout=600)
    samples = [float(text) for text in re.findall(r"^SECONDS (.*)$", seen.text, re.M)]
    if len(samples) != 2 * rounds:
        raise RuntimeError(seen.text[-2000:])
    return [
        compare(
            "conditions.hit",
            f"a hit where the condition is false: `{OURS}`",
            "ms",
            samples[1::2],
            samples[::2],
            f"`{THEIRS}`, which GDB evaluates",
            scale=1e3 / HITS,
            at_most=5.0,
        )
    ]
