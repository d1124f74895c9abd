"""The run of generated programs as Python and under GDB, some in one process, and the judgement of the shown values."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from typing import Any

from tests.interpreters import NO_SCIPY, newest_python, with_hook
from tests.oracle.truth.run import ROOT, environment, gdb_command, run

from .align import Call
from .generate import PARALLEL, programs
from .places import false_places
from .tally import Tally

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 12  # programs in a process
LEVELS = ("steps", "exact", "lines", "stock", "recompiled")
# at these the programs are compiled without debug=True
BARE = ("lines", "recompiled")
# The variables of the environment for each. At `recompiled` GDB attaches when all is compiled at level lines, and its
# breakpoints have the functions compiled anew.
_LEVEL = {
    "steps": {"JITSCOPE_LEVEL": "steps"},
    "exact": {"JITSCOPE_LEVEL": "exact"},
    "lines": {"JITSCOPE_DEBUG": "lines"},
    "stock": {"JITSCOPE": "0"},
    "recompiled": {},
}


@dataclasses.dataclass
class Options:
    """The options of a run."""

    python: str
    gdb: str
    level: str = "exact"
    opt: str = "3"
    plain: bool = False  # GDB without the extension
    jobs: int = 2
    bits: bool = True  # also run without the hook those programs whose results are Python's
    most: int = 20000  # stops of a process, at most
    timeout: float = 900.0
    extra: Mapping[str, str] = dataclasses.field(default_factory=dict)  # variables of the environment
    lldb: str = ""  # an LLDB to run with jitscope in place of GDB

    def environment(self, **extra: str) -> dict[str, str]:
        kept = {k: v for k, v in environment(**extra).items() if not k.startswith("JITSCOPE")}
        hook = {} if self.python == newest_python() else with_hook()
        path = ":".join(filter(None, (str(ROOT), hook.get("PYTHONPATH"), str(NO_SCIPY))))
        own = {"PYTHONPATH": path, "NUMBA_OPT": self.opt, "NUMBA_NUM_THREADS": "2"}
        return {**kept, **_LEVEL[self.level], **own, **self.extra, **extra}


def record(folder: pathlib.Path, names: list[str], options: Options) -> dict[str, Any]:
    command = [options.python, str(HERE / "record.py"), str(folder), *names]
    done = run(command, options.environment(NUMBA_DISABLE_JIT="1"), 120)
    if done.returncode:
        raise RuntimeError(f"as Python: {done.stdout[-2000:]}")
    found: dict[str, Any] = json.loads((folder / "truth.json").read_text())
    return found


def observe(folder: pathlib.Path, truth: dict[str, Any], options: Options, script: str = "") -> dict[str, Any]:
    """Return the script's observations; under "compiled" the outcome of each program when it was compiled, under "said"
    GDB's output."""
    script = script or ("observe_lldb.py" if options.lldb else "observe.py")
    if script != "observe.py":  # only observe.py can go on after a fault
        truth = {name: {**found} for name, found in truth.items()}
        for found in truth.values():
            found.pop("fault", None)
    names = list(truth)
    executed = {name: sorted({e[1] for call in all_calls(truth[name]) for e in call["events"]}) for name in names}
    config = {
        "folder": str(folder),
        "programs": names,
        "lines": executed,
        "files": {name: found["source"] for name, found in truth.items()},
        "jitscope": not options.plain,
        "path": [str(HERE.parent / "truth"), str(HERE)],
        "faults": {name: len(truth[name]["calls"]) + 1 for name in names if "fault" in truth[name]},
        "most": options.most,
        "out": str(folder / "stops.json"),
    }
    (folder / "config.json").write_text(json.dumps(config))
    debuggee = [options.python, str(HERE / "debuggee.py"), str(folder), *names]
    env = options.environment(JITSCOPE_HOOKED_CONFIG=str(folder / "config.json"), **unchecked(truth))
    if options.lldb:
        env["JITSCOPE_HOOKED_ARGUMENTS"] = json.dumps(debuggee[1:])
        command, debuggee = lldb_command(options.lldb, str(HERE / script)), debuggee[:1]
    else:
        command = [*gdb_command(options.gdb, not options.plain), "-ex", f"source {HERE / script}", "--args"]
    if options.level == "recompiled":
        with running(debuggee, env, folder, options) as pid:
            (folder / "config.json").write_text(json.dumps({**config, "pid": pid}))
            done = run([*command, options.python], env, options.timeout)
    else:
        done = run([*command, *debuggee], env, options.timeout)
    if not (folder / "stops.json").exists() or not (folder / "compiled.json").exists():
        raise RuntimeError(f"under the debugger: {done.stdout[-3000:]}")
    found: dict[str, Any] = json.loads((folder / "stops.json").read_text())
    for moment in ("stopped", "after"):
        file = folder / f"{moment}.json"
        found[moment] = json.loads(file.read_text()) if file.exists() else {}
    found["compiled"], found["said"] = json.loads((folder / "compiled.json").read_text()), done.stdout
    return found


def lldb_command(lldb: str, *scripts: str) -> list[str]:
    """Return the command that runs a program under LLDB with jitscope and then imports the scripts."""
    command = [lldb, "--no-lldbinit", "-b"]
    for script in (str(ROOT / "lldbext" / "jitscope_lldb.py"), *scripts):
        command += ["-o", f"command script import {script}"]
    return [*command, "--"]


@contextlib.contextmanager
def running(command: list[str], env: dict[str, str], folder: pathlib.Path, options: Options) -> Iterator[int]:
    """Run the programs without a debugger until all is compiled, and yield the process's number. When the debugger has
    left, all calls run once more, and the process is waited for."""
    with (folder / "said").open("w") as said:
        own = {**env, "JITSCOPE_HOOKED_ATTACHED": "1"}
        process = subprocess.Popen(command, env=own, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        end = time.monotonic() + options.timeout
        while not (folder / "compiled.json").exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        if not (folder / "compiled.json").exists():
            raise RuntimeError(f"without GDB: {(folder / 'said').read_text()[-3000:]}")
        yield process.pid
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def all_calls(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a program's calls, with that of its fault last."""
    calls: list[dict[str, Any]] = truth["calls"]
    return [*calls, truth["fault"]] if "fault" in truth else calls


def unchecked(truth: dict[str, Any]) -> dict[str, str]:
    """Return the environment in which an access outside of an array is a fault, if a program has one."""
    return {"NUMBA_BOUNDSCHECK": "0"} if any("fault" in found for found in truth.values()) else {}


def reference(folder: pathlib.Path, truth: dict[str, Any], options: Options) -> dict[str, list[list[str]]]:
    """Return the result of each call if Numba compiles the programs alone: as Python, and to the bit."""
    names, bounds = list(truth), unchecked(truth)
    command = [options.python, "-W", "ignore", str(HERE / "reference.py"), str(folder), *names]
    done = run(command, options.environment(JITSCOPE="0", **bounds), options.timeout)
    found: dict[str, list[list[str]]] = json.loads(done.stdout.splitlines()[-1])
    return found


def examine(texts: dict[str, str], options: Options) -> dict[str, Tally]:
    """Return the figures of each of these programs, run in one process."""
    tallies = {name: Tally() for name in texts}
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(re.sub(r"debug=True(, )?", "", text) if options.level in BARE else text)
        truth = {}
        for name, found in record(folder, list(texts), options).items():
            if "unfit" in found:
                tallies[name].left_out[found["unfit"]] += 1
            else:
                truth[name] = found
                if options.lldb:  # observe_lldb.py does not go on after a fault
                    found.pop("fault", None)
        seen = observe(folder, truth, options)
        other = [name for name in truth if seen["compiled"][name]["results"] != expected(truth[name])]
        asked = {name: found for name, found in truth.items() if options.bits or name in other}
        alone = reference(folder, asked, options) if options.level != "stock" and asked else {}
        for name in list(truth):
            if differ := results_differ(truth[name], seen, name, alone.get(name)):
                tallies[name].others.append({"program": name, **differ})
                tallies[name].left_out["other results"] += 1
            elif name in other:
                tallies[name].left_out["not as Python, nor without the hook"] += 1
            else:
                continue
            del truth[name]
    for name, found in truth.items():
        if seen["ended"] != "SIGUSR1" or (options.level == "recompiled" and name not in seen["after"]):
            tallies[name].broken.append(f"{seen['ended']}: {seen['said'][-1000:]}")
        for entry in seen["levels"].get(name, ()):
            tallies[name].levels[entry] += 1
        tallies[name].seconds = seen["seconds"] / len(truth)
        mine = [stop for stop in seen["stops"] if stop["program"] == name]
        judge(tallies[name], name, found, mine, not options.plain)
    return tallies


def results_differ(
    truth: dict[str, Any], seen: dict[str, Any], name: str, alone: list[list[str]] | None
) -> dict[str, Any]:
    """Return a program's results with the hook, with stops, after them, and without the hook, if these are not the
    same bits."""
    compiled, stopped, after = seen["compiled"][name]["bits"], seen["stopped"].get(name), seen["after"].get(name)
    without = [exact for _, exact in alone] if alone is not None else compiled
    if compiled == without and stopped in (None, compiled) and after in (None, compiled):
        return {}
    shown = {"expected": without, "got": compiled, "with stops": stopped, "after": after}
    return {**shown, "as Python": expected(truth)}


def expected(truth: dict[str, Any]) -> list[str]:
    """Return the result of each call of a program as Python."""
    return [call["result"] for call in truth["calls"]]


def judge(tally: Tally, name: str, truth: dict[str, Any], stops: list[dict[str, Any]], printers: bool) -> None:
    """Add one program's stops to the tally."""
    tally.programs += 1
    tally.elsewhere += sum("elsewhere" in stop for stop in stops)
    stops = [stop for stop in stops if "elsewhere" not in stop]
    for stop in stops:
        if stop.get("differ"):
            tally.differing.append({"program": name, "line": stop["line"], "differ": stop["differ"]})
        if isinstance(stop.get("json"), str):
            tally.broken.append(f"{name}:{stop['line']}: jit locals: {stop['json']}")
    tally.add_lines(name, truth["functions"], all_calls(truth), [stop for stop in stops if "fault" not in stop])
    tally.faults += sum("fault" in stop for stop in stops)
    tally.expected_faults += truth.get("fault", {}).get("faults", False)
    for number, call in enumerate(all_calls(truth), 1):
        own = [stop for stop in stops if stop["call"] == number]
        aligner = Call(truth["functions"], call, own, printers)
        for count, matched in enumerate(aligner.align()):
            tally.add(name, matched, truth["functions"].get(matched.function, {"arguments": []}), count == 0)
            stop = {"program": name, "line": matched.stop["line"], "frame": matched.stop["frame"]}
            tally.misplaced += [{**stop, "what": what} for what in false_places(aligner, count, matched)]
        tally.calls += 1
        tally.same += aligner.same


def generated(number: int, seed: int, parallel: int = PARALLEL) -> dict[str, str]:
    return {f"p{seed}x{count:04}": text for count, text in enumerate(programs(number, seed, parallel))}


def run_all(texts: dict[str, str], options: Options) -> Tally:
    names = list(texts)
    batches = [names[start : start + BATCH] for start in range(0, len(names), BATCH)]
    total = Tally()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        work = [pool.submit(examine, {name: texts[name] for name in batch}, options) for batch in batches]
        for batch, done in zip(batches, work):
            try:
                for tally in done.result().values():
                    total.merge(tally)
            except RuntimeError as error:
                total.broken.append(f"{batch[0]}…{batch[-1]}: {error}")
    return total
