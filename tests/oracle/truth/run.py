"""The run of a program as Python and under one GDB, and the alignment of the two."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import tempfile
from typing import Any

from tests.gdb.harness import LIGHT, QUICK
from tests.interpreters import NO_SCIPY

from .align import Matched, align
from .values import CONTENT, EXACT, LABEL, OPAQUE, WRONG

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS = ROOT / "tests" / "programs"
JITSCOPE = ROOT / "gdbext" / "jitscope.py"
PHASES = ("breaks", "step")


@dataclasses.dataclass
class Options:
    """The options of an observation."""

    python: str
    gdb: str = "gdb"
    opt: str = "3"
    jitscope: str | None = None  # the file to source, or None for GDB alone
    phases: tuple[str, ...] = PHASES
    per_line: int = 12
    per_function: int = 80
    timeout: float = 240.0


@dataclasses.dataclass
class Result:
    """The figures of a function; `wrong` and `content` list (phase, line, visit state, Shown)."""

    function: str
    opt: str
    stops: int = 0
    stray: int = 0
    shown: int = 0
    exact: int = 0
    labelled: int = 0
    opaque: int = 0
    mislabelled: int = 0
    available: int = 0
    assigned: int = 0
    lines: set[int] = dataclasses.field(default_factory=set)
    executed: set[int] = dataclasses.field(default_factory=set)
    wrong: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    content: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    def add(self, match: Matched, program: str) -> None:
        self.stops += 1
        self.available += match.available
        self.assigned += match.assigned
        if match.event is None:
            self.stray += 1
        else:
            self.lines.add(match.stop["line"])
        for item in match.values:
            if item.verdict == LABEL:
                self.labelled += 1
            elif item.verdict == OPAQUE:
                self.opaque += 1
            elif item.verdict == "mislabel":
                self.mislabelled += 1
            else:
                self.shown += 1
                self.exact += item.verdict == EXACT
            if item.verdict in (WRONG, CONTENT, "mislabel"):
                entry = {
                    "function": match.stop["function"],
                    "at": f"{program}:{match.stop['line']}",
                    "opt": self.opt,
                    "phase": match.stop["phase"],
                    "stray": match.event is None,
                    "event": match.state,
                    "pc": hex(match.stop["pc"]),
                    "surface": item.surface,
                    "name": item.name,
                    "shown": item.text,
                    "true": item.truth,
                    "how": item.how or item.verdict,
                }
                (self.content if item.verdict == CONTENT else self.wrong).append(entry)


def programs() -> list[pathlib.Path]:
    return sorted(PROGRAMS.glob("truth_*.py"))


def environment(**extra: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON"))}
    return {**kept, "PYTHONPATH": f"{HERE}:{NO_SCIPY}", "NUMBA_DISABLE_PERFORMANCE_WARNINGS": "1", **extra}


def gdb_command(gdb: str, jitscope: bool) -> list[str]:
    command = [gdb, "-nx", "-batch", *(word for setting in QUICK for word in ("-iex", setting))]
    return [*command, *LIGHT, "-ex", f"source {JITSCOPE}"] if jitscope else command


def run(command: list[str], env: dict[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    """Run the command in a process group of its own, so that a timeout ends GDB and its inferior."""
    process = subprocess.Popen(
        command,
        env=env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        errors="replace",
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += f"\n[timed out after {timeout:.0f} s]"
    return subprocess.CompletedProcess(command, process.returncode, output)


def record(program: pathlib.Path, names: list[str], options: Options) -> dict[str, Any]:
    """Return the Python run's events."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "events.json"
        command = [options.python, str(HERE / "record.py"), str(program), str(out), *names]
        done = run(command, environment(NUMBA_DISABLE_JIT="1"), 60)
        if done.returncode:
            raise RuntimeError(f"{program.name} as Python: {done.stdout[-2000:]}")
        return json.loads(out.read_text())


def observe(program: pathlib.Path, names: list[str], truth: dict[str, Any], options: Options) -> list[dict[str, Any]]:
    """Return the stops of the compiled run."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "stops.json"
        config = {
            "program": str(program),
            "lines": sorted({event["line"] for event in truth["events"]}),
            "functions": {name: entry["first"] for name, entry in truth["functions"].items()},
            "phases": list(options.phases),
            "per_line": options.per_line,
            "per_function": options.per_function,
            "jitscope": options.jitscope is not None,
            "out": str(out),
        }
        file = pathlib.Path(folder) / "config.json"
        file.write_text(json.dumps(config))
        command = gdb_command(options.gdb, options.jitscope is not None)
        command += ["-ex", f"source {HERE / 'observe.py'}", "--args"]
        command += [options.python, str(HERE / "debuggee.py"), str(program), str(len(options.phases)), *names]
        env = environment(NUMBA_OPT=options.opt, JITSCOPE_TRUTH_CONFIG=str(file))
        done = run(command, env, options.timeout)
        found = json.loads(out.read_text()) if out.exists() else {"stops": [], "called": []}
        stops: list[dict[str, Any]] = found["stops"]
        if options.jitscope and found["called"]:
            raise RuntimeError(f"{program.name}: to show a value, GDB called {', '.join(set(found['called']))}")
        if not stops:
            raise RuntimeError(f"{program.name} under GDB stopped nowhere: {done.stdout[-3000:]}")
        answers = [stop["json"] for stop in stops if "json" in stop]
        if options.jitscope and all(isinstance(answer, dict) and "error" in answer for answer in answers):
            raise RuntimeError(f"`jit locals -json` never answered: {answers[:1]}\n{done.stdout[-2000:]}")
        return stops


def examine(program: pathlib.Path, names: list[str], options: Options) -> list[Result]:
    """Return the results for each function of one program at one optimisation."""
    truth = record(program, names, options)
    stops = observe(program, names, truth, options)
    results = {name: Result(name, options.opt) for name in truth["functions"]}
    for event in truth["events"]:
        if event["kind"] == "line":
            results[event["function"]].executed.add(event["line"])
    for phase in options.phases:
        taken = [s for s in stops if s["phase"] == phase and not s["wrapper"] and s["function"] in results]
        for match in align(taken, truth, options.jitscope is not None):
            results[match.stop["function"]].add(match, program.name)
    return list(results.values())
