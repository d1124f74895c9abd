"""Threads that run several interpreters or greenlets: nothing false is shown, and what is left out is named."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running, state, take, until

SUBINTERPRETER = """
import os, threading
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
def outer():
    run = getattr(interpreters, "run_string", None) or interpreters.exec
    run(interpreters.create(), '''
import os, time
def inner():
    os.write(1, b"ready\\\\n")
    time.sleep(3600)
inner()
''')
outer()
"""
# Greenlets that C calls have started, and that are left and entered again from other places of the stack.
GREENLETS = """
import os, sys, time
import greenlet
hub = greenlet.getcurrent()
known, ends = {}, []
def work(name, depth):
    deeper(name, depth)
def deeper(name, depth):
    if depth:
        return sorted([1], key=lambda _: deeper(name, depth - 1))
    while True:
        if name == "last" and ends:
            print("ready", os.getpid(), flush=True)
            time.sleep(3600)
        hub.switch()
def start(name, depth):
    known[name] = greenlet.greenlet(work, parent=hub)
    known[name].switch(name, depth)
def starter():
    start("first", 4)
    start("last", 3)
    hub.switch()
def enter(name, depth):
    if depth:
        return min([1], key=lambda _: enter(name, depth - 1))
    known[name].switch()
def begin(depth):
    if depth:
        return max([1], key=lambda _: begin(depth - 1))
    starts = greenlet.greenlet(starter, parent=hub)
    while len(known) < 2:
        starts.switch()
    for name in ("first", "last", "first"):
        enter(name, 2)
begin(int(sys.argv[1]))
ends.append(True)
enter("last", int(sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def names(thread: dict[str, Any], kind: str = "python") -> list[str]:
    return [frame["name"].rsplit(".", 1)[-1] for frame in thread["frames"] if frame["kind"] == kind]


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_interpreter_in_an_interpreter(interpreter: Interpreter) -> None:
    with running(interpreter.path, "-c", SUBINTERPRETER) as process:
        (thread,) = take(process.pid)["threads"]
        assert names(thread) == ["inner", "<module>"]
        assert [frame["kind"] for frame in thread["frames"]].index("python") > 0  # it is in sleep()
        assert thread["notes"] == ["Python frames of another interpreter that uses the thread are not shown"]


@pytest.mark.parametrize("depths", [("0", "0"), ("3", "6"), ("0", "5"), ("5", "0")])
def test_greenlets(depths: tuple[str, str]) -> None:
    if importlib.util.find_spec("greenlet") is None:
        pytest.skip("no greenlet")
    with running(sys.executable, "-c", GREENLETS, *depths) as process:
        until(lambda: state(process.pid) == "S")
        (thread,) = take(process.pid)["threads"]
        assert names(thread) == ["deeper", "<lambda>", "deeper", "<lambda>", "deeper", "<lambda>", "deeper", "work"]
        innermost = [frame["kind"] for frame in thread["frames"]]
        last = len(innermost) - innermost[::-1].index("python")
        assert all("sleep" in name for name in names({"frames": thread["frames"][:last]}, "native"))


def test_signal_handler_and_finalizer(tmp_path: Path) -> None:
    """A handler that Python calls between two instructions, and a __del__ that the collector of garbage calls."""
    program = tmp_path / "handler.py"
    program.write_text(
        "import gc, os, signal, time\n"
        "class Cycle:\n"
        "    def __del__(self):\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(3600)\n"
        "def handler(number, frame):\n"
        "    cycle = Cycle()\n"
        "    cycle.itself = cycle\n"
        "    del cycle\n"
        "    gc.collect()\n"
        "signal.signal(signal.SIGALRM, handler)\n"
        "def busy():\n"
        "    signal.setitimer(signal.ITIMER_REAL, 0.01)\n"
        "    while True:\n"
        "        pass\n"
        "busy()\n"
    )
    with running(sys.executable, program) as process:
        until(lambda: state(process.pid) == "S")
        (thread,) = take(process.pid)["threads"]
        assert names(thread) == ["__del__", "handler", "busy", "<module>"]
        lines = [frame["line"] for frame in thread["frames"] if frame["kind"] == "python"]
        assert lines[:2] == [5, 10] and lines[2] in (14, 15) and lines[3] == 16


def test_names_of_a_megabyte(tmp_path: Path) -> None:
    """Names that no programmer writes are cut, and escaped where they are shown."""
    program = tmp_path / "names.py"
    program.write_text(
        "import time\n"
        "def sleep():\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(3600)\n"
        "code = sleep.__code__.replace(co_name='\\x1b[2J' + 'x' * 1000000)\n"
        "type(sleep)(code, globals())()\n"
    )
    with running(sys.executable, program) as process:
        done = subprocess.run(
            [sys.executable, "-m", "jitscope", "stack", str(process.pid)], capture_output=True, text=True, check=True
        )
        assert "\033" not in done.stdout and len(done.stdout) < 20000
