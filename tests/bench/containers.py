"""`print` of large containers, against GDB's own time for the same variable, raw."""

from __future__ import annotations

import pathlib

from .measure import Figure, Spread, in_turn
from .printing import open_at

PROGRAM = pathlib.Path(__file__).parent / "programs" / "containers.py"
# Variable: title, and the milliseconds beyond GDB's own print that it may take.
CASES = {
    "entries": ("first 200 of a typed.Dict of 10^6", 2.0),
    "words": ("200 of a typed.List of 10^5 str", 5.0),
    "array": ("first 200 of an array of 10^7", 1.0),
}


def measure(rounds: int) -> list[Figure]:
    line = next(n for n, text in enumerate(PROGRAM.read_text().splitlines(), 1) if text.endswith("# at: stop"))
    with open_at(line, True, [], PROGRAM) as session:

        def once(command: str, commas: int) -> float:
            session.execute("continue")  # the next call, at which the caches of the last stop are dropped
            found = session.time(command)
            if found["commas"] < commas or "<unknown" in found["text"] or "unreadable" in found["text"]:
                raise RuntimeError(f"{command}: {found['text']}")
            return float(found["seconds"])

        figures = []
        for name, (title, goal) in CASES.items():
            ways = {
                "ours": lambda name=name: once(f"print {name}", 199),
                "raw": lambda name=name: once(f"print -raw-values on -- {name}", 1),
            }
            samples = in_turn(ways, rounds, warm_up=2)
            beyond = Spread.of([1e3 * (ours - raw) for ours, raw in zip(samples["ours"], samples["raw"])])
            figures.append(
                Figure(
                    f"containers.{name}",
                    f"print {title}, beyond GDB's own",
                    "ms",
                    beyond,
                    goal=f"≤ {goal:g} ms",
                    met=beyond.median <= goal,
                    rounds=rounds,
                    notes=[f"print {Spread.of(samples['ours']).median * 1e3:.2f} ms in all"],
                )
            )
        return figures
