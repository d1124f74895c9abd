"""The demo: each scenario in two columns, GDB alone and with jitscope; both really run, both are checked.

Exit status 1 when a check fails with jitscope, or when GDB alone passes all checks of its own commands. A scenario that
needs a terminal is skipped where the machine has none to give.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

from tests.attach.terminal import CALL, program
from tests.gdb.harness import PROGRAMS, QUIET, Transcript, environment, is_jitscope
from tests.interpreters import JITSCOPE, first_gdb, newest_python
from tests.pseudo_terminal import NoTerminal, problem

from .model import REPORT, STACKS, Scenario
from .run import column, place, scenarios

LINES = 14  # lines of a command's output
HEAD = """\
GDB alone beside GDB with jitscope. At level stock a program runs as Numba alone compiles it, as it does where the
program's environment has no jitscope: not every line stops, and not every variable has a value, so that the first
scenario stops two lines later than the same program in README.md. There jitscope is in the program's environment, too,
and every line stops (level steps)."""
NEXT = """\
Next: scripts/demo a1 --interactive leaves you in GDB at the first scenario's stop. For a program of your own, type
.venv/bin/jitscope run prog.py, then break prog.py:LINE and run; docs/tutorial.md explains both."""
NOISE = ("[New ", "[Thread debugging", "Using host libthread_db", "[Switching to", "[Detaching", "[Inferior")


def paint(text: str, code: str) -> str:
    return f"\033[{code}m{text}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def cell(text: str, width: int, full: bool) -> list[str]:
    """Return `text` wrapped to the width; long output is cut, which a line says."""
    wrapped = [
        piece
        for line in text.splitlines()
        if line.strip() and not line.startswith(NOISE)
        for piece in textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) or [""]
    ]
    if full or len(wrapped) <= LINES:
        return wrapped
    return [*wrapped[: LINES - 1], f"… {len(wrapped) - LINES + 1} more lines (--full)"]


def columns(scenario: Scenario, plain: Transcript, ours: Transcript, full: bool) -> None:
    """Print the two transcripts side by side, command by command."""
    width = min(shutil.get_terminal_size((160, 40)).columns, 200)
    half = (width - 3) // 2
    other = "faulthandler" if scenario.how == "report" else "GDB alone"
    print(f"{paint(other.ljust(half), '1')} │ {paint('with jitscope', '1')}")
    seen: dict[str, int] = {}
    for command in ((CALL,) if scenario.how == "self" else ()) + scenario.commands:
        occurrence = seen[command] = seen.get(command, -1) + 1
        left = cell(plain.of(command, occurrence), half, full)
        right = cell(ours.of(command, occurrence), half, full)
        prompt = command if command == CALL else f"(gdb) {command}"
        shown = "" if is_jitscope(command) else prompt
        if command == STACKS:
            shown, prompt = "(gdb) thread apply all bt", "$ jitscope stack PID"
        if command == REPORT:
            shown, prompt = "$ python -X faulthandler PROGRAM", "$ JITSCOPE_REPORT=1 python PROGRAM"
        if command == CALL and scenario.instead:
            shown = "(gdb) " + " · ".join(scenario.instead)
        print(f"{paint(shown.ljust(half)[:half], '36')} │ {paint(prompt[:half], '36')}")
        for number in range(max(len(left), len(right))):
            one = left[number] if number < len(left) else ""
            two = right[number] if number < len(right) else ""
            print(f"{one.ljust(half)} │ {two}".rstrip())


def title(scenario: Scenario) -> str:
    level = environment(dict(scenario.env))["JITSCOPE_LEVEL"]
    name = f"{scenario.name.upper()}: {scenario.title}"
    return paint(f"\n━━ {name} — tests/programs/{scenario.program}, level {level}", "1;33")


def show(scenario: Scenario, plain: Transcript, ours: Transcript, full: bool) -> bool:
    """Print the columns and the checks. Return False if the demo fails here."""
    print(title(scenario))
    columns(scenario, plain, ours, full)
    theirs = {check.title for check, _ in scenario.failures(plain)}
    failures = {check.title: why for check, why in scenario.failures(ours)}
    print(f"{'GDB alone':>9}  with jitscope")
    for check in scenario.checks:
        marks = [paint("✘", "31") if check.title in failed else paint("✔", "32") for failed in (theirs, failures)]
        print(f"{marks[0]:>9}  {marks[1]}  {check.title}")
        if check.title in failures:
            print(f"              {textwrap.shorten(failures[check.title], 500)}")
    fails_alone = scenario.fails_alone(plain)
    if not fails_alone:
        print(paint("GDB alone passes every check of its own commands: the checks say nothing.", "31"))
    if not scenario.reached(plain):
        print(paint("GDB alone did not reach the stop: its failures say nothing.", "31"))
    return fails_alone and scenario.reached(plain) and not failures


def interactive(scenario: Scenario) -> int:
    """Run GDB on this terminal, at the end of the scenario, with jitscope."""
    if scenario.how == "self":
        return subprocess.call(program(scenario.program), env=environment(dict(scenario.env)))
    if scenario.how in ("stacks", "report"):
        print(column(scenario, True).of(STACKS if scenario.how == "stacks" else REPORT))
        return 0
    with place(scenario) as where:
        command = [first_gdb(), "-q"]
        for setting in QUIET[:2]:
            command += ["-iex", setting]
        command += ["-iex", "set breakpoint pending on", "-ex", f"source {JITSCOPE}"]
        first = {"pid": "attach {}", "core": "core-file {}"}
        for key, form in first.items():
            if key in where:
                command += ["-ex", form.format(where[key])]
        for text in scenario.commands:
            if text not in ("delete", "detach"):
                command += ["-ex", text]
        command += ["--args", newest_python()]
        if "program" in where:
            command.append(str(PROGRAMS / scenario.program))
        return subprocess.call(command, env=environment(dict(scenario.env)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("names", nargs="*", default=["all"], metavar="NAME", help="all, or " + ", ".join(scenarios()))
    parser.add_argument("--interactive", action="store_true", help="leave me in GDB there")
    parser.add_argument("--second", action="store_true", help="on the scenarios' second programs")
    parser.add_argument("--full", action="store_true", help="do not cut long output")
    arguments = parser.parse_args()
    known = scenarios(int(arguments.second))
    names = list(known) if "all" in arguments.names else arguments.names
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"no scenario {', '.join(unknown)}; there are: {', '.join(known)}")
    if not JITSCOPE.exists():
        parser.error("gdbext/jitscope.py is missing")
    if arguments.interactive:
        return interactive(known[names[0]])
    with tempfile.TemporaryDirectory() as folder:  # for the cores of programs that crash
        os.chdir(folder)
        return play(known, names, arguments.full)


def play(known: dict[str, Scenario], names: list[str], full: bool) -> int:
    """Show the scenarios, and return the exit status."""
    print(HEAD)
    start = time.monotonic()
    failed, skipped = [], []
    no_terminal = problem()
    if no_terminal:
        skipped = [name for name in names if known[name].how == "self"]
        for name in skipped:
            print(f"{title(known[name])}\nskipped: {no_terminal}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        started = [
            (known[name], [pool.submit(column, known[name], ours) for ours in (False, True)])
            for name in names
            if name not in skipped
        ]
        for scenario, futures in started:
            try:
                passes = show(scenario, futures[0].result(), futures[1].result(), full)
            except NoTerminal as error:  # another program has taken the last terminal since
                print(f"{title(scenario)}\nskipped: {error}")
                skipped.append(scenario.name)
                continue
            if not passes:
                failed.append(scenario.name)
    passed = len(names) - len(failed) - len(skipped)
    note = f", {len(skipped)} skipped" if skipped else ""
    print(f"\n{passed} of {len(names)} scenarios pass{note}, in {time.monotonic() - start:.0f} s")
    if failed:
        print("failed: " + ", ".join(failed))
    else:
        print(NEXT)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
