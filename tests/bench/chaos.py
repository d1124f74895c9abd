"""The time that `print` takes when bytes of the variables' structures are flipped: the chaos test, for longer."""

from __future__ import annotations

import json
import pathlib
import re

from tests.gdb import harness
from tests.gdb.harness import line_of

from .measure import Figure, Spread

PROGRAM = "chaos.py"
FLIPS = 40  # for each round of the benchmark
GOAL = 50.0


def measure(rounds: int) -> list[Figure]:
    commands = [f"source {pathlib.Path(harness.__file__).parent / 'chaos.py'}"]
    commands += [f"break {PROGRAM}:{line_of(PROGRAM, 'native')}", "run", f"chaos {FLIPS * rounds} 11"]
    commands += [f"break {PROGRAM}:{line_of(PROGRAM, 'loose')}", "continue", f"chaos {FLIPS * rounds} 12", "kill"]
    seen = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "steps"}, timeout=1200)
    reports = [json.loads(text)["prints"] for text in re.findall(r"^CHAOS (.*)$", seen.text, re.M)]
    if len(reports) != 2:
        raise RuntimeError(seen.text[-2000:])
    figures = []
    for name, report in zip(("compiled code", "object mode"), reports):
        worst = report["worst"]
        figures.append(
            Figure(
                f"chaos.{name.split()[0]}",
                f"the longest `print` of flipped bytes, {name}",
                "ms",
                Spread.of([worst]),
                goal=f"≤ {GOAL:g} ms",
                met=worst <= GOAL,
                rounds=1,
                notes=[f"median {report['median']:.2f} ms of {report['count']}; the longest is `{report['of']}`"],
            )
        )
    return figures
