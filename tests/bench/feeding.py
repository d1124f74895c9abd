"""The cost of thousands of compiled functions in GDB: when a program starts under it and when it attaches, for each
object, in memory, and for commands that look for functions."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
from collections.abc import Iterator

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python

from .measure import Figure, Spread, compare, in_turn
from .programs.many import MODULE
from .report import number
from .session import Session

PROGRAM = pathlib.Path(__file__).with_name("programs") / "many.py"
# Compiling takes a tenth of a second for each function, so that Numba's cache is kept.
FOLDER = ROOT / "build" / "bench-functions"
# Both sides debug the same program, compiled as without a debugger.
ENVIRONMENT = {"NUMBA_CACHE_DIR": str(FOLDER), "JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"}

START, ATTACH, OBJECT, MEMORY, PROGRAMS, COMMAND = 1.15, 1.2, 0.5e-3, 1.3, 1.05, 0.3
STARTED = 2000  # the most functions with which programs are started: GDB alone takes a time that is quadratic
COMMANDS = ("jit functions", "complete break scale_1", "break scale_117")

functions = MODULE  # scripts/bench --functions


def _program(count: int, how: str) -> list[str]:
    return [newest_python(), str(PROGRAM), str(FOLDER), str(count), how]


def _resident(pid: int) -> float:
    """Return the most memory that the process has had, in bytes."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) * 1024


@contextlib.contextmanager
def _waiting(count: int) -> Iterator[int]:
    """Run a program with this number of functions that waits, and yield its process number."""
    process = subprocess.Popen(_program(count, "wait"), env=environment(ENVIRONMENT), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "ready":
            raise RuntimeError("the program has ended before all functions were there")
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def measure(rounds: int) -> list[Figure]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    # The functions come from the cache after this run, so that registration is measured.
    subprocess.run(_program(functions, "end"), env=environment(ENVIRONMENT), check=True, capture_output=True)
    return [*_start(min(functions, STARTED), rounds), *_attach(functions, rounds)]


# -- starting under GDB


def _start(count: int, rounds: int) -> list[Figure]:
    fed: list[dict[str, float]] = []
    memory: dict[bool, list[float]] = {True: [], False: []}
    program: dict[bool, list[float]] = {True: [], False: []}
    busy: dict[str, list[float]] = {"jitscope": [], "GDB alone": []}

    def once(jitscope: bool) -> float:
        with Session(jitscope=jitscope, command=_program(count, "stop"), env=ENVIRONMENT) as session:
            if jitscope:
                session.execute("bench feed")
            run = session.answer("bench time run")
            if "SIGTRAP" not in run["text"] + session.execute("info program"):
                raise RuntimeError(str(run))
            busy["jitscope" if jitscope else "GDB alone"].append(run["processor"])
            if jitscope:
                fed.append(session.answer("bench fed"))
            memory[jitscope].append(_resident(session.process.pid))
            inferior = session.execute("python print(gdb.selected_inferior().pid)")
            program[jitscope].append(_resident(int(inferior.split()[-1])))
        return float(run["seconds"])

    samples = in_turn({"ours": lambda: once(True), "theirs": lambda: once(False)}, rounds)
    counted = fed[-rounds:]
    each = Spread.of([f["seconds"] / f["taken"] for f in counted])
    title = f"one compiled object into GDB, of {int(counted[0]['taken'])}"
    figure = Figure("feeding.object", title, "ms", each.times(1e3), rounds=rounds)
    figure.goal, figure.met = f"≤ {OBJECT * 1e3:g} ms", each.median <= OBJECT
    processor = Spread.of([f["processor"] / f["taken"] * 1e3 for f in counted])
    longest = max(f["most"] for f in counted) * 1e3
    figure.notes = [f"processor time {processor.median:.2f} ms an object; the longest took {longest:.1f} ms"]
    ways = (samples["ours"], samples["theirs"], "GDB alone")
    run = compare("feeding.start", f"`run` of a program with {count} functions", "s", *ways, at_most=START)
    run.notes = [_busy(busy, rounds)]
    return [
        figure,
        run,
        _megabytes("feeding.start.memory", f"GDB's memory after `run`, {count} functions", memory, rounds, MEMORY),
        _megabytes("feeding.start.program", "the program's memory then", program, rounds, PROGRAMS),
    ]


def _busy(found: dict[str, list[float]], rounds: int) -> str:
    """Return a note about GDB's own processor time, which depends less than the other on what else is running."""
    texts = (f"{way} {number(Spread.of(samples[-rounds:]).median)} s" for way, samples in found.items())
    return f"processor time of GDB: {', '.join(texts)}"


def _megabytes(name: str, title: str, found: dict[bool, list[float]], rounds: int, at_most: float) -> Figure:
    ours, theirs = found[True][-rounds:], found[False][-rounds:]
    return compare(name, title, "MB", ours, theirs, "GDB alone", scale=1e-6, at_most=at_most)


# -- attaching


def _attach(count: int, rounds: int) -> list[Figure]:
    memory: dict[bool, list[float]] = {True: [], False: []}
    commands: dict[str, list[float]] = {}
    beside: dict[str, list[float]] = {}
    busy: dict[str, list[float]] = {"jitscope": [], "GDB alone": [], "GDB alone, no functions": []}

    def once(pid: int, jitscope: bool, has_functions: bool) -> float:
        with Session(jitscope=jitscope) as session:
            attach = session.time(f"attach {pid}")
            way = "jitscope" if jitscope else "GDB alone" if has_functions else "GDB alone, no functions"
            busy[way].append(attach["processor"])
            if has_functions:
                memory[jitscope].append(_resident(session.process.pid))
                taken = commands if jitscope else beside
                for command in COMMANDS[0 if jitscope else 1 :]:
                    took = session.time(command)
                    if took["lines"] == 0:
                        raise RuntimeError(f"{command}: {took['text']}")
                    taken.setdefault(command, []).append(took["seconds"])
            session.execute("detach")
        return float(attach["seconds"])

    with _waiting(count) as pid, _waiting(0) as empty:
        samples = in_turn(
            {
                "ours": lambda: once(pid, True, True),
                "theirs": lambda: once(pid, False, True),
                "empty": lambda: once(empty, False, False),
            },
            rounds,
        )
    title = f"attaching to {count} functions"
    ours, against = samples["ours"], "GDB alone, no functions"
    figures = [
        compare("feeding.attach", title, "s", ours, samples["empty"], against, at_most=ATTACH),
        compare("feeding.attach.same", title, "s", ours, samples["theirs"], "GDB alone", at_most=1e9),
        _megabytes("feeding.attach.memory", f"GDB's memory after attaching, {count} functions", memory, rounds, MEMORY),
    ]
    figures[0].notes = [_busy(busy, rounds)]
    figures[1].goal, figures[1].met = "", None
    for command in COMMANDS:
        name = f"feeding.{command.split()[0]}"
        took = Spread.of(commands[command][-rounds:])
        figure = Figure(name, f"`{command}`, {count} functions", "ms", took.times(1e3), rounds=rounds)
        figure.goal, figure.met = f"≤ {COMMAND * 1e3:g} ms", took.median <= COMMAND
        if command in beside:
            figure.theirs, figure.against = Spread.of(beside[command][-rounds:]).times(1e3), "GDB alone"
        figures.append(figure)
    return figures
