"""Runs the programs of a folder compiled: once to compile, then program by program, a SIGUSR1 before each.

Usage: debuggee.py FOLDER PROGRAM…  FOLDER/clock says at which address the count of the call under way stands
(0 between calls), and the number of the program; FOLDER/compiled.json what came of each program.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import json
import pathlib
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

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


def outcome(call: Callable[[], Any]) -> str:
    """What a call returns or raises."""
    try:
        value = call()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return repr(_plain(value))


def _plain(value: Any) -> Any:
    """A number as float, by which Python's and NumPy's are alike; so in tuples, lists, sets, dicts and arrays."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (tuple, list)):
        return (tuple if isinstance(value, tuple) else list)(map(_plain, value))
    if isinstance(value, set):
        return sorted(map(_plain, value))
    if isinstance(value, dict):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (complex, np.complexfloating)):
        return complex(value)
    is_number = isinstance(value, (bool, int, float, np.number, np.bool_)) and not isinstance(value, np.timedelta64)
    return float(value) if is_number else repr(value)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    (folder / "clock").write_text(str(ctypes.addressof(CLOCK)))
    made: dict[str, dict[str, Any]] = {}
    programs = {}
    for name in sys.argv[2:]:
        started = time.monotonic()
        programs[name] = load(folder / f"{name}.py")
        results = [outcome(call) for call in programs[name]]
        made[name] = {"results": results, "seconds": time.monotonic() - started}
    (folder / "compiled.json").write_text(json.dumps(made))
    for number, name in enumerate(sys.argv[2:]):
        CLOCK[0], CLOCK[1] = number, 0
        signal.raise_signal(signal.SIGUSR1)
        for count, call in enumerate(programs[name], 1):
            CLOCK[1] = count
            with contextlib.suppress(Exception):
                call()
            CLOCK[1] = 0
    CLOCK[0] = -1
    signal.raise_signal(signal.SIGUSR1)


if __name__ == "__main__":
    main()
