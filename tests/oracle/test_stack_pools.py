"""What js_stacks_take says of threads that run parallel loops, wait for their workers, or wait for work, and of
compiled code that holds the GIL."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gdb.threading_layers import LIBRARIES, NEEDS_TBB
from tests.interpreters import newest_python
from tests.oracle.python_stacks.interpreters import Interpreter
from tests.oracle.python_stacks.target import running

PROGRAM = """\
import ctypes, os, sys, threading, time
import numpy as np
from numba import njit, prange

lock = threading.Lock()

@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
def callback(x):
    with lock:  # wanted
        return x + 1

@njit(parallel=True)
def calls_back(a):
    for i in prange(a.shape[0]):  # calls back
        a[i] = callback(a[i])

@njit(parallel=True, nogil=True)
def lasts(a):
    for i in prange(a.shape[0]):  # lasts
        x = 0.0
        if i >= a.shape[0] // 2:
            for k in range(10**12):
                x += a[i] * k  # body
        a[i] = x

@njit
def spins(a):
    x = 0.0
    for k in range(10**12):
        x += a[k % 3] * k  # spins
    return x

def other():
    while True:
        time.sleep(0.01)

mode = sys.argv[1]
if mode == "gil":
    spins.compile("f8(f8[::1])")
    threading.Thread(target=other, daemon=True).start()
    time.sleep(0.1)
    print("ready", flush=True)
    spins(np.arange(4.0))
elif mode == "lasts":
    lasts.compile("void(f8[::1])")
    print("ready", flush=True)
    lasts(np.zeros(8))
else:
    calls_back.compile("void(f8[::1])")
    print("ready", flush=True)
    with lock:  # held
        calls_back(np.zeros(8))
"""

LAYERS = [pytest.param("workqueue"), pytest.param("omp"), pytest.param("tbb", marks=NEEDS_TBB)]


def line(mark: str) -> int:
    return next(number for number, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith(f"# {mark}"))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run PROGRAM in a mode, until what its threads do fits."""
    stacks = pytest.importorskip("jitscope.stacks.taking")
    program = tmp_path / "pools.py"
    program.write_text(PROGRAM)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    monkeypatch.setenv("JITSCOPE", "1")
    monkeypatch.delenv("JITSCOPE_LEVEL", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(LIBRARIES))

    def run(mode: str, fits: Callable[[dict[str, Any]], bool], layer: str = "workqueue") -> dict[str, Any]:
        monkeypatch.setenv("NUMBA_THREADING_LAYER", layer)
        interpreter = Interpreter(newest_python(), sys.version_info[1], sys.hexversion, "numba", False)
        end = time.monotonic() + 20
        with running(interpreter, str(program), mode) as (process, _), stacks.Stacks(process.pid) as one:
            while True:
                taken: dict[str, Any] = one.take()
                if fits(taken) or time.monotonic() > end:
                    return taken
                time.sleep(0.1)

    return run


def said(taken: dict[str, Any]) -> list[str]:
    return [re.sub(r"(thread \d+) \([^)]*\)", r"\1", thread["does"]) for thread in taken["threads"]]


def test_compiled_code_that_holds_the_gil(run: Callable[..., Any]) -> None:
    expected = f"runs spins at pools.py:{line('spins')}, and holds the GIL"
    waits = "waits for the GIL, which thread {pid} holds"
    taken = run("gil", lambda t: expected in said(t) and waits.format(**t) in said(t))
    assert expected in said(taken) and waits.format(**taken) in said(taken), said(taken)
    waiter = next(thread["waits_for"] for thread in taken["threads"] if thread["does"].startswith("waits"))
    place = {"native_id": taken["pid"], "function": "spins", "line": line("spins")}
    assert waiter.items() >= {"for": "gil", "timed": True, **place}.items()
    none = {"circles": [], "unknown_owners": 0, "task_circles": [], "summary": "no circle of threads was found"}
    assert taken["deadlock"] == none


@pytest.mark.parametrize("layer", LAYERS)
def test_workers_of_a_loop(run: Callable[..., Any], layer: str) -> None:
    """The first half of the iterations ends at once."""
    waits = f"waits for the workers of the parallel loop of lasts at pools.py:{line('lasts')}"
    runs = re.compile(r"runs lasts\.prange at pools\.py:\d+(, iterations \d+\.\.\d+)?$")
    work = f"waits for work ({layer})"
    taken = run("lasts", lambda t: any(map(runs.match, said(t))) and (waits in said(t) or work in said(t)), layer)
    main = taken["threads"][0]
    assert any(map(runs.match, said(taken))), said(taken)
    if main["waits_for"] is None:  # the caller itself runs the long half
        assert runs.match(main["does"]) and work in said(taken)
    else:
        assert main["does"] == waits and main["waits_for"]["for"] == "workers"
        assert main["waits_for"]["function"] == "lasts" and main["waits_for"]["line"] == line("lasts")
    assert taken["deadlock"]["circles"] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_a_worker_waits_for_a_lock_of_the_thread_that_waits_for_it(run: Callable[..., Any], layer: str) -> None:
    taken = run("locked", lambda t: bool(t["deadlock"]["circles"]), layer)
    circles = taken["deadlock"]["circles"]
    assert circles, said(taken)
    threads = circles[0]["threads"]
    held = f"waits for a lock that <module> at pools.py:{line('held')} in thread {taken['pid']} holds"
    if len(threads) == 1:  # the caller runs iterations, too
        assert threads[0]["native_id"] == taken["pid"]
        own = f"waits for a lock that it holds itself (callback at pools.py:{line('wanted')})"
        assert threads[0]["does"] == own and taken["deadlock"]["summary"] == "1 thread waits for itself"
    else:
        assert {thread["waits_for"]["for"] for thread in threads} == {"lock", "workers"}
        assert taken["threads"][0]["waits_for"]["for"] == "workers" and held in said(taken)
        assert threads[0]["function"] in ("calls_back", "callback")
    assert [circle for circle in circles if not any(t["native_id"] == taken["pid"] for t in circle["threads"])] == []
