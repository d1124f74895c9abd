"""`print` of 200 elements: of 10^7, and of a view whose elements are spread over 1.6 GB; against Numba's own
printer."""

from __future__ import annotations

import contextlib
import pathlib
import re
import subprocess

from tests.gdb.harness import environment
from tests.interpreters import first_gdb, newest_python

from .measure import Figure, NotMeasured, compare, in_turn
from .session import Session

PROGRAM = pathlib.Path(__file__).parent / "programs" / "arrays.py"
LIMIT = 64 * 1024  # bytes that jitscope may read from the target for one print
CASES = {"whole": ("a", "200 elements of 10^7"), "spread": ("view", "200 elements over 1.6 GB")}


def measure(rounds: int) -> list[Figure]:
    before = numba_printer()
    line = next(n for n, text in enumerate(PROGRAM.read_text().splitlines(), 1) if text.endswith("# at: stop"))
    # Without optimisation, so that both have the value.
    sessions = {"ours": open_at(line, True, []), "theirs": open_at(line, False, before)}
    with contextlib.ExitStack() as stack:
        for session in sessions.values():
            stack.enter_context(session)
        return [case(sessions, *CASES[key], rounds) for key in CASES]


def open_at(line: int, jitscope: bool, before: list[str], program: pathlib.Path = PROGRAM) -> Session:
    session = Session(jitscope=jitscope, before=before, command=[newest_python(), str(program)], env={"NUMBA_OPT": "0"})
    session.execute("set print elements 200")
    # Numba's printer would read both arrays at every stop.
    session.execute("set print frame-arguments none")
    session.execute(f"break {program.name}:{line}")
    stopped = session.execute("run")
    if f"{program.name}:{line}" not in stopped:
        session.close()
        raise RuntimeError(f"no stop at {program.name}:{line}:\n{stopped[-2000:]}")
    return session


def case(sessions: dict[str, Session], variable: str, title: str, rounds: int) -> Figure:
    read: dict[str, list[int]] = {"ours": [], "theirs": []}
    wanted: list[int] = []

    def once(who: str) -> float:
        sessions[who].execute("continue")  # the next call, at which the caches of the last stop are dropped
        found = sessions[who].time(f"print {variable}")
        # Jitscope shows 200 elements, Numba as many as NumPy's repr shows.
        expected = found["commas"] >= 199 if who == "ours" else "0." in found["text"]
        if not expected or "unknown" in found["text"] or "Error" in found["text"]:
            raise RuntimeError(f"print {variable} ({who}): {found['text']}")
        read[who].append(found["read"])
        if who == "ours":
            wanted.append(found["wanted"])
        return float(found["seconds"])

    samples = in_turn({who: lambda who=who: once(who) for who in sessions}, rounds)
    figure = compare(
        f"printing.{variable}",
        f"print {title}",
        "ms",
        samples["ours"],
        samples["theirs"],
        "Numba's printer",
        scale=1e3,
    )
    figure.goal, figure.met = "≤ 64 KiB read", max(wanted) <= LIMIT
    figure.notes = [
        f"asked of the target: {max(wanted)} bytes; read by GDB's process: {max(read['ours'])} bytes,"
        f" with Numba's printer {max(read['theirs'])}"
    ]
    return figure


def numba_printer() -> list[str]:
    """Return the commands that make GDB load Numba's gdb_print_extension.py, which imports NumPy there."""
    ask = "import numba, numpy, os, sys; print(*(os.path.dirname(m.__file__) for m in (numba, numpy)), sep='\\n')"
    ask += "; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([newest_python(), "-c", ask], capture_output=True, text=True, env=environment())
    if done.returncode:
        raise NotMeasured(f"{newest_python()} has no Numba")
    numba, numpy, version = done.stdout.splitlines()
    printer = pathlib.Path(numba) / "misc" / "gdb_print_extension.py"
    if not printer.exists():
        raise NotMeasured("this Numba has no misc/gdb_print_extension.py")
    inside = python_in_gdb([])
    # The NumPy of .venv fits if its Python has the same version as the one in GDB.
    borrow = [f"python import sys; sys.path.append({str(pathlib.Path(numpy).parent)!r})"]
    for before in ([], borrow) if inside[0] == version else ([],):
        if python_in_gdb(before)[1]:
            return [*before, f"source {printer}"]
    raise NotMeasured(
        f"Numba's printer needs NumPy in GDB's own Python {inside[0]} (on Debian: apt-get install python3-numpy)"
    )


def python_in_gdb(before: list[str]) -> tuple[str, bool]:
    """Return the version of GDB's Python, and whether it has NumPy."""
    ask = "python import sys; print('python', '%d.%d' % sys.version_info[:2]); import numpy; print('has numpy')"
    commands = [part for text in (*before, ask) for part in ("-ex", text)]
    done = subprocess.run([first_gdb(), "-nx", "-batch", *commands], capture_output=True, text=True)
    found = re.search(r"^python (\S+)$", done.stdout, re.M)
    return found[1] if found else "", "has numpy" in done.stdout
