"""Usage: python -m tests.oracle.traps [--seed S] [--programs N] [--functions N] [--opt 0|3]

Prints for each generated program how many traps it has, and what is false of the stops or of the results. Status 1:
something is false."""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile

from tests.oracle.traps import run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--functions", type=int, default=15, help="of each program")
    parser.add_argument("--opt", choices=("0", "3"), default="3")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the programs")
    asked = parser.parse_args()
    total = false = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.seed, asked.seed + asked.programs):
            count, wrong = run.differences(asked.keep or pathlib.Path(folder), seed, asked.functions, asked.opt)
            total, false = total + count, false + bool(wrong)
            print(f"seed {seed}: {count} traps" + "".join(f"\n  {text}" for text in wrong), flush=True)
    print(f"{total} traps, {false} programs with something false")
    return int(false > 0)


if __name__ == "__main__":
    sys.exit(main())
