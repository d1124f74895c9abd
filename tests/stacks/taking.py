"""Starts programs, and takes their stacks by the C library, as `jitscope stack` does."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT

PROGRAMS = pathlib.Path(__file__).parent / "programs"
Frame = dict[str, Any]
Thread = dict[str, Any]


def needs_library() -> None:
    """Skip the tests of a machine that has no C library."""
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")


@contextlib.contextmanager
def running(
    *command: str | os.PathLike[str], env: Mapping[str, str] | None = None, says: str = "ready"
) -> Iterator[subprocess.Popen[str]]:
    """Run a program in a session of its own until the block ends; first wait until it prints a line that begins with
    `says`, and sleeps. One that only computes is given a moment, in which it leaves print()."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**kept, **(env or {})},
        start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout
        said = process.stdout.readline()
        assert said.startswith(says), said
        for _ in range(20):
            if state(process.pid) != "R":
                break
            time.sleep(0.01)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def take(pid: int, *, shows_all: bool = False, values: bool = False) -> dict[str, Any]:
    """Return the stacks of a process (docs/schema/stack.json)."""
    with Stacks(pid, values=values) as stacks:
        return stacks.take(shows_all=shows_all, longest=10)


def take_core(path: pathlib.Path, *, shows_all: bool = False) -> dict[str, Any]:
    """Return the stacks of a core."""
    with path.open("rb") as stream, Stacks(core=stream.fileno()) as stacks:
        return stacks.take(shows_all=shows_all)


def thread_of(taken: dict[str, Any], native_id: int) -> Thread:
    """Return the entry of one thread."""
    (found,) = (thread for thread in taken["threads"] if thread["native_id"] == native_id)
    return dict(found)


def command(*arguments: str | os.PathLike[str], before: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run `jitscope stack`; `before`: a command that runs it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python")}
    words = [*before, sys.executable, "-m", "jitscope", "stack", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, env=env, timeout=120)


def state(pid: int, thread: int | None = None) -> str:
    """Return the state of a thread by proc(5): R, S, D, T (stopped by a signal), t (by a tracer), Z …"""
    text = pathlib.Path(f"/proc/{pid}/task/{thread or pid}/stat").read_text("utf-8", "replace")
    return text.rsplit(")", 1)[1].split()[0]


def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until the condition is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.01)
