"""The stages of scripts/test, whose help describes them, and their sum."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import changed
import tracked

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.turns import QUICK_TESTS, TURN_PACKAGES, TURNS  # noqa: E402

usage = """\
Usage: scripts/test [--quick | --turn [K] | --changed [REF] | --only STAGE...] [--numba VERSION]... [--bare SCRIPT]
                    [--matrix] [-- PYTEST-ARGUMENT...]

Runs scripts/setup, then every stage, and closes with the line `N passed, N failed, N skipped`; the lines
before it name what was skipped, and why. The status is 0 when nothing failed.

  units      C units, built with warnings as errors
  sanitize   the same under the address and undefined-behaviour sanitizers (build-asan/)
  fuzz       each libFuzzer target of tests/fuzz on its corpus and 15 s further (--matrix: 60), beside what comes next
  format     clang-format
  tidy       clang-tidy on runtime/; minutes long, so only with --matrix or --only tidy
  ruff       ruff
  mypy       mypy --strict on runtime/python/jitscope, gdbext/jitscope_shared and gdbext/jitscope_source
  structure  scripts/structure: no measure of the code's structure is worse than it was
  words      scripts/words: comments and documents have none of the words that make them hard to read
  packages   functions of packages with the hook and without (scripts/packages); only with --matrix or --only packages,
             and with --turn two calls of one package
  readme, packaging, races, oracle, gdb, lldb, dap, scenarios, stories, stacks, report, attach
             pytest on tests/STAGE, all stages in one run, four tests at a time

  --oracle N       N generated programs at each level and optimisation under GDB, instead of the stages
  --quick          two minutes: units, format, ruff, mypy, structure, words, and a few tests of each part
                   (QUICK_TESTS in tests/turns.py)
  --turn [K]       what CI runs in a quarter of an hour: all stages, the tests of --quick, one package, and of
                   pytest's other tests a twelfth, the K-th from 0 on (default: by the number of commits: twelve
                   commits have all). Who changes something runs the whole before, or --changed
  --changed [REF]  what is about the files that are otherwise than where REF (default: HEAD, so what is not
                   committed; `main` for a whole branch) and HEAD parted, by the rules in scripts/changed.py: it prints
                   the stages and tests before it runs them, and a file that no rule is about fails. What a change
                   does elsewhere only the whole shows
  --only STAGE     only this one; may be given again
  --numba VERSION  also on that Numba (0.57, 0.61@3.12, debian; scripts/matrix makes it)
  --bare SCRIPT    also tests/packaging/bare.sh, which has scripts/demo, on a machine with nothing but Debian's
                   minimum: `SCRIPT COMMAND` makes it, and runs the command there in a clone of HEAD; skipped, with
                   the reason, where none can be made. Tests that show no more than it are left out
  --matrix         also on every GDB and Numba of scripts/matrix (each Numba on the first GDB, the newest on each),
                   the stacks of Python 3.14, 3.15 and of free-threaded ones, compiled the first time,
                   what takes minutes and is shown by shorter tests, too (`only with scripts/test --matrix` below),
                   and the bare Debian of tests/packaging, which takes root and debootstrap; an hour on two cores

The tests find in their environment
  JITSCOPE_INSPECT_LIBRARY   the C library
  JITSCOPE_GDBS              13=/usr/bin/gdb:16=…
  JITSCOPE_LLDBS             14=/usr/bin/lldb:19=…
  JITSCOPE_NUMBA_PYTHONS     newest=…/.venv/bin/python:0.57=…
  JITSCOPE_MATRIX            1 with --matrix
  JITSCOPE_BARE              1 with --bare, where the machine could be made
  JITSCOPE_TURN              the number of the turn with --turn
"""

WORKERS = "4"  # for two cores, as most tests wait at times, for a process or a terminal
# In the order in which their tests begin: no stage ends with a long test, and attach's tests are short.
PYTEST_STAGES = (
    "readme",
    "packaging",
    "races",
    "oracle",
    "gdb",
    "lldb",
    "dap",
    "scenarios",
    "stories",
    "stacks",
    "report",
    "attach",
)
SANITIZED = (
    "-Dstrict=true",
    "-Dfuzz=true",
    "-Db_sanitize=address,undefined",
    "-Db_lundef=false",
    "-Dbuildtype=debug",  # -O0 halves the compile time, and hides nothing from the sanitizers
)
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1:abort_on_error=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
}


@dataclass
class Tally:
    """The results of one stage or of all."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0  # the sum of its tests' times

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


@dataclass
class Options:
    matrix: bool
    numbas: list[str]
    pytest_arguments: list[str]
    environment: dict[str, str]
    tests: list[str] = field(default_factory=list)  # run instead of the stages' folders


def command(name: str) -> str:
    """Return the path of a program of .venv."""
    return str(ROOT / ".venv" / "bin" / name)


def check(name: str, *arguments: str, **environment: str) -> Tally:
    """Run a program whose status is its result; its output is shown only if it fails."""
    done = subprocess.run(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    if done.returncode == 0:
        return Tally(passed=1)
    lines = done.stdout.splitlines()
    print("\n".join(lines[-60:]))
    return Tally(failed=[name])


# --- C ------------------------------------------------------------------------------------------------

# The lines by which cmocka reports a test of a program.
CMOCKA = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\w+)", re.MULTILINE)


def meson_tests(stage: str, build: Path, environment: dict[str, str]) -> Tally:
    log = build / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    done = subprocess.run(
        [command("meson"), "test", "-C", str(build), "--no-rebuild", "--print-errorlogs", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment, "MESON_TESTTHREADS": "2"},
    )
    tally = Tally()
    if log.exists():
        for line in log.read_text("utf-8", "replace").splitlines():
            read_meson_test(stage, json.loads(line), tally)
    if done.returncode != 0:
        print(done.stdout)
        if not tally.failed:
            tally.failed.append(f"{stage}: meson test ended with status {done.returncode}")
    elif not (tally.passed or tally.skipped):
        tally.failed.append(f"{stage}: there is no unit test")
    return tally


def read_meson_test(stage: str, test: dict[str, str], tally: Tally) -> None:
    program = f"{stage}: {test['name'].split(' / ')[-1]}"
    output = f"{test.get('stdout', '')}\n{test.get('stderr', '')}"
    # cmocka names a failed test again in its summary.
    results = {name: result for result, name in CMOCKA.findall(output)}
    for name, result in results.items():
        if result == "OK":
            tally.passed += 1
        elif result == "SKIPPED":
            reason = re.search(rf"^(.*)\n\[ +SKIPPED +\] {name}\b", output, re.MULTILINE)
            known = reason is not None and not reason[1].startswith("[")
            tally.skipped.append((f"{program}.{name}", reason[1] if reason and known else "no reason given"))
        else:
            tally.failed.append(f"{program}.{name}")
    if test["result"] == "OK":
        tally.passed += 0 if results else 1
    elif test["result"] == "SKIP":
        if not results:
            tally.skipped.append((program, "the program said so"))
    elif "FAILED" not in results.values():
        tally.failed.append(f"{program} ({test['result']})")


def units(options: Options) -> Tally:
    return meson_tests("units", ROOT / "build", {})


def sanitized(stage: str) -> tuple[Path, Tally]:
    """Return build-asan/, compiled by clang, which has libFuzzer. It is made anew if it was made elsewhere, or by a
    meson that is gone."""
    build = ROOT / "build-asan"
    stamp, made_of = build / ".jitscope-stamp", f"{ROOT} {' '.join(SANITIZED)}"
    if not stamp.exists() or stamp.read_text() != made_of:
        shutil.rmtree(build, ignore_errors=True)
        made = check(f"{stage}: meson setup", command("meson"), "setup", str(build), *SANITIZED, CC="clang")
        if made.failed:
            return build, made
        stamp.write_text(made_of)
    return build, check(f"{stage}: compile", "ninja", "-j", "2", "-C", str(build))


def sanitize(options: Options) -> Tally:
    build, made = sanitized("sanitize")
    return made if made.failed else meson_tests("sanitize", build, SANITIZERS)


def fuzz(options: Options) -> Tally:
    names = sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "tests" / "fuzz").glob("fuzz_*.c"))
    build, made = sanitized("fuzz")
    if made.failed:
        return made
    total = Tally()
    with ThreadPoolExecutor(2) as pool:
        seconds = 60 if options.matrix else 15
        for tally in pool.map(lambda name: fuzz_target(name, build, seconds), names):
            total.add(tally)
    return total


def fuzz_target(name: str, build: Path, seconds: int) -> Tally:
    """Fuzz a target, first with each input of the corpus once; an input that fails stays in build-asan/."""
    program = str(build / "tests" / "fuzz" / f"fuzz_{name}")
    limits = ["-timeout=60", "-rss_limit_mb=2048", f"-artifact_prefix={build}/{name}-"]
    with tempfile.TemporaryDirectory() as corpus:
        shutil.unpack_archive(ROOT / "tests" / "fuzz" / "corpus" / f"{name}.zip", corpus)
        longest = 1 << 16 if name == "recorded" else 4096  # the record of one worker has 41 KB
        words = [*limits, f"-max_total_time={seconds}", f"-max_len={longest}", "-seed=1", corpus]
        return check(f"fuzz: {name}", "nice", program, *words, **SANITIZERS)


def clang_format(options: Options) -> Tally:
    return check("format", "clang-format", "--dry-run", "-Werror", *tracked.files(ROOT, "*.c", "*.h"))


def clang_tidy(options: Options) -> Tally:
    entries = json.loads((ROOT / "build" / "compile_commands.json").read_text("utf-8"))
    built = {os.path.realpath(Path(entry["directory"]) / entry["file"]) for entry in entries}
    sources = sorted(path for path in built if path.startswith(str(ROOT / "runtime") + "/"))
    if not sources:
        return Tally(failed=["tidy: no source in runtime/"])
    # Two batches run at a time, with a few files each.
    batches = [sources[i : i + 6] for i in range(0, len(sources), 6)]
    with ThreadPoolExecutor(2) as pool:
        clean = list(pool.map(tidy_batch, batches))
    return Tally(passed=1) if all(clean) else Tally(failed=["tidy"])


def tidy_batch(sources: list[str]) -> bool:
    done = subprocess.run(
        ["clang-tidy", "-p", "build", "--quiet", *sources],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    if done.returncode != 0:
        print(done.stdout, flush=True)
    return done.returncode == 0


# --- a bare machine -----------------------------------------------------------------------------------

BEGUN = "bare: the machine is there"  # the line that tests/packaging/bare.sh prints


class Bare:
    """The run of tests/packaging/bare.sh on a machine that the script makes, in parallel with the other stages."""

    def __init__(self, script: str, beside: ThreadPoolExecutor):
        self._begun = threading.Event()
        self._tally = beside.submit(self._run, script)

    def has_begun(self) -> bool:
        """Wait until the machine is there, or cannot be made."""
        while not self._tally.done() and not self._begun.wait(0.2):
            pass
        return self._begun.is_set()

    def tally(self) -> Tally:
        return self._tally.result()

    def _run(self, script: str) -> Tally:
        name = "bare: scripts/demo"
        if os.geteuid() != 0:
            return Tally(skipped=[(name, "it takes root to make a bare Debian")])
        lines: list[str] = []
        with subprocess.Popen(
            [script, "tests/packaging/bare.sh"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=ROOT,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines += [line.rstrip()] if line.strip() else []
                if line.rstrip() == BEGUN:
                    self._begun.set()
        if process.returncode == 0:
            return Tally(passed=1)
        if not self._begun.is_set():
            return Tally(skipped=[(name, f"no bare Debian can be made here: {lines[-1] if lines else script}")])
        print("\n".join(lines))
        return Tally(failed=[name])


# --- Python -------------------------------------------------------------------------------------------


def ruff(options: Options) -> Tally:
    return check("ruff", command("ruff"), "check", "--quiet", ".")


def mypy(options: Options) -> Tally:
    return check("mypy", command("python"), "-m", "mypy")


def pytest(stages: list[str], options: Options) -> dict[str, Tally]:
    """Run these stages in one run of pytest, so that none waits for the last test of another."""
    tallies = {stage: Tally() for stage in stages}
    report = ROOT / "build" / "pytest.xml"
    report.unlink(missing_ok=True)
    arguments = [
        command("python"),
        "-m",
        "pytest",
        "-q",
        "-n",
        WORKERS,
        "--dist",
        "loadgroup",
        f"--junitxml={report}",
        *(str(ROOT / test) for test in options.tests or (f"tests/{stage}" for stage in stages)),
    ]
    done = subprocess.run(
        arguments + options.pytest_arguments,
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, **options.environment},
    )
    if report.exists():
        read_junit(report, tallies)
    allowed = (0, 5) if options.pytest_arguments else (0,)  # 5: the caller's own selection has left no test
    if done.returncode not in allowed and not any(tally.failed for tally in tallies.values()):
        tallies[stages[0]].failed.append(f"{', '.join(stages)}: pytest ended with status {done.returncode}")
    return tallies


def read_junit(report: Path, tallies: dict[str, Tally]) -> None:
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        # The class name is tests.STAGE.….test_file; for a file that could not be imported, `name` has the path.
        words = (case.get("classname") or case.get("name") or "").split(".")
        stage = next((word for word in words[:2] if word in tallies), next(iter(tallies)))
        tally = tallies[stage]
        name = f"{stage}: {words[-1]}::{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed.append(name)
        elif (skip := case.find("skipped")) is not None:
            kind = "expected failure: " if skip.get("type") == "pytest.xfail" else ""
            tally.skipped.append((name, kind + (skip.get("message") or "no reason given")))
        else:
            tally.passed += 1
        tally.seconds += float(case.get("time") or 0)


def structure(options: Options) -> Tally:
    return measured("structure")


def words(options: Options) -> Tally:
    return measured("words")


def measured(name: str) -> Tally:
    """Run scripts/NAME.py. A measure above its limit fails, with the places; one below it is reported, so that its
    limit is lowered."""
    done = subprocess.run(
        [command("python"), f"scripts/{name}.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    )
    for line in done.stdout.splitlines():
        if done.returncode or "--write" in line:
            print(line, flush=True)
    return Tally(failed=[name]) if done.returncode else Tally(passed=1)


def packages(options: Options) -> Tally:
    """Check each package; one that is not installed is skipped."""
    text, tally = run_packages()
    print(text, end="", flush=True)
    return tally


def package_of_turn(turn: int) -> Tally:
    """Check some calls of one package, and print what it says only if it fails."""
    name = TURN_PACKAGES[turn % len(TURN_PACKAGES)]
    text, tally = run_packages("--jobs", "1", "--most", "2", name)
    if tally.failed:
        print(text, end="", flush=True)
    return tally


def run_packages(*arguments: str) -> tuple[str, Tally]:
    """Run scripts/packages. Return its text, and the results."""
    line = ["nice", str(ROOT / "scripts" / "packages"), *arguments]
    done = subprocess.run(line, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    lines = done.stdout.splitlines()
    tally = Tally(failed=["packages"] if done.returncode else [])
    for line in lines:
        if found := re.match(r"(\w+): skipped: (.*)", line):
            tally.skipped.append((f"packages: {found[1]}", found[2]))
        elif re.match(r"\w+: \d+ functions", line) and not done.returncode:
            tally.passed += 1
    return done.stdout, tally


# --- debuggers and Numbas for the tests ---------------------------------------------------------------


def matrix(*arguments: str) -> tuple[bool, str]:
    """Run scripts/matrix. Return whether it succeeded, and its last line."""
    done = subprocess.run(
        [str(ROOT / "scripts" / "matrix"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    )
    print(done.stdout, end="", flush=True)
    said = [line.removeprefix("matrix: ") for line in done.stdout.splitlines()]
    return done.returncode == 0, said[-1] if said else ""


# Debian's LLDB 14 writes this at each start, since its module for `script` is in another folder than it looks in; all
# but `script` works.
WITHOUT_SCRIPT = """\
Traceback (most recent call last):
  File "<string>", line 1, in <module>
ModuleNotFoundError: No module named 'lldb.embedded_interpreter'
"""


def lldb_errors(text: str) -> str:
    """Return what LLDB has written as errors, without WITHOUT_SCRIPT."""
    return text.replace(WITHOUT_SCRIPT, "")


def lldb_version(lldb: str) -> str:
    """Return the LLDB's first number, or "unknown"."""
    done = subprocess.run([lldb, "--version"], capture_output=True, text=True)
    sys.stderr.write(lldb_errors(done.stderr))
    version = re.search(r"^lldb version (\d+)", done.stdout, re.M)
    return version[1] if version else "unknown"


def lldbs(options: Options, tally: Tally) -> dict[str, str]:
    """Return the LLDBs by version: the one of PATH, and with --matrix a later one."""
    found: dict[str, str] = {}
    if lldb := shutil.which("lldb"):
        found[lldb_version(lldb)] = lldb
    if options.matrix:
        made, reason = matrix("lldb", "19")
        if made:
            found.setdefault("19", str(ROOT / ".matrix" / "lldb-19"))
        else:
            tally.skipped.append(("LLDB 19", reason))
    return found


def gdb_major(gdb: str) -> str:
    first = subprocess.run([gdb, "--version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    found = re.search(r"(\d+)\.\d+\S*$", first)
    return found[1] if found else "unknown"


def prepare(options: Options, tally: Tally) -> None:
    """Make the debuggers and Numbas that were requested, and pass them to the tests."""
    gdb = shutil.which("gdb") or "gdb"
    gdbs = {gdb_major(gdb): gdb}
    numbas: dict[str, str] = {}
    wanted = list(options.numbas)
    if options.matrix:
        for major in ("16", "18"):
            made, said = matrix("gdb", major)
            if made:
                gdbs.setdefault(major, str(ROOT / ".matrix" / f"gdb-{major}"))
            else:
                tally.skipped.append((f"GDB {major}", said))
        for version in ("3.14", "3.15", "3.14t", "3.13t"):  # tests/oracle/python_stacks/interpreters.py finds them
            made, said = matrix("python", version)
            if not made:
                tally.skipped.append((f"Python {version}", said))
        listed = subprocess.run([str(ROOT / "scripts" / "matrix"), "numbas"], stdout=subprocess.PIPE, text=True)
        wanted += listed.stdout.split()
    for label in dict.fromkeys(wanted):
        if label == "newest":
            continue
        made, said = matrix("numba", label)
        if made:
            python = ROOT / ".venvs" / f"numba-{label}" / "bin" / "python"
            numbas[label] = str(python)
        elif label in options.numbas:
            tally.failed.append(f"Numba {label}: {said}")
        else:
            tally.skipped.append((f"Numba {label}", said))
    # Tests that take only one Numba take the last one.
    numbas["newest"] = command("python")
    library = ROOT / "build" / "runtime" / "inspect" / "libjitscope-inspect.so"
    options.environment.update(
        JITSCOPE_INSPECT_LIBRARY=str(library),
        JITSCOPE_GDBS=":".join(f"{major}={path}" for major, path in gdbs.items()),
        JITSCOPE_LLDBS=":".join(f"{major}={path}" for major, path in lldbs(options, tally).items()),
        JITSCOPE_NUMBA_PYTHONS=":".join(f"{label}={path}" for label, path in numbas.items()),
        JITSCOPE_MATRIX="1" if options.matrix else "",
    )


def choose_changed(ref: str, options: Options, tally: Tally) -> list[str]:
    """Return the stages for the changed files, except pytest's, whose tests are added to the options."""
    found = changed.plan(changed.differing(ref))
    options.tests = sorted(found.tests)
    tally.failed += [f"{path}: scripts/changed.py has no rule for it" for path in found.unknown]
    print("== changed", *sorted(found.stages), *options.tests, sep="\n   ", flush=True)
    return [stage for stage in STAGES if stage in found.stages]


def commits() -> int:
    """Return the number of commits up to HEAD; 0 in a copy without git."""
    counted = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return int(counted.stdout) if counted.returncode == 0 else 0


def oracle(programs: int) -> Tally:
    """Run tests/oracle/hooked at each level and optimisation, and print each of its lines of figures."""
    tally = Tally()
    runs = [(level, opt, plain) for level in ("steps", "exact") for opt in "3210" for plain in (False, True)]
    runs += [("stock", opt, False) for opt in "310"]
    for level, opt, plain in runs:
        name = f"{level} at NUMBA_OPT={opt}" + (", GDB alone" if plain else "")
        print(f"-- {name}", flush=True)
        words = [
            command("python"),
            "-m",
            "tests.oracle.hooked",
            "--level",
            level,
            "--opt",
            opt,
            "--programs",
            str(programs),
        ]
        done = subprocess.run(words + ["--plain"] * plain + ["--check"], cwd=ROOT)
        if done.returncode == 0:
            tally.passed += 1
        else:
            tally.failed.append(f"oracle: {name}")
    return tally


STAGES: dict[str, Callable[[Options], Tally]] = {
    "units": units,
    "sanitize": sanitize,
    "fuzz": fuzz,
    "format": clang_format,
    "tidy": clang_tidy,
    "ruff": ruff,
    "mypy": mypy,
    "structure": structure,
    "words": words,
    "packages": packages,
}


def main() -> int:
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(prog="scripts/test", usage=usage.split("\n\n")[0].removeprefix("Usage: "))
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--quick", action="store_true")
    chosen.add_argument("--turn", nargs="?", type=int, const=-1, metavar="K")
    chosen.add_argument("--changed", nargs="?", const="HEAD", metavar="REF")
    chosen.add_argument("--only", action="append", choices=(*STAGES, *PYTEST_STAGES), metavar="STAGE")
    parser.add_argument("--numba", action="append", default=[], metavar="VERSION")
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--bare", type=os.path.abspath, metavar="SCRIPT")
    parser.add_argument("--oracle", type=int, default=0, metavar="N")
    given = parser.parse_args(own)
    # Tests import hundreds of files, many of them in each of their processes.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    options = Options(given.matrix, given.numba, rest, {})
    total = Tally()
    stages = given.only or [stage for stage in STAGES if given.matrix or stage not in ("tidy", "packages")]
    if given.quick:
        stages = [stage for stage in stages if stage not in ("sanitize", "fuzz")]
        options.tests = list(QUICK_TESTS)
    elif given.changed:
        stages = choose_changed(given.changed, options, total)
    elif not given.only:
        stages += PYTEST_STAGES
    if given.turn is not None:
        turn = (commits() if given.turn < 0 else given.turn) % TURNS
        options.environment["JITSCOPE_TURN"] = str(turn)
        print(f"== turn {turn} of 0 to {TURNS - 1}: beside the tests of --quick, those of this turn", flush=True)
    if given.quick or given.changed:
        stages += {test.split("/")[1] for test in options.tests}
    by_pytest = [stage for stage in PYTEST_STAGES if stage in stages]

    if given.oracle:
        stages, by_pytest = [], []
        total.add(oracle(given.oracle))
    with ThreadPoolExecutor(4) as beside:
        # Both download, while the C stages compile.
        bare = Bare(given.bare, beside) if given.bare else None
        prepared = beside.submit(prepare, options, total) if by_pytest else None
        fuzzed = package = None
        for stage in stages:
            if stage == "fuzz" and by_pytest:  # it takes minutes, and other tests wait at times
                fuzzed = beside.submit(fuzz, options)
            elif stage not in PYTEST_STAGES:
                print(f"== {stage}", flush=True)
                started = time.monotonic()
                tally = STAGES[stage](options)
                print(f"   {tally} ({time.monotonic() - started:.1f} s)", flush=True)
                total.add(tally)
        if prepared is not None:
            prepared.result()
        if by_pytest:
            package = beside.submit(package_of_turn, turn) if given.turn is not None else None
            options.environment["JITSCOPE_BARE"] = "1" if bare is not None and bare.has_begun() else ""
            print(f"== {', '.join(by_pytest)}", flush=True)
            started = time.monotonic()
            tallies = pytest(by_pytest, options)
            for stage, tally in tallies.items():
                print(f"   {stage}: {tally} ({tally.seconds:.0f} s of tests)", flush=True)
                total.add(tally)
            print(f"   in {time.monotonic() - started:.1f} s", flush=True)
        if fuzzed is not None:
            print(f"== fuzz\n   {fuzzed.result()}", flush=True)
            total.add(fuzzed.result())
        if package is not None:
            print(f"== packages\n   {package.result()}", flush=True)
            total.add(package.result())
        if bare is not None:
            print(f"== bare\n   {bare.tally()}", flush=True)
            total.add(bare.tally())

    if total.skipped:
        print("\nskipped:")
        for name, reason in total.skipped:
            print(f"  {name}: {reason}")
    if total.failed:
        print("\nfailed:")
        for name in total.failed:
            print(f"  {name}")
    print(f"\n{total}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
