"""The CPythons of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.interpreters import ROOT

MINORS = range(9, 16)
FREE_THREADED = (13, 14)  # minors that have a build without a GIL, too
ASK = (
    "import sys, sysconfig; print(sys.version_info[1], sys.hexversion, sys.base_prefix,"
    " int(bool(sysconfig.get_config_var('Py_GIL_DISABLED'))))"
)


class Interpreter:
    """One CPython of this machine."""

    def __init__(self, path: str, minor: int, version: int, prefix: str, free_threaded: bool) -> None:
        self.path, self.minor, self.version, self.prefix = path, minor, version, prefix
        self.free_threaded = free_threaded
        # "holds_gil" of a thread that does not run: there is no GIL, or it does not hold it
        self.without_gil = None if free_threaded else False

    def __str__(self) -> str:
        micro = f"{self.version >> 8 & 0xFF}{'t' if self.free_threaded else ''}"
        return f"3.{self.minor}.{micro}-{'pyenv' if 'pyenv' in self.prefix else Path(self.prefix).name or 'root'}"


def _candidates() -> Iterator[str]:
    yield from filter(None, os.environ.get("JITSCOPE_PYTHONS", "").split(":"))
    for folder in os.get_exec_path():  # all folders, because a pyenv shim may come before Debian's
        yield from (f"{folder}/python3.{minor}" for minor in MINORS)
    if shutil.which("pyenv"):
        versions = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True).stdout.split()
        root = subprocess.run(["pyenv", "root"], capture_output=True, text=True).stdout.strip()
        yield from (f"{root}/versions/{version}/bin/python" for version in versions if "/" not in version)
    # Interpreters of scripts/matrix
    yield from map(str, sorted((ROOT / ".matrix").glob("python-*/usr/bin/python3.*[0-9]")))
    yield from map(str, sorted((ROOT / ".matrix").glob("python-*t/bin/python3.*[0-9]t")))
    yield sys.executable


@lru_cache
def interpreters() -> tuple[Interpreter, ...]:
    """Return every interpreter once, by version and prefix."""
    found: dict[tuple[str, str], Interpreter] = {}
    for path in _candidates():
        asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True) if os.access(path, os.X_OK) else None
        if asked and asked.returncode == 0:
            minor, version, prefix, free_threaded = asked.stdout.split()
            if int(minor) in MINORS:
                one = Interpreter(path, int(minor), int(version), prefix, free_threaded == "1")
                found.setdefault((version, prefix), one)
    return tuple(found.values())


def all_or_skips() -> list[Any]:
    """Return the interpreters, and a skip for every version without one. All tests of a file share one process of
    each."""
    have = {(interpreter.minor, interpreter.free_threaded) for interpreter in interpreters()}
    wanted = [(minor, False) for minor in MINORS] + [(minor, True) for minor in FREE_THREADED]
    names = [
        f"3.{minor}{'t' if free_threaded else ''}"
        for minor, free_threaded in wanted
        if (minor, free_threaded) not in have
    ]
    missing = [
        pytest.param(None, id=name, marks=pytest.mark.skip(f"no python{name} on PATH, in pyenv or in .matrix"))
        for name in names
    ]
    found = {str(interpreter): interpreter for interpreter in interpreters()}
    return [pytest.param(one, id=name, marks=pytest.mark.xdist_group(name)) for name, one in found.items()] + missing
