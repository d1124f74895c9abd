"""scripts/demo on a machine that has no pseudo-terminal to give."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from tests.interpreters import ROOT
from tests.scenarios import demo

# A mount namespace of its own, in which nothing is left of /dev/pts.
HIDE = 'mount -t tmpfs none /dev/pts && exec "$@"'
ALONE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", HIDE, "sh"]


def without_terminals(*command: str) -> subprocess.CompletedProcess[str]:
    if subprocess.run([*ALONE, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("this machine lets nobody have a mount namespace")
    return subprocess.run([*ALONE, *command], capture_output=True, text=True, cwd=ROOT)


def test_scenarios_that_need_a_terminal_are_skipped() -> None:
    done = without_terminals(sys.executable, "-m", "tests.scenarios.demo", "b1", "b3")
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith("skipped: no pseudo-terminal is free (") for line in lines) == 2, done.stdout
    assert sum(line.startswith("0 of 2 scenarios pass, 2 skipped, in ") for line in lines) == 1, done.stdout


def test_the_levels_and_a_next_step_are_shown() -> None:
    done = without_terminals(sys.executable, "-m", "tests.scenarios.demo", "b1", "b3")
    assert "At level stock a program runs as Numba alone compiles it" in done.stdout, done.stdout
    titles = [line for line in done.stdout.splitlines() if line.startswith("━━ ")]
    assert len(titles) == 2 and all(title.endswith(", level stock") for title in titles), done.stdout
    assert done.stdout.splitlines()[-1].startswith(".venv/bin/jitscope run prog.py, then break "), done.stdout


def test_cores_of_programs_that_crash_are_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """The kernel writes a core into the folder where the program was started."""
    monkeypatch.chdir(tmp_path)
    folders = []
    monkeypatch.setattr(demo, "play", lambda *_: folders.append(os.getcwd()) or 0)
    monkeypatch.setattr(sys, "argv", ["demo", "b1"])
    assert demo.main() == 0
    (folder,) = folders
    assert folder != str(tmp_path) and not os.path.exists(folder)


def test_what_starts_one_is_skipped_too() -> None:
    program = "import tests.pseudo_terminal as t; t.spawn('true', [])"
    done = without_terminals(sys.executable, "-c", program)
    assert done.returncode == 1, done.stdout
    last = done.stderr.splitlines()[-1]
    assert last.startswith("tests.pseudo_terminal.NoTerminal: no pseudo-terminal is free ("), done.stderr
