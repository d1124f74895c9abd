"""What other tools show of the traceback of an exception that compiled code has raised."""

from __future__ import annotations

import pathlib
import re
import subprocess

from tests.interpreters import newest_python
from tests.oracle.raised.program import BETWEEN, ONCE, PROGRAM, TOP, environment


def program(folder: pathlib.Path, calls: str = "once(9)\n") -> pathlib.Path:
    """Write a program that raises, and return its path."""
    file = folder / "program.py"
    file.write_text(PROGRAM.format(options="") + calls)
    return file


def test_pytest_shows_the_frames(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_once.py").write_text(PROGRAM.format(options="") + "\n\ndef test_once():\n    once(9)\n")
    done = subprocess.run(
        [newest_python(), "-m", "pytest", "-l", "-p", "no:cacheprovider", "test_once.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    shown = re.findall(
        r"^test_once\.py:\d+: in (\w+)\n +(.*)", done.stdout, re.MULTILINE
    )  # all but the first and the last
    assert shown == [ONCE, BETWEEN], done.stdout
    assert "def innermost(x):" in done.stdout and f">           {TOP[1]}" in done.stdout, done.stdout


def test_pdb_shows_the_frames(tmp_path: pathlib.Path) -> None:
    file = program(tmp_path)
    done = subprocess.run(
        [newest_python(), "-m", "pdb", "-c", "continue", str(file)],
        env=environment(),
        input="where\nup\nlist .\nup\np __name__\nquit\nquit\n",
        capture_output=True,
        text=True,
        timeout=300,
    )
    where = done.stdout.partition("(Pdb) ")[2]
    assert [where.index(text) for text in (ONCE[1], BETWEEN[1], TOP[1])] == sorted(
        where.index(text) for text in (ONCE[1], BETWEEN[1], TOP[1])
    )
    assert re.search(r"^ *14 +->\t    return innermost", done.stdout, re.MULTILINE), done.stdout
    assert "'__main__'" in done.stdout


def test_ipython_shows_the_frames(tmp_path: pathlib.Path) -> None:
    file = program(tmp_path)
    done = subprocess.run(
        [newest_python(), "-m", "IPython", "--no-banner", "--colors=NoColor", "--simple-prompt", str(file)],
        env=environment(IPYTHONDIR=str(tmp_path), HOME=str(tmp_path)),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
    )
    text = done.stdout + done.stderr
    for name in ("once", "between", "innermost"):
        assert f"in {name}" in text, text


def test_ipythons_debugger_shows_the_frames(tmp_path: pathlib.Path) -> None:
    done = subprocess.run(
        [newest_python(), "-m", "IPython", "--no-banner", "--colors=NoColor", "--simple-prompt"],
        env=environment(IPYTHONDIR=str(tmp_path), HOME=str(tmp_path)),
        cwd=tmp_path,
        input=f"%run {program(tmp_path).name}\n%debug\nup\nup\nquit\nquit\n",
        capture_output=True,
        text=True,
        timeout=100,
    )
    shown = re.findall(r"> \S*program\.py\((\d+)\)(\w+)\(\)$", done.stdout, re.MULTILINE)
    assert shown == [("8", "innermost"), ("14", "between"), ("21", "once")], done.stdout


def test_loguru_shows_the_frames(tmp_path: pathlib.Path) -> None:
    calls = (
        "import sys",
        "from loguru import logger",
        "logger.remove()",
        "logger.add(sys.stdout, colorize=False, backtrace=True, diagnose=False)",
        "with logger.catch():",
        "    once(9)",
    )
    done = subprocess.run(
        [newest_python(), str(program(tmp_path, "\n".join(calls)))],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
    )
    shown = re.findall(r'^ +File ".*program\.py", line \d+, in (\w+)\n +(.*)', done.stdout, re.MULTILINE)
    assert shown == [ONCE, BETWEEN, TOP], done.stdout
