"""The compilation of a corpus, in the process whose code is looked at: programs by their calls, or a package by the
calls of tests/packages.

main() is called before the code that tests/oracle/jit_objects.py adds."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import sys
from pathlib import Path

PR_SET_PTRACER, ANY = 0x59616D61, -1


def main(package: str, *files: str) -> None:
    """Compile a package's calls, or the programs in the files. `package`: "" for programs."""
    ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(ANY), 0, 0, 0)
    if package:
        calls = [call for _, call in importlib.import_module(f"tests.packages.calls.of_{package}").calls()]
    else:
        calls = []
        for file in map(Path, files):
            spec = importlib.util.spec_from_file_location(file.stem, file)
            assert spec is not None and spec.loader is not None
            module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            calls += module.CALLS
    for call in calls:
        with contextlib.suppress(Exception):
            call()
