"""Usage: python -m tests.oracle.faults [--seed S] [--programs N] [--functions N] [--level lines|steps] [--absent]

Prints of how many generated faults the explanation is right, absent or false, and the false ones. Status 1: there are
false ones, or fewer than 90 % are right."""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile

from tests.oracle.faults import run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--functions", type=int, default=20, help="of each program")
    parser.add_argument("--level", choices=("lines", "steps"), default="lines")
    parser.add_argument("--absent", action="store_true", help="list the faults that are not explained, too")
    asked = parser.parse_args()
    counts = dict.fromkeys(run.OUTCOMES, 0)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.seed, asked.seed + asked.programs):
            for fault, outcome, said in run.outcomes(pathlib.Path(folder), seed, asked.functions, asked.level):
                counts[outcome] += 1
                if outcome == "false" or asked.absent and outcome != "right":
                    print(f"{outcome}: seed {seed}: {fault}\n    {said}")
            print(f"seed {seed}: " + ", ".join(f"{count} {name}" for name, count in counts.items()), flush=True)
    explained = sum(counts[name] for name in run.EXPLAINABLE)
    return int(counts["false"] > 0 or counts["right"] < 0.9 * explained)


if __name__ == "__main__":
    sys.exit(main())
