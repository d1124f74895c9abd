"""Runs the calls of each package without the hook (twice), at `exact` and at `steps`, and compares the results."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.interpreters import NO_SCIPY, ROOT, newest_python, with_hook

PACKAGES = ("numbagg", "sparse", "quantecon")
REFERENCES = ("without", "again")  # what differs between these is no fault of the hook
LEVELS = {
    "without": {"JITSCOPE": "0"},
    "again": {"JITSCOPE": "0"},
    "exact": {"JITSCOPE_LEVEL": "exact", "JITSCOPE_DEBUG": "all"},
    "steps": {"JITSCOPE_LEVEL": "steps", "JITSCOPE_DEBUG": "all"},
}
NOT_INSTALLED = 77
LONGEST = 3000  # seconds for one package at one level


@dataclass
class Run:
    """What the calls of a package came to at a level."""

    results: dict[str, str] = field(default_factory=dict)
    compiled: str = ""
    missing: str = ""


def environment(level: str, cache: str) -> dict[str, str]:
    hook = with_hook()
    # Unlike the test's own programs, these packages use SciPy.
    path = [entry for entry in hook["PYTHONPATH"].split(":") if entry != str(NO_SCIPY)]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JITSCOPE", "NUMBA_"))}
    return {
        **own,
        "PYTHONPATH": ":".join([*path, str(ROOT)]),
        "PYTHONHASHSEED": "0",
        "NUMBA_NUM_THREADS": "2",
        "NUMBA_CACHE_DIR": cache,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **LEVELS[level],
    }


def run(python: str, package: str, level: str) -> Run:
    """A call at which the process ends has that as its result; the others are made by another process."""
    found = Run()
    with tempfile.TemporaryDirectory() as cache:
        while True:
            command = [python, "-W", "ignore", "-m", "tests.packages.calls", package]
            env = environment(level, cache)
            done = subprocess.run(
                command,
                input="\n".join(found.results),
                capture_output=True,
                text=True,
                env=env,
                timeout=LONGEST,
                cwd=cache,
            )
            if done.returncode == NOT_INSTALLED:
                found.missing = done.stderr.strip().splitlines()[-1]
                return found
            begun = ""
            for line in done.stdout.splitlines():
                what, _, rest = line.partition("\t")
                if what == "begin":
                    begun = rest
                elif what == "result":
                    name, _, result = rest.partition("\t")
                    found.results[name] = result
                    begun = ""
                elif what == "compiled":
                    found.compiled = rest
            if done.returncode == 0:
                return found
            if not begun:
                raise SystemExit(f"{package} at {level}: status {done.returncode}: {done.stderr[-2000:]}")
            found.results[begun] = f"the process ended with status {done.returncode}: {done.stderr[-200:]!r}"


def compare(package: str, runs: dict[str, Run]) -> int:
    """Say what was compared, and how many results differ."""
    reference = runs["without"].results
    unstable = [name for name in reference if reference[name] != runs["again"].results.get(name)]
    compared = [name for name in reference if name not in unstable]
    raised = sum(reference[name].startswith("raises ") for name in compared)
    functions = len({name.split(" ")[0] for name in compared})
    print(f"{package}: {functions} functions, {len(compared)} calls, {raised} of them raise")
    for name in unstable:
        print(f"  left out, differs without the hook, too: {name}")
    differing = 0
    for level in runs:
        if level in REFERENCES:
            continue
        found = runs[level].results
        other = [name for name in compared if found.get(name) != reference[name]]
        differing += len(other)
        print(f"  {level}: {len(other)} differ ({runs[level].compiled})")
        for name in other:
            print(f"    {name}\n      without: {reference[name][:300]}")
            print(f"      {level}: {found.get(name, 'nothing')[:300]}")
        if runs[level].compiled.startswith("0 "):
            print("    nothing was compiled with the hook")
            differing += 1
    return differing


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/packages")
    parser.add_argument("--python", default=newest_python())
    parser.add_argument("--level", action="append", choices=[level for level in LEVELS if level not in REFERENCES])
    parser.add_argument("package", nargs="*", metavar="PACKAGE")
    given = parser.parse_args()
    python = os.path.abspath(given.python)  # not resolved: a virtual environment is known by its link
    levels = [level for level in LEVELS if level in REFERENCES or not given.level or level in given.level]
    differing = 0
    for package in given.package or PACKAGES:
        if not (Path(__file__).parent / "calls" / f"of_{package}.py").exists():
            parser.error(f"{package} is none of {', '.join(PACKAGES)}")
        with ThreadPoolExecutor(2) as pool:
            runs = dict(zip(levels, pool.map(lambda level: run(python, package, level), levels)))
        missing = next((each.missing for each in runs.values() if each.missing), "")
        if missing:
            print(f"{package}: skipped: {missing}")
        else:
            differing += compare(package, runs)
        sys.stdout.flush()
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
