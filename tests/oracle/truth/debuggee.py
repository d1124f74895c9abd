"""The run of a program's cases for the oracle: a warm-up, then once for each phase, with a SIGUSR1 before each phase.

Usage: debuggee.py PROGRAM PHASES [NAME …].  The signal hands control to GDB."""

from __future__ import annotations

import importlib.util
import pathlib
import signal
import sys
from types import ModuleType


def load(path: str) -> ModuleType:
    """Return the module at `path`, under its own name (so that its functions are named `module::function`)."""
    file = pathlib.Path(path)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    path, phases, *names = sys.argv[1:]
    cases = load(path).CASES
    chosen = [cases[name] for name in names or cases]
    for case in chosen:
        case()
    for _ in range(int(phases)):
        signal.raise_signal(signal.SIGUSR1)
        for case in chosen:
            case()


if __name__ == "__main__":
    main()
