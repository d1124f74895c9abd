"""The run of a scenario in one column: GDB alone, or with jitscope."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Iterator

from tests.attach import terminal
from tests.attach.terminal import CALL
from tests.gdb import harness
from tests.interpreters import ROOT, first_gdb, newest_python

from . import a1, a2, b, c, d, e1, e2, e3, e4
from .model import REPORT, STACKS, Scenario


def scenarios(same: int = 0) -> dict[str, Scenario]:
    """Return the scenarios of the demo, in order; same=1 is each on its second program."""
    found = [
        a1.build(same, None),
        a1.build(same, "0"),
        a2.build(same),
        b.gdb(same),
        b.lapack(same),
        b.condition(same),
        c.build(same),
        d.workers(same),
        d.build(same),
        d.races(same),
        e1.build(same),
        e2.build(same),
        e3.build(same),
        e4.build(same),
    ]
    return {scenario.name: scenario for scenario in found}


@contextlib.contextmanager
def place(scenario: Scenario, python: str | None = None, gdb: str | None = None) -> Iterator[dict[str, object]]:
    """Yield the arguments for the scenario's GDB: a program, a live process, or a core."""
    env = dict(scenario.env)
    if scenario.how in ("attach", "stacks"):
        with harness.target(scenario.program, env=env, python=python) as pid:
            yield {"pid": pid}
    elif scenario.how == "core":
        with tempfile.TemporaryDirectory() as folder:
            yield {"core": harness.make_core(scenario.program, pathlib.Path(folder), env, python, gdb)}
    else:
        yield {"program": scenario.program}


def alone(scenario: Scenario, python: str | None, gdb: str | None) -> harness.Transcript:
    """Run GDB on the program, which would start GDB itself; the last command in place of the call is where that
    begins."""
    done = harness.run(
        (*scenario.instead, *scenario.commands),
        program=scenario.program,
        jitscope=False,
        env={**dict(scenario.env), "JITSCOPE": "0", "PYTHONPATH": str(ROOT / "runtime" / "python")},
        python=python,
        gdb=gdb,
        timeout=60,
        may_time_out=True,
    )
    done.sections = [(CALL if name == scenario.instead[-1] else name, text) for name, text in done.sections]
    return done


def stacks(scenario: Scenario, jitscope: bool, python: str | None, gdb: str | None) -> harness.Transcript:
    """Show the stacks of all threads by `jitscope stack`, or by GDB alone."""
    with place(scenario, python) as where:
        pid = str(where["pid"])
        if jitscope:
            command = [newest_python(), "-m", "jitscope", "stack", pid]
        else:
            command = [gdb or first_gdb(), "-nx", "-q", "-batch", "-p", pid, "-ex", "thread apply all bt"]
        started = time.monotonic()
        env = {**harness.environment(), "PYTHONPATH": str(ROOT / "runtime" / "python")}
        done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    text = done.stdout + (done.stderr if jitscope else "")
    return harness.Transcript([(STACKS, text)], done.returncode, time.monotonic() - started)


def report(scenario: Scenario, jitscope: bool, python: str | None) -> harness.Transcript:
    """Run the program until it crashes, with jitscope's report, or with faulthandler's."""
    settings = {"JITSCOPE_REPORT": "1"} if jitscope else {"JITSCOPE": "0", "PYTHONFAULTHANDLER": "1"}
    started = time.monotonic()
    command = [python or newest_python(), str(harness.PROGRAMS / scenario.program)]
    env = {**harness.environment(), "PYTHONPATH": str(ROOT / "runtime" / "python"), **settings, **dict(scenario.env)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    return harness.Transcript([(REPORT, done.stderr)], done.returncode, time.monotonic() - started)


def column(scenario: Scenario, jitscope: bool, python: str | None = None, gdb: str | None = None) -> harness.Transcript:
    """Return the transcript of the scenario with or without jitscope."""
    if scenario.instead and not jitscope:
        return alone(scenario, python, gdb)
    if scenario.how == "stacks":
        return stacks(scenario, jitscope, python, gdb)
    if scenario.how == "report":
        return report(scenario, jitscope, python)
    if scenario.how == "self":
        return terminal.play(
            scenario.program, scenario.commands, jitscope=jitscope, env=dict(scenario.env), python=python, gdb=gdb
        )
    with place(scenario, python, gdb) as where:
        return harness.run(
            scenario.commands,
            jitscope=jitscope,
            env=dict(scenario.env),
            python=python,
            gdb=gdb,
            timeout=60,
            may_time_out=True,
            settings=harness.QUIET if scenario.libc else harness.QUICK,
            **where,  # type: ignore[arg-type]
        )
