"""Fixtures that make attaching fail."""

from __future__ import annotations

import pathlib
import stat
import subprocess
from collections.abc import Callable

import pytest

HERE = pathlib.Path(__file__).parent


@pytest.fixture(scope="session")
def deny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build tests/attach/deny.c."""
    path = tmp_path_factory.mktemp("deny") / "deny"
    subprocess.run(["cc", "-Wall", "-Werror", "-o", str(path), str(HERE / "deny.c")], check=True)
    return str(path)


@pytest.fixture
def script(tmp_path: pathlib.Path) -> Callable[[str], str]:
    """Return a function that makes a shell script that can be used in place of GDB."""

    def make(text: str) -> str:
        path = tmp_path / "gdb"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return make
