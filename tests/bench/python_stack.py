"""1 000 Python frames: `jit bt` against libpython's `py-bt` and GDB's `bt`, on every Python of this machine."""

from __future__ import annotations

import contextlib
import glob
import os
import pathlib
import shutil
import subprocess

from tests.gdb import harness
from tests.interpreters import newest_python

from .measure import Figure, NotMeasured, compare, in_turn
from .session import Session

PROGRAM = pathlib.Path(__file__).parent / "programs" / "deep.py"
FRAMES = 1000


def measure(rounds: int) -> list[Figure]:
    figures: list[Figure] = []
    reasons = []
    for version, python in sorted(interpreters().items()):
        try:
            figures += one(version, python, rounds)
        except NotMeasured as reason:
            reasons.append(str(reason))
    if not figures:
        raise NotMeasured("; ".join(reasons) or "no Python 3.9 or later")
    figures[-1].notes += [f"not measured: {reason}" for reason in reasons]
    return figures


def interpreters() -> dict[tuple[int, int], str]:
    """Return the Python of .venv, and one older than 3.11, from PATH or from pyenv."""
    found: dict[tuple[int, int], str] = {}
    for python in (newest_python(), *(p for m in (10, 9) for p in candidates(f"3.{m}"))):
        ask = "import sys; print(*sys.version_info[:2])"
        done = subprocess.run([python, "-c", ask], capture_output=True, text=True, env=harness.environment())
        if done.returncode == 0:
            major, minor = map(int, done.stdout.split())
            found.setdefault((major, minor), python)
    old = max((v for v in found if v < (3, 11)), default=None)
    return {v: p for v, p in found.items() if v >= (3, 11) or v == old}


def candidates(version: str) -> list[str]:
    root = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    own = sorted(glob.glob(f"{root}/versions/{version}.*/bin/python{version}"))
    on_path = shutil.which(f"python{version}")
    return own + ([on_path] if on_path else [])


def libpython(python: str, version: str) -> pathlib.Path | None:
    """Return the interpreter's own pythonX.Y-gdb.py, which is beside it or under GDB's auto-load, or None."""
    real = pathlib.Path(os.path.realpath(python))
    places = (
        real.with_name(f"python{version}-gdb.py"),
        pathlib.Path("/usr/share/gdb/auto-load") / real.relative_to("/").with_name(f"python{version}-gdb.py"),
        pathlib.Path("/usr/share/gdb/auto-load/usr/bin") / f"python{version}-gdb.py",
    )
    return next((path for path in places if path.exists()), None)


def one(version: tuple[int, int], python: str, rounds: int) -> list[Figure]:
    name = f"{version[0]}.{version[1]}"
    helper = libpython(python, name)
    before = [f"source {helper}"] if helper else []
    with contextlib.ExitStack() as stack:
        pids = [stack.enter_context(harness.target(PROGRAM, python=python)) for _ in range(2)]
        ours = stack.enter_context(Session(jitscope=True, command=[python], pid=pids[0]))
        theirs = stack.enter_context(Session(jitscope=False, before=before, command=[python], pid=pids[1]))
        counts: dict[str, int] = {}

        def once(session: Session, command: str) -> float:
            session.execute("stepi")  # a new stop, at which the caches of the last one are dropped
            session.execute("maint flush register-cache")
            session.execute("maint flush dcache")
            found = session.time(command)
            counts[command] = found["frames"] if command == "bt" else found["python_frames"]
            return float(found["seconds"])

        ways = {"jit bt": lambda: once(ours, "jit bt"), "bt": lambda: once(theirs, "bt")}
        if helper:
            ways["py-bt"] = lambda: once(theirs, "py-bt")
        samples = in_turn(ways, rounds)
    if counts["jit bt"] < FRAMES:
        raise RuntimeError(f"jit bt shows {counts['jit bt']} Python frames of {FRAMES}")
    old = version < (3, 11)
    by_bt = compare(
        f"stack.bt-{name}",
        f"jit bt, {FRAMES} Python frames, CPython {name}",
        "ms",
        samples["jit bt"],
        samples["bt"],
        f"bt ({counts['bt']} native frames)",
        scale=1e3,
        at_least=1.0 if old else None,
    )
    if not helper:
        raise_or_note = f"CPython {name} has no python{name}-gdb.py (on Debian: apt-get install python{name}-dbg)"
        if not old:
            raise NotMeasured(raise_or_note)
        by_bt.notes.append(raise_or_note)
        return [by_bt]
    if counts["py-bt"] < FRAMES:
        raise NotMeasured(f"py-bt shows {counts['py-bt']} of {FRAMES} frames of CPython {name}")
    by_py_bt = compare(
        f"stack.py-bt-{name}",
        f"jit bt, {FRAMES} Python frames, CPython {name}",
        "ms",
        samples["jit bt"],
        samples["py-bt"],
        "py-bt",
        scale=1e3,
        at_least=None if old else 50.0,
    )
    return [by_py_bt, by_bt]
