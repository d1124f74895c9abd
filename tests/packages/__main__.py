"""The calls of each package without the hook and with it, and the comparison of the results, the warnings and the code
of functions with fastmath flags; a table is at the end, or in docs/packages.md."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.interpreters import newest_python
from tests.packages.document import keep, write
from tests.packages.runs import ALL, DEBUG, DEBUGGER, LEVELS, PACKAGES, Asked, Run, run

USUAL = ("lines", "exact", "steps")
HEADER = (
    "package  functions  calls  numbers  differ at exact  at lines  "
    "at steps: fastmath  at steps: others  code  time  size"
)


@dataclass
class Comparison:
    """The comparison of a package, and the differences from the run without the hook."""

    package: str
    debug: str  # a key of DEBUG
    reference: Run
    levels: dict[str, Run]
    unstable: set[str] = field(default_factory=set)  # calls that differ without the hook, too
    differing: dict[str, list[str]] = field(default_factory=dict)  # calls by level
    fastmath: set[str] = field(default_factory=set)  # calls that differ only while such functions are at steps, too
    warned: dict[str, list[str]] = field(default_factory=dict)  # calls with other warnings, by level
    other_code: list[str] = field(default_factory=list)  # functions and constants that differ at exact
    seconds: float = 0.0

    def calls(self) -> list[str]:
        return [name for name in self.reference.results if name not in self.unstable]

    def numbers(self, calls: list[str]) -> int:
        return sum(self.reference.numbers[name] for name in calls)

    def others(self, level: str) -> list[str]:
        """Return the calls that differ at the level, and may not."""
        return [name for name in self.differing.get(level, ()) if level != "steps" or name not in self.fastmath]

    def is_empty(self) -> bool:
        """True if nothing was compiled with the hook. Functions with fastmath flags get debug information from it only
        if somebody asks for it, or for steps."""
        is_left_alone = self.debug == "all" and self.reference.functions == self.reference.fast
        levels = [found for level, found in self.levels.items() if level != "exact" or not is_left_alone]
        return any(found.lowered and not found.hooked for found in levels)

    def faults(self) -> int:
        differing = sum(len(self.others(level)) + len(self.warned[level]) for level in self.levels)
        return differing + len(self.other_code) + self.is_empty()


def other_code(reference: Run, found: Run, is_all: bool) -> list[str]:
    """Return the sections of functions that are not the same in both: of all functions, or of those with fastmath
    flags."""
    names = {*reference.codes, *found.codes} if is_all else reference.fast_codes | found.fast_codes
    return sorted(name for name in names if sorted(reference.codes.get(name, ())) != sorted(found.codes.get(name, ())))


def compare(asked: Asked, levels: list[str], jobs: int) -> Comparison | str:
    """Return why the package cannot be imported, or the comparison."""
    with ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(lambda level: run(asked, level), [None, *levels]))
    if missing := next((each.missing for each in runs if each.missing), ""):
        return missing
    found = Comparison(asked.package, asked.debug, runs[0], dict(zip(levels, runs[1:])))
    found.seconds = sum(each.seconds for each in runs)
    reference = found.reference.results
    for level, each in found.levels.items():
        found.differing[level] = [name for name in reference if each.results.get(name) != reference[name]]
        warned = found.reference.warnings
        found.warned[level] = [name for name in reference if each.warnings.get(name) != warned.get(name)]
    for level in ("exact", "lines"):
        if level in found.levels:
            found.other_code += other_code(found.reference, found.levels[level], level == "lines")
    suspect = {name for names in found.differing.values() for name in names}
    warned_otherwise = {name for names in found.warned.values() for name in names}
    if suspect or warned_otherwise or found.other_code:
        # A warning of the compiler is in the first call of a function, so that all calls are made again.
        is_whole = bool(found.other_code or warned_otherwise)
        again = run(asked, None, () if is_whole else set(reference) - suspect)
        found.seconds += again.seconds
        found.unstable = {name for name in suspect if again.results[name] != reference[name]}
        changing = other_code(found.reference, again, True) if found.other_code else ()
        found.other_code = [name for name in found.other_code if name not in changing]
        for name in warned_otherwise:
            if again.warnings.get(name) != found.reference.warnings.get(name):
                found.unstable.add(name)
        for level in found.levels:
            found.differing[level] = [name for name in found.differing[level] if name not in found.unstable]
            found.warned[level] = [name for name in found.warned[level] if name not in found.unstable]
    if (suspect := set(found.differing.get("steps", ()))) and found.reference.fast:
        # A debugger chooses steps for all functions except those.
        asked = found.levels.get(DEBUGGER) or run(asked, DEBUGGER, set(reference) - suspect)
        found.seconds += 0 if DEBUGGER in found.levels else asked.seconds
        found.fastmath = {name for name in suspect if asked.results[name] == reference[name]}
    return found


def tell(found: Comparison) -> None:
    """Print the lines of one package."""
    reference, calls = found.reference, found.calls()
    raised = sum(reference.results[name].startswith("raises ") for name in calls)
    print(
        f"{found.package}: {len(reference.functions)} functions, {len(reference.fast)} of them with fastmath flags; "
        f"{len(calls)} calls, {raised} of them raise; {found.numbers(calls)} numbers; {found.seconds:.0f} s"
    )
    for name in sorted(found.unstable):
        print(f"  left out, differs without the hook, too: {name}")
    for level, run_at in found.levels.items():
        others = found.others(level)
        fast = len(found.differing[level]) - len(others)
        allowed = f"; {fast} that call functions with fastmath flags do" if fast else ""
        print(f"  {level}: {len(others)} differ{allowed} ({run_at.hooked} of {run_at.lowered} with the hook's lines)")
        for name in others:
            print(f"    {name}\n      without: {reference.results[name][:300]}")
            print(f"      {level}: {run_at.results.get(name, 'nothing')[:300]}")
        for name in found.warned[level]:
            print(f"    other warnings: {name}\n      without: {reference.warnings.get(name, 'none')[:600]}")
            print(f"      {level}: {run_at.warnings.get(name, 'none')[:600]}")
    for name in found.other_code:
        print(f"  other code: {name}")
    if found.is_empty():
        print("  nothing was compiled with the hook at a level")


def measured(found: Comparison) -> dict[str, Any]:
    """Return the figures of a package for docs/packages.md."""
    reference, calls = found.reference, found.calls()
    timed = [name for name in calls if all(name in each.times for each in (reference, *found.levels.values()))]
    seconds = sum(reference.times[name] for name in timed)
    result: dict[str, Any] = {
        "versions": reference.versions,
        "numba": f"Numba {reference.numba}",
        "functions": len(reference.functions),
        "fastmath": len(reference.fast),
        "calls": len(calls),
        "raise": sum(reference.results[name].startswith("raises ") for name in calls),
        "warn": sum(reference.warnings.get(name, "[]") != "[]" for name in calls),
        "numbers": found.numbers(calls),
        "unstable": sorted(found.unstable),
        "compile seconds": reference.compiling,
        "run seconds": seconds,
        "bytes": reference.bytes,
        "other code": found.other_code,
        "levels": {},
    }
    for level, each in found.levels.items():
        others = found.others(level)
        result["levels"][level] = {
            "hooked": f"{each.hooked} of {each.lowered}",
            "differ": others,
            "differ by fastmath": [name for name in found.differing[level] if name not in others],
            "exceptions differ": [name for name in others if has_raised(reference, name) or has_raised(each, name)],
            "warnings differ": found.warned[level],
            "compile": each.compiling / reference.compiling if reference.compiling else None,
            "run": sum(each.times[name] for name in timed) / seconds if seconds else None,
            "size": each.bytes / reference.bytes if reference.bytes else None,
        }
    return result


def has_raised(run_at: Run, name: str) -> bool:
    return run_at.results.get(name, "").startswith(("raises ", "the process ended"))


def row(found: Comparison) -> list[str]:
    def differing(calls: list[str], level: str) -> str:
        return f"{len(calls)} ({found.numbers(calls)})" if level in found.levels else "-"

    fast = [name for name in found.differing.get("steps", ()) if name in found.fastmath]
    compared = len(found.reference.codes if "lines" in found.levels else found.reference.fast_codes)
    code = f"{len(found.other_code)} of {compared}" if {"exact", "lines"} & found.levels.keys() else "-"
    ratios = [f"{run_at.seconds / found.reference.seconds:.2f}" for run_at in found.levels.values()]
    sizes = [f"{run_at.bytes / max(found.reference.bytes, 1):.2f}" for run_at in found.levels.values()]
    return [
        found.package,
        str(len(found.reference.functions)),
        str(len(found.calls())),
        str(found.numbers(found.calls())),
        differing(found.others("exact"), "exact"),
        differing(found.others("lines"), "lines"),
        differing(fast, "steps"),
        differing(found.others("steps"), "steps"),
        code,
        "/".join(ratios),
        "/".join(sizes),
    ]


def table(rows: list[list[str]]) -> None:
    """Print the table: calls that differ, in brackets the numbers that they return; and the functions and constants of
    the code."""
    lines = [HEADER.split("  "), *rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/packages")
    parser.add_argument("--python", default=newest_python())
    parser.add_argument("--level", action="append", choices=list(LEVELS))
    parser.add_argument("--debug", choices=list(DEBUG), default="all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=ALL, help="calls of a package, at most, spread over all of them")
    parser.add_argument("--write-table", action="store_true", help="write docs/packages.md, with times")
    parser.add_argument("package", nargs="*", metavar="PACKAGE")
    given = parser.parse_args()
    python = os.path.abspath(given.python)  # not resolved, because a virtual environment is known by its link
    levels = list(dict.fromkeys(given.level or USUAL))
    rows, faults = [], 0
    for package in given.package or PACKAGES:
        if not (Path(__file__).parent / "calls" / f"of_{package}.py").exists():
            parser.error(f"{package} is none of {', '.join(PACKAGES)}")
        asked = Asked(python, package, given.debug, given.most, given.write_table)
        found = compare(asked, levels, given.jobs)
        if given.write_table:
            keep(package, found if isinstance(found, str) else measured(found))
        if isinstance(found, str):
            print(f"{package}: skipped: {found}")
        else:
            tell(found)
            rows.append(row(found))
            faults += found.faults()
        sys.stdout.flush()
    if rows:
        table(rows)
    if given.write_table:
        write()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
