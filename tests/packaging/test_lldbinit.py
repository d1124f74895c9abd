"""`jitscope lldbinit` changes its own line of .lldbinit and no other byte, and LLDB loads jitscope by it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from tests.interpreters import lldbs
from tests.packaging.conftest import ROOT

LINE_NOW = f"command script import {ROOT}/lldbext/jitscope_lldb.py".encode()


def jitscope(*arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jitscope", "lldbinit", *map(os.fspath, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_printed() -> None:
    done = jitscope()
    assert (done.stdout.encode(), done.returncode) == (LINE_NOW + b"\n", 0)


@pytest.mark.parametrize(
    "before", [b"", b"settings set auto-confirm true\n", b"no newline at the end", b"\xff\x00\r\n\n"]
)
def test_written_once_and_removed(tmp_path: pathlib.Path, before: bytes) -> None:
    file = tmp_path / "lldb init"
    file.write_bytes(before)
    for _ in range(2):
        done = jitscope("--write", "--file", file)
        assert done.returncode == 0, done.stderr
        assert file.read_bytes().startswith(before)
        assert file.read_bytes()[len(before) :].strip() == LINE_NOW
    assert "already" in done.stdout
    for _ in range(2):
        assert jitscope("--remove", "--file", file).returncode == 0
        assert file.read_bytes() == before


def test_an_older_place_is_replaced_where_it_stood(tmp_path: pathlib.Path) -> None:
    file = tmp_path / ".lldbinit"
    file.write_bytes(b'first\ncommand script import "/some where/lldbext/jitscope_lldb.py"\nlast\n')
    assert jitscope("--write", "--file", file).returncode == 0
    assert file.read_bytes() == b"first\n" + LINE_NOW + b"\nlast\n"


@pytest.mark.parametrize("lldb", lldbs().values(), ids=[f"lldb-{name}" for name in lldbs()])
def test_lldb_loads_it(lldb: str, tmp_path: pathlib.Path) -> None:
    jitscope("--write", "--file", tmp_path / ".lldbinit")
    command = [lldb, "-b", "-o", "jit status"]
    done = subprocess.run(command, env={**os.environ, "HOME": str(tmp_path)}, capture_output=True, text=True)
    assert "jitscope 0." in done.stdout, done.stdout + done.stderr
