"""Values that GDB shows where it has attached to a process that runs functions of a package, and in its core, against
those of the interpreter.

Usage: python -m tests.packages.stops.attached --python PYTHON [PACKAGE...]

An interrupt may be in the middle of a line. A value is right if the interpreter has it before or after that line, in
any execution of the line within the same call, and false otherwise. A frame whose line the interpreter does not run in
the call is judged by all lines of its function."""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from tests.interpreters import ROOT, first_gdb, newest_python
from tests.oracle.hooked.bindings import function_at
from tests.oracle.hooked.judge import KERNEL, LIES, OLDER, Shown, base_name, entries, verdict
from tests.oracle.hooked.run import record
from tests.oracle.truth.run import gdb_command
from tests.oracle.truth.values import CONTENT, EXACT, LABEL
from tests.packages.document import keep_stops
from tests.packages.runs import PACKAGES

from .__main__ import MOST, PROGRAMS, AsTheyAre

HERE = pathlib.Path(__file__).resolve().parent
READY = 300.0  # seconds until all is compiled


def states(truth: dict[str, Any], stop: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the variables before and after each execution of the stop's line in the call."""
    events = truth["calls"][stop["call"] - 1]["events"]
    name = function_at(truth["functions"], stop["line"])
    own = [event for event in events if event[0] == name]
    by_call: dict[int, list[Any]] = collections.defaultdict(list)
    for event in own:
        by_call[event[2]].append(event)
    found: list[dict[str, Any]] = []
    for of in by_call.values():
        for at, event in enumerate(of):
            if event[1] == stop["line"]:
                found += [one[3] for one in of[at : at + 2]]
    return found or [event[3] for event in own]


def verdicts(truth: dict[str, Any], stop: dict[str, Any]) -> Iterator[tuple[Shown, str]]:
    """Yield each variable with the best verdict of all states."""
    name = function_at(truth["functions"], stop["line"])
    known = set(truth["functions"][name]["names"]) if name else set()
    able = states(truth, stop)
    for item in entries(stop):
        if base_name(item.name) in known and able:
            every = [verdict(item, state.get(base_name(item.name)), False, True) for state in able]
            best = EXACT if EXACT in every else next((one for one in every if one not in LIES), every[0])
            yield item, OLDER if best == CONTENT and item.aged else best


def gdb_at(options: AsTheyAre, folder: pathlib.Path, config: dict[str, Any], arguments: list[str]) -> list[Any]:
    """Return the stops that GDB has noted, in a process or in its core."""
    out = folder / "stops.json"
    out.unlink(missing_ok=True)
    (folder / "config.json").write_text(json.dumps({**config, "out": str(out)}))
    command = [*gdb_command(options.gdb, True), *arguments, "-ex", f"source {HERE / 'interrupt.py'}"]
    command += ["-ex", "kill"] if "-p" in arguments else []
    env = options.environment(JITSCOPE_STOPS_CONFIG=str(folder / "config.json"))
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", timeout=280)
    if not out.exists():
        raise RuntimeError(f"GDB: {done.stdout[-1500:]} {done.stderr[-1500:]}")
    found: list[Any] = json.loads(out.read_text())
    return [stop for stop in found if stop is not None]


def observe(options: AsTheyAre, package: str) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """Return the truth, the stops after an attach, and the stop in a core of the first one."""
    with tempfile.TemporaryDirectory() as place:
        folder, name = pathlib.Path(place), f"stops_in_{package}"
        program = folder / f"{name}.py"
        program.write_text((PROGRAMS / f"{package}.py").read_text("utf-8"), "utf-8")
        truth = record(folder, [name], options)[name]
        if "unfit" in truth:
            raise RuntimeError(truth["unfit"])
        command = [options.python, str(HERE / "looping.py"), str(program), str(folder)]
        process = subprocess.Popen(command, env=options.environment(), stdout=subprocess.DEVNULL)
        try:
            clock, ends = folder / "clock", time.monotonic() + READY
            while not clock.exists() or not clock.read_text():
                if process.poll() is not None or time.monotonic() > ends:
                    raise RuntimeError("the process was not ready")
                time.sleep(0.1)
            config = {
                "file": truth["source"],
                "clock": int(clock.read_text()),
                "path": [str(ROOT / "tests" / "oracle" / "truth")],
                "most": MOST,
                "core": str(folder / "core"),
            }
            live = gdb_at(options, folder, config, ["-p", str(process.pid)])
        finally:
            process.kill()
            process.wait()
        core = gdb_at(options, folder, config, [options.python, str(folder / "core")]) if live else []
    return truth, live, core


def tell(package: str, truth: dict[str, Any], stops: list[Any], where: str) -> int:
    """Print the figures of these stops, and what is false; return how much is."""
    counts: collections.Counter[str] = collections.Counter()
    false = []
    for stop in stops:
        if KERNEL.search(stop["frame"]):
            counts["stops in a parallel loop's body, which are not judged"] += 1
            continue
        counts["stops"] += 1
        counts["stops at an instruction of the function's own"] += stop["is newest"]
        for item, found in verdicts(truth, stop):
            counts[f"{item.surface}: {found}"] += 1
            if found in LIES:
                false.append([stop["line"], stop["frame"], item.surface, item.name, item.text, found])
    if counts["stops"]:
        values = sum(counts[f"{at}: {what}"] for at in ("gdb", "json") for what in (EXACT, OLDER))
        labels = sum(counts[f"{at}: {LABEL}"] for at in ("gdb", "json"))
        figures = {"stops": counts["stops"], "values": values + len(false), "labels": labels, "false": len(false)}
        keep_stops(package, where, figures)
    print(f"  {where}: {json.dumps(dict(sorted(counts.items())))}")
    for each, count in collections.Counter(map(json.dumps, false)).items():
        print(f"    false, {count} times: {each[:400]}")
    return len(false)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.packages.stops.attached")
    parser.add_argument("--python", default=newest_python())
    parser.add_argument("--gdb", default=first_gdb())
    parser.add_argument("package", nargs="*", metavar="PACKAGE")
    given = parser.parse_args()
    status = 0
    for package in given.package or PACKAGES:
        if not (PROGRAMS / f"{package}.py").exists():
            continue
        print(f"{package}:")
        try:
            truth, live, core = observe(AsTheyAre(given.python, given.gdb, "steps", jobs=1), package)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"  {str(error)[-1500:]}")
            status = 1
            continue
        false = tell(package, truth, live, "attached") + tell(package, truth, core, "core")
        same = [one["shown"] for one in live[:1]] == [one["shown"] for one in core]
        print(f"  the core shows {'the same' if same else 'something else'}")
        status = 1 if false or not same or not live else status
        sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
