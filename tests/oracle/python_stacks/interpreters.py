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

MINORS = range(9, 15)
ASK = "import sys; print(sys.version_info[1], sys.hexversion, sys.base_prefix)"


class Interpreter:
    """One CPython of this machine."""

    def __init__(self, path: str, minor: int, version: int, prefix: str) -> None:
        self.path, self.minor, self.version, self.prefix = path, minor, version, prefix

    def __str__(self) -> str:
        micro = f"{self.version >> 8 & 0xFF}"
        return f"3.{self.minor}.{micro}-{'pyenv' if 'pyenv' in self.prefix else Path(self.prefix).name or 'root'}"


def _candidates() -> Iterator[str]:
    yield from filter(None, os.environ.get("JITSCOPE_PYTHONS", "").split(":"))
    for folder in os.get_exec_path():  # all folders, because a pyenv shim may come before Debian's
        yield from (f"{folder}/python3.{minor}" for minor in MINORS)
    if shutil.which("pyenv"):
        versions = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True).stdout.split()
        root = subprocess.run(["pyenv", "root"], capture_output=True, text=True).stdout.strip()
        yield from (f"{root}/versions/{version}/bin/python" for version in versions if "/" not in version)
    yield sys.executable


@lru_cache
def interpreters() -> tuple[Interpreter, ...]:
    """Return every interpreter once, by version and prefix."""
    found: dict[tuple[str, str], Interpreter] = {}
    for path in _candidates():
        asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True) if os.access(path, os.X_OK) else None
        if asked and asked.returncode == 0:
            minor, version, prefix = asked.stdout.split()
            if int(minor) in MINORS:
                found.setdefault((version, prefix), Interpreter(path, int(minor), int(version), prefix))
    return tuple(found.values())


def all_or_skips() -> list[Any]:
    """Return the interpreters, and a skip for every version without one. All tests of a file share one process of
    each."""
    have = {interpreter.minor for interpreter in interpreters()}
    missing = [
        pytest.param(None, id=f"3.{minor}", marks=pytest.mark.skip(f"no python3.{minor} on PATH or in pyenv"))
        for minor in MINORS
        if minor not in have
    ]
    found = {str(interpreter): interpreter for interpreter in interpreters()}
    return [pytest.param(one, id=name, marks=pytest.mark.xdist_group(name)) for name, one in found.items()] + missing
