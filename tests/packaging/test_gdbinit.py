"""`jitscope gdbinit` changes its own line of .gdbinit and no other byte."""

from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitscope.cli.gdbinit import LINE, gdbinit_line
from jitscope.cli.init_line import replace_line
from tests.interpreters import first_gdb
from tests.packaging.conftest import ROOT

LINE_NOW = f"source {ROOT}/gdbext/jitscope.py".encode()


def jitscope(*arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jitscope", "gdbinit", *map(os.fspath, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_printed() -> None:
    done = jitscope()
    assert (done.stdout.encode(), done.returncode) == (LINE_NOW + b"\n", 0)
    assert gdbinit_line() == LINE_NOW


@pytest.mark.parametrize(
    "before", [b"", b"set confirm off\n", b"no newline at the end", b"\xff\x00\r\n\n\n", b"# source jitscope.py\n"]
)
def test_written_once_and_removed(tmp_path: pathlib.Path, before: bytes) -> None:
    file = tmp_path / "gdb init"
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


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"source ", b"/gdbext/jitscope.py", b"\xfe"])).map(b"".join))
def test_any_file_comes_back(before: bytes) -> None:
    if any(LINE.fullmatch(line) for line in before.split(b"\n")):
        written = replace_line(before, LINE_NOW, LINE)
        assert written.split(b"\n").count(LINE_NOW) == 1
        assert replace_line(written, LINE_NOW, LINE) == written
        assert replace_line(written, None, LINE) == replace_line(before, None, LINE)
    else:
        assert replace_line(replace_line(before, LINE_NOW, LINE), None, LINE) == before


def test_an_older_place_is_replaced_where_it_stood(tmp_path: pathlib.Path) -> None:
    file = tmp_path / ".gdbinit"
    file.write_bytes(b"first\nsource /some where/gdbext/jitscope.py\nlast\nsource ~/x/gdbext/jitscope.py\n")
    assert jitscope("--write", "--file", file).returncode == 0
    assert file.read_bytes() == b"first\n" + LINE_NOW + b"\nlast\n"


def test_link_and_mode_stay(tmp_path: pathlib.Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles" / "gdbinit"
    real.write_bytes(b"set confirm off\n")
    real.chmod(0o640)
    link = tmp_path / ".gdbinit"
    link.symlink_to("dotfiles/gdbinit")
    assert jitscope("--write", "--file", link).returncode == 0
    assert os.readlink(link) == "dotfiles/gdbinit"
    assert real.read_bytes() == b"set confirm off\n" + LINE_NOW + b"\n"
    assert real.stat().st_mode & 0o7777 == 0o640
    assert [p.name for p in real.parent.iterdir()] == ["gdbinit"]


def test_home_is_the_default(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert jitscope("--write").returncode == 0
    assert (tmp_path / ".gdbinit").read_bytes() == LINE_NOW + b"\n"


def test_where_gdb_reads_another_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GDB ignores ~/.gdbinit if there is a gdb/gdbinit in the configuration folder; so does jitscope."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    preferred = tmp_path / "config" / "gdb" / "gdbinit"
    preferred.parent.mkdir(parents=True)
    (tmp_path / ".gdbinit").touch()
    preferred.touch()
    assert jitscope("--write").returncode == 0
    assert preferred.read_bytes() == LINE_NOW + b"\n" and (tmp_path / ".gdbinit").read_bytes() == b""
    done = subprocess.run([first_gdb(), "-batch", "-ex", "jit status"], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("jitscope "), done.stderr
    preferred.unlink()
    assert jitscope("--write").returncode == 0
    assert (tmp_path / ".gdbinit").read_bytes() == LINE_NOW + b"\n"


@pytest.mark.parametrize("option", ["--write", "--remove"])
def test_what_cannot_be_is_one_line(tmp_path: pathlib.Path, option: str) -> None:
    for bad in (tmp_path, tmp_path / "file" / "below"):
        (tmp_path / "file").touch()
        done = jitscope(option, "--file", bad)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1 and str(bad) in done.stderr
    assert jitscope("--write", "--remove").returncode == 2
    assert jitscope("--file", tmp_path / "x").returncode == 2


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{shlex.quote(sys.executable)} -m jitscope gdbinit | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""
