"""Values that stops in functions of packages show, against those of the interpreter.

Usage: python -m tests.packages.stops --python PYTHON [PACKAGE...]

Each package has a program in programs/: its CALLS run under GDB with jitscope's default settings and without a
decorator of the program's own. They run once before a breakpoint is set; then there is one at each line of the file
SOURCE that the interpreter runs in them, so that what has code is compiled again for stepping. The status is 1 where a
value, a place, a command or a result is false."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import sys
import tempfile

from tests.interpreters import NO_SCIPY, first_gdb, newest_python
from tests.oracle.hooked.judge import VERSION
from tests.oracle.hooked.run import Options, run_all
from tests.oracle.truth.values import LABEL
from tests.packages.document import keep_stops
from tests.packages.runs import PACKAGES, why_not_installed

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
MOST = 200  # stops of a package, at most


@dataclasses.dataclass
class AsTheyAre(Options):
    """Options with the default settings, and with SciPy, which packages use."""

    def environment(self, **extra: str) -> dict[str, str]:
        found = super().environment(**extra)
        found.pop("JITSCOPE_LEVEL", None)
        if found.pop("NUMBA_DISABLE_JIT", None):  # packages need their other functions compiled
            found["JITSCOPE"] = "0"
        found["PYTHONPATH"] = ":".join(one for one in found["PYTHONPATH"].split(":") if one != str(NO_SCIPY))
        return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.packages.stops")
    parser.add_argument("--python", default=newest_python())
    parser.add_argument("--gdb", default=first_gdb())
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what is false")
    parser.add_argument("package", nargs="*", metavar="PACKAGE")
    given = parser.parse_args()
    status = 0
    for package in given.package or PACKAGES:
        program = PROGRAMS / f"{package}.py"
        if not program.exists():
            print(f"{package}: no program for stops ({why_not_installed(given.python, package) or 'not written'})")
            continue
        texts = {f"stops_in_{package}": program.read_text("utf-8")}
        with tempfile.TemporaryDirectory() as cache:  # what comes from Numba's cache is not compiled for stepping
            options = AsTheyAre(given.python, given.gdb, "steps", jobs=1, most=MOST)
            options.extra = {"NUMBA_CACHE_DIR": cache}
            tally = run_all(texts, options)
        print(f"{package}: {json.dumps(tally.figures(), ensure_ascii=False)}")
        surfaces = ("gdb", "json")
        labels = sum(tally.verdicts[(where, what)] for where in surfaces for what in (LABEL, VERSION))
        figures = {"stops": tally.stops, "values": sum(map(tally.shown, surfaces)), "labels": labels}
        if tally.stops:
            keep_stops(package, "breakpoints", {**figures, "false": sum(tally.false().values())})
        for found in (*tally.lies, *tally.misplaced, *tally.differing, *tally.others):
            print(f"  {json.dumps(found, ensure_ascii=False)[:600]}")
        if given.keep:
            tally.keep(given.keep / package, texts)
        is_false = any(tally.false().values()) or tally.broken or not tally.stops
        status = status or int(bool(is_false))
        sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
