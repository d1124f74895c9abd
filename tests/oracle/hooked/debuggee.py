"""The run of a folder's programs, compiled: once to compile, then program by program, with a SIGUSR1 before each.

Usage: debuggee.py FOLDER PROGRAM…  FOLDER/clock has the address of the number of the present call (0 between calls) and
of the number of the program; FOLDER/compiled.json has the outcome of each program, FOLDER/stopped.json its outcome with
the stops. With JITSCOPE_HOOKED_ATTACHED=1, it waits for a debugger before the stops, and FOLDER/after.json has the
outcome of each program after the debugger has left."""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import gc
import importlib.util
import json
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from returned import both, exactly

UNCHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "0"  # otherwise the compiled code may raise at a FAULT, too
CLOCK = (ctypes.c_int64 * 3)()  # program, call, whether the fault is over


def module_at(file: pathlib.Path) -> ModuleType:
    """Return the module in `file`, which runs under its own name."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def load(file: pathlib.Path) -> list[Callable[[], Any]]:
    """Return the calls of a program."""
    calls: list[Callable[[], Any]] = module_at(file).CALLS
    return calls


def run_fault(call: Callable[[], Any]) -> None:
    """Run the call in a thread that a debugger ends at the fault, and wait until the thread has ended."""

    def run() -> None:
        with contextlib.suppress(Exception):
            call()
        CLOCK[2] = 1

    CLOCK[2] = 0
    _thread.start_new_thread(run, ())
    while not CLOCK[2]:
        time.sleep(0.001)


def write(file: pathlib.Path, found: Any) -> None:
    """Write the file as a whole: another process waits for it."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps(found))
    part.rename(file)


def is_debugged() -> bool:
    status = pathlib.Path("/proc/self/status").read_text()
    return "TracerPid:\t0\n" not in status


def main() -> None:
    # the compiler's objects are kept, and searching them again takes a tenth of the time
    gc.set_threshold(100_000, 50, 1000)
    folder = pathlib.Path(sys.argv[1])
    (folder / "clock").write_text(str(ctypes.addressof(CLOCK)))
    made: dict[str, dict[str, Any]] = {}
    programs = {}
    for name in sys.argv[2:]:
        started = time.monotonic()
        programs[name] = load(folder / f"{name}.py")
        results = [both(call) for call in programs[name]]
        made[name] = {
            "results": [found for found, _ in results],
            "bits": [exact for _, exact in results],
            "seconds": time.monotonic() - started,
        }
    write(folder / "compiled.json", made)
    is_attached = "JITSCOPE_HOOKED_ATTACHED" in os.environ
    while is_attached and not is_debugged():
        time.sleep(0.01)
    stopped: dict[str, list[str]] = {}
    for number, name in enumerate(sys.argv[2:]):
        CLOCK[0], CLOCK[1] = number, 0
        signal.raise_signal(signal.SIGUSR1)
        for count, call in enumerate(programs[name], 1):
            CLOCK[1] = count
            stopped.setdefault(name, []).append(exactly(call))
            CLOCK[1] = 0
        fault = getattr(sys.modules[name], "FAULT", None) if UNCHECKED else None
        if fault is not None:
            CLOCK[1] = len(programs[name]) + 1
            run_fault(fault)
            CLOCK[1] = 0
    write(folder / "stopped.json", stopped)
    CLOCK[0] = -1
    signal.raise_signal(signal.SIGUSR1)
    while is_attached and is_debugged():
        time.sleep(0.01)
    write(folder / "after.json", {name: [exactly(call) for call in calls] for name, calls in programs.items()})


if __name__ == "__main__":
    main()
