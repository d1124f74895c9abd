"""Elements of arrays that a loop keeps in registers: memory has older ones, and `jitscope stack --locals` says so."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import newest_python, with_hook
from tests.stacks.taking import needs_library, running, take, until

PROGRAM = """\
import os
import numpy as np
from numba import njit

@njit(debug=True)
def spin(a, n):
    same = a
    for k in range(n):
        a[0] += k * 0.5  # the sum is in a register
    return same

spin.compile("float64[::1](float64[::1], int64)")
def main():
    array = np.array([1.0, 2.0])
    listed = [array, 3]
    print("ready", os.getpid(), flush=True)
    spin(array, 10**13)
main()
"""
LABEL = "elements may be older: the loop at "


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    needs_library()
    path = tmp_path_factory.mktemp("kept") / "kept.py"
    path.write_text(PROGRAM)
    with running(newest_python(), path, env={**with_hook(), "JITSCOPE_LEVEL": "exact"}) as process:
        until(lambda: "spin" in {frame["name"] for frame in take(process.pid)["threads"][0]["frames"]})
        yield process


def variables(taken: dict[str, Any]) -> dict[str, dict[str, Any]]:
    frames = taken["threads"][0]["frames"]
    return {each["name"]: each for frame in reversed(frames) for each in frame.get("locals", [])}


def check(taken: dict[str, Any]) -> None:
    found = variables(taken)
    for name in ("same", "array", "listed"):
        assert LABEL in found[name]["text"] and found[name]["state"] == "older", found[name]


def test_a_process(process: subprocess.Popen[str]) -> None:
    check(take(process.pid, values=True))


def test_a_second_take_finds_them_again(process: subprocess.Popen[str]) -> None:
    with Stacks(process.pid, values=True) as stacks:
        for _ in range(2):
            check(stacks.take(longest=10))


def test_a_core(process: subprocess.Popen[str], tmp_path: pathlib.Path) -> None:
    subprocess.run(["gcore", "-o", str(tmp_path / "core"), str(process.pid)], capture_output=True, check=True)
    core = tmp_path / f"core.{process.pid}"
    with core.open("rb") as stream, Stacks(core=stream.fileno(), values=True, written=core.stat().st_mtime) as stacks:
        check(stacks.take())
    core.unlink()


DEEP = """\
import ctypes, os, threading, time
import numpy as np
from numba import njit

pause = ctypes.CDLL(None).pause
pause.argtypes = []

@njit(nogil=True)
def sink(n):
    if n == 0:
        return pause() * 1.0
    return sink(n - 1) * 0.5 + n

def main():
    array = np.ones(2)
    time.sleep(1000)

sink.compile("float64(int64)")
threading.Thread(target=sink, args=(5000,), daemon=True).start()
threading.Timer(1.0, lambda: print("ready", os.getpid(), flush=True)).start()
main()
"""


def test_a_stack_that_is_too_deep_to_be_looked_at(tmp_path: pathlib.Path) -> None:
    needs_library()
    path = tmp_path / "deep.py"
    path.write_text(DEEP)
    with running(newest_python(), path, env={**with_hook(), "JITSCOPE_LEVEL": ""}) as process:
        found = variables(take(process.pid, values=True))["array"]
    assert found["text"] == "array([1., 1.]) <elements may be older: not all frames were looked at>"
