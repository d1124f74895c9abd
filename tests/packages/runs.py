"""One run: the calls of a package, made by a process of their own with a cache of its own."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.interpreters import NO_SCIPY, ROOT, first_gdb, with_hook

DEBUGGER = "debugger"
# Loops step as they do in a program that is debugged.
LEVELS: dict[str, dict[str, str]] = {
    "exact": {"JITSCOPE_LEVEL": "exact"},
    "steps": {"JITSCOPE_LEVEL": "steps", "JITSCOPE_LOOPS": "stepped"},
    "lines": {"JITSCOPE_DEBUG": "lines"},
    DEBUGGER: {"JITSCOPE_LOOPS": "stepped"},  # in GDB, without its extension: the level is chosen for each function
}
# The variables that give functions debug information: with the hook, and without.
DEBUG: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "all": ({"JITSCOPE_DEBUG": "all"}, {}),
    "numba": ({"NUMBA_DEBUGINFO": "1"}, {"NUMBA_DEBUGINFO": "1"}),
}
PACKAGES = (
    "stumpy", "quantecon", "librosa", "numbagg", "sparse", "umap", "fast_hdbscan", "numba_stats", "interpolation",
    "datashader", "vectorbt",
)  # fmt: skip
# The modules and the distributions of a package, where these are not its name alone.
_MODULES = {"umap": ("umap", "pynndescent")}
_DISTRIBUTIONS = {"umap": ("umap-learn", "pynndescent")}
NOT_INSTALLED = 77
LONGEST = 3000  # seconds
ALL = 1_000_000  # calls


def modules(package: str) -> tuple[str, ...]:
    return _MODULES.get(package, (package,))


def distributions(package: str) -> tuple[str, ...]:
    return _DISTRIBUTIONS.get(package, (package.replace("_", "-"),))


def why_not_installed(python: str, package: str) -> str:
    """Return what pip said when scripts/packages could not install the package, or an empty text."""
    said = Path(python).parent.parent / "not-installed" / package
    return said.read_text("utf-8").strip() if said.exists() else ""


@dataclass
class Run:
    """The outcomes of the calls of a package."""

    results: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    warnings: dict[str, str] = field(default_factory=dict)  # by call
    times: dict[str, float] = field(default_factory=dict)  # CPU seconds of a later call, by call
    compiling: float = 0.0  # CPU seconds in which the compiler's lock was held
    versions: dict[str, str] = field(default_factory=dict)  # by distribution
    numba: str = ""  # its version
    lowered: int = 0
    hooked: int = 0  # lowered functions with the hook's debug information
    functions: set[str] = field(default_factory=set)
    fast: set[str] = field(default_factory=set)
    codes: dict[str, list[str]] = field(default_factory=dict)
    fast_codes: set[str] = field(default_factory=set)
    bytes: int = 0  # size of all objects
    missing: str = ""  # why the package cannot be imported
    seconds: float = 0.0

    def add(self, compiled: dict[str, Any]) -> None:
        """Add the figures of Compiled.told()."""
        self.lowered += compiled["lowered"]
        self.hooked += compiled["hooked"]
        self.functions.update(compiled["functions"])
        self.fast.update(compiled["fast"])
        self.fast_codes.update(compiled["fast_codes"])
        self.bytes += compiled["bytes"]
        self.compiling += compiled["compiling"]
        self.versions.update(compiled["versions"])
        self.numba = compiled["numba"]
        for name, digests in compiled["codes"].items():
            self.codes.setdefault(name, []).extend(digests)


def names_in(file: str) -> set[str]:
    """Return the calls that are not to be made any more: those with a result in the file, and those to be left out."""
    lines = [line.split("\t") for line in Path(file).read_text("utf-8").splitlines()]
    return {words[1] for words in lines if words[0] in ("result", "skip")}


def environment(level: str | None, debug: str, cache: str) -> dict[str, str]:
    """Return the environment. `level`: None without the hook."""
    path = [entry for entry in with_hook()["PYTHONPATH"].split(":") if entry != str(NO_SCIPY)]  # packages use SciPy
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JITSCOPE", "NUMBA_"))}
    hooked, without = DEBUG[debug]
    return {
        **own,
        "PYTHONPATH": ":".join([*path, str(ROOT)]),
        "PYTHONHASHSEED": "0",
        "NUMBA_NUM_THREADS": "2",
        "NUMBA_CACHE_DIR": cache,
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "passive",  # threads that spin while they wait would count as time of the calls
        "OPENBLAS_NUM_THREADS": "1",
        **({"JITSCOPE": "0", **without} if level is None else {**hooked, **LEVELS[level]}),
    }


@dataclass
class Asked:
    """What is run of a package."""

    python: str
    package: str
    debug: str  # a key of DEBUG
    most: int = ALL  # calls, at most, spread over all of the package's
    is_timed: bool = False


def run(asked: Asked, level: str | None, left_out: Iterable[str] = ()) -> Run:
    """Run the package's calls. A call at which the process ends has that as its result; another process makes the
    others.

    `left_out`: calls that are not made."""
    python, package, found, started = asked.python, asked.package, Run(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file, cache = Path(folder, "lines"), Path(folder, "cache")
        cache.mkdir()
        file.write_text("".join(f"skip\t{name}\n" for name in left_out), "utf-8")
        command = [python, "-W", "ignore", "-m", "tests.packages.calls", package, str(file), str(asked.most)]
        command += ["timed"] * asked.is_timed
        if level == DEBUGGER:
            command = [first_gdb(), "-nx", "-q", "-batch", "-return-child-result", "-ex", "run", "--args", *command]
        while True:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                env=environment(level, asked.debug, str(cache)),
                timeout=LONGEST,
                cwd=folder,
            )
            if done.returncode == NOT_INSTALLED:
                found.missing = why_not_installed(python, package) or done.stderr.strip().splitlines()[-1]
                return found
            if done.returncode == 0:
                break
            begun = [line for line in file.read_text("utf-8").splitlines() if line][-1:]
            if not begun or not begun[0].startswith("begin\t"):
                raise SystemExit(f"{package} at {level}: status {done.returncode}: {done.stderr[-2000:]}")
            with file.open("a", encoding="utf-8") as lines:
                ended = f"the process ended with status {done.returncode}: {done.stderr[-200:]!r}"
                print("result", begun[0].partition("\t")[2], 0, ended, sep="\t", file=lines)
        for line in file.read_text("utf-8").splitlines():
            what, _, rest = line.partition("\t")
            if what == "result":
                name, count, result = rest.split("\t", 2)
                found.results[name], found.numbers[name] = result, int(count)
            elif what == "warned":
                name, found.warnings[name] = rest.split("\t", 1)
            elif what == "timed":
                name, time_of_call = rest.split("\t", 1)
                found.times[name] = float(time_of_call)
            elif what == "compiled":
                found.add(json.loads(rest))
    found.seconds = time.monotonic() - started
    return found
