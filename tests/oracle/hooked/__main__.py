"""python -m tests.oracle.hooked --level LEVEL --opt 0|1|2|3 --programs N --seed S [--plain] [--keep DIR] [FILE...]

With files, these programs in place of generated ones."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

from tests.interpreters import first_gdb, newest_python

from .bounds import broken
from .generate import PARALLEL
from .run import LEVELS, Options, generated, run_all


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="programs; a CALLS lists the calls of each")
    parser.add_argument("--level", choices=LEVELS, default="exact")
    parser.add_argument("--opt", default="3")
    parser.add_argument("--programs", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parallel", type=int, default=PARALLEL, help="programs in a hundred with a parallel function")
    parser.add_argument("--plain", action="store_true", help="GDB without the extension")
    parser.add_argument(
        "--loops", choices=("auto", "stepped", "plain"), default="auto", help="at steps: JITSCOPE_LOOPS"
    )
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the lies and their programs")
    parser.add_argument("--numba", default=newest_python(), help="the interpreter that has Numba")
    parser.add_argument("--gdb", default=first_gdb())
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="the status is 0 where the level's bounds are kept")
    parser.add_argument("--limit", type=int, default=25, help="lies to list")
    given = parser.parse_args()
    options = Options(given.numba, given.gdb, given.level, given.opt, given.plain, given.jobs)
    options.extra = {"JITSCOPE_LOOPS": given.loops}
    if given.files:
        texts = {file.stem: file.read_text("utf-8") for file in given.files}
    else:
        texts = generated(given.programs, given.seed, given.parallel)
    tally = run_all(texts, options)
    if given.keep:
        tally.keep(given.keep, texts)
    for name, figure in tally.figures().items():
        print(f"{name}: {json.dumps(figure, ensure_ascii=False)}")
    if tally.lies:
        print(tally.listing(given.limit))
    for found in tally.misplaced[: given.limit]:
        print(f"{found['program']}:{found['line']} {found['frame']}: {found['what']}")
    for found in tally.differing[: given.limit]:
        print(f"{found['program']}:{found['line']}: {str(found['differ'])[:400]}")
    for found in tally.others[: given.limit]:
        print(f"{found['program']}: other results: {found}")
    failed = broken(tally, given.level, given.opt, given.plain)
    print("broken promises: " + ("; ".join(failed) or "none"))
    return 1 if tally.broken or (failed if given.check else tally.lies) else 0


if __name__ == "__main__":
    sys.exit(main())
