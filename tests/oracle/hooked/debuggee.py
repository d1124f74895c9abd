"""Runs the programs of a folder compiled: once to compile, then program by program, a SIGUSR1 before each.

Usage: debuggee.py FOLDER PROGRAM…  FOLDER/clock says at which address the count of the call under way stands
(0 between calls), and the number of the program; FOLDER/compiled.json what came of each program, FOLDER/stopped.json
what came of it with the stops.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import pathlib
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from returned import both, exactly

CLOCK = (ctypes.c_int64 * 2)()  # program, call


def load(file: pathlib.Path) -> list[Callable[[], Any]]:
    """The calls of the module at `file`, which runs under its own name."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    calls: list[Callable[[], Any]] = module.CALLS
    return calls


def main() -> None:
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
    (folder / "compiled.json").write_text(json.dumps(made))
    stopped: dict[str, list[str]] = {}
    for number, name in enumerate(sys.argv[2:]):
        CLOCK[0], CLOCK[1] = number, 0
        signal.raise_signal(signal.SIGUSR1)
        for count, call in enumerate(programs[name], 1):
            CLOCK[1] = count
            stopped.setdefault(name, []).append(exactly(call))
            CLOCK[1] = 0
    (folder / "stopped.json").write_text(json.dumps(stopped))
    CLOCK[0] = -1
    signal.raise_signal(signal.SIGUSR1)


if __name__ == "__main__":
    main()
