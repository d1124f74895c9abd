"""An attach that is refused: jitscope says why, and what to type, in one line after GDB's."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import JITSCOPE
from tests.interpreters import ROOT, gdbs
from tests.pseudo_terminal import spawn

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs().keys())
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
SLEEP = "import time; print('ready', flush=True); time.sleep(120)"


@pytest.fixture
def sleeper() -> Iterator[int]:
    """Yield a process of this user that sleeps."""
    process = subprocess.Popen([sys.executable, "-c", SLEEP], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        yield process.pid
    finally:
        harness.kill_session(process)
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture
def nobody() -> list[str]:
    """Return the beginning of a command that runs as another user."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("needs root, who can be someone else")
    if subprocess.run([*NOBODY, "test", "-r", str(JITSCOPE)], check=False).returncode != 0:
        pytest.skip("the checkout is not readable for other users")
    return NOBODY


def environment() -> dict[str, str]:
    return {**harness.environment(), "HOME": "/nonexistent", "TERM": "dumb"}


def batch(command: list[str], *arguments: str) -> str:
    done = subprocess.run(
        [*command, "-nx", "-batch", "-q", "-iex", "set width 0", "-ex", f"source {JITSCOPE}", *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout + done.stderr


def status(output: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
    jsonschema.validate(found, json.loads((ROOT / "docs" / "schema" / "status.json").read_text()))
    return found


@GDBS
def test_by_jit_status(gdb: str, nobody: list[str], sleeper: int) -> None:
    why = f"missing: process {sleeper} ({os.path.basename(sys.executable)[:15]}"
    for attach in (["-ex", f"attach {sleeper}"], ["-p", str(sleeper)], [f"--pid={sleeper}"]):
        text = batch([*nobody, gdb], *attach, "-ex", "jit status")
        assert "Operation not permitted" in text
        assert re.search(rf"^{re.escape(why)}.* it runs as user 0, and this is user 65534: sudo gdb -p {sleeper}$",
                         text, re.M), text  # fmt: skip
    found = status(batch([*nobody, gdb], "-ex", f"attach {sleeper}", "-ex", "jit status -json"))
    assert found["access"]["pid"] == sleeper and found["access"]["reason"] == "user"
    assert not found["access"]["allowed"] and found["access"]["fix"] == f"sudo gdb -p {sleeper}"


@GDBS
def test_by_a_line_of_its_own(gdb: str, nobody: list[str], sleeper: int) -> None:
    """The note comes at a prompt, once for each attempt, and only for attempts that were refused."""
    arguments = ["-nx", "-q", "-iex", "set width 0", "-ex", f"source {JITSCOPE}", "-p", str(sleeper)]
    child = spawn(
        nobody[0], [*nobody[1:], gdb, *arguments], env=environment(), timeout=60, encoding="utf-8", echo=False
    )
    line = re.compile(rf"^jitscope: process {sleeper} .* it runs as user 0, .*; type sudo gdb -p {sleeper}\r?$", re.M)

    def answer(command: str) -> str:
        child.sendline(command)
        child.expect_exact("(gdb) ")
        return str(child.before)

    try:
        child.expect_exact("(gdb) ")
        assert len(line.findall(child.before)) == 1, child.before
        assert "jitscope" not in answer("print 1")
        assert len(line.findall(answer(f"attach {sleeper}"))) == 1
        assert len(line.findall(answer(f"att {sleeper}"))) == 1
        assert "jitscope" not in answer("print 2")
        own = subprocess.Popen([*nobody, sys.executable, "-c", SLEEP], stdout=subprocess.PIPE, start_new_session=True)
        assert own.stdout is not None
        with own.stdout:
            own.stdout.readline()
            shown = answer(f"attach {own.pid}") + answer("detach") + answer("print 3")
            harness.kill_session(own)
        # A process whose user may not read its executable is undumpable, and then this is refused, too.
        assert ("may not be debugged" in shown) == ("not permitted" in shown), shown
    finally:
        child.close(force=True)


@GDBS
def test_not_of_another_session(gdb: str, tmp_path: pathlib.Path) -> None:
    """An attempt that was typed before jitscope was loaded, or in an earlier session, is not this session's."""
    history = tmp_path / "history"
    history.write_text("attach 99999998\n")
    arguments = ["-nx", "-q", "-iex", "set width 0", "-iex", f"source {JITSCOPE}"]
    for command in (arguments, ["-nx", "-q", "-p", "99999997"]):
        child = spawn(
            gdb, command, env={**environment(), "GDBHISTFILE": str(history)}, timeout=60, encoding="utf-8", echo=False
        )
        try:
            child.expect_exact("(gdb) ")
            shown = child.before
            for text in ("show commands", "print 1", f"source {JITSCOPE}", "print 2"):
                child.sendline(text)
                child.expect_exact("(gdb) ")
                shown += child.before
            assert "attach 99999998" in shown and "jitscope:" not in shown, shown
            child.sendline("attach 99999998")
            child.expect_exact("(gdb) ")
            assert "jitscope: there is no process 99999998 here" in child.before
        finally:
            child.close(force=True)


@GDBS
def test_a_process_that_another_debugs(gdb: str, sleeper: int) -> None:
    wait = ["-ex", "echo here\\n", "-ex", "python import time; time.sleep(60)"]
    other = subprocess.Popen(
        [gdb, "-nx", "-batch", "-q", "-p", str(sleeper), *wait],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert other.stdout is not None
        with other.stdout:
            for text in other.stdout:
                if text == "here\n":
                    break
        text = batch([gdb], "-ex", f"attach {sleeper}", "-ex", "jit status")
        # The name is the loader's if GDB has libraries of its own.
        assert re.search(rf"process {other.pid} \(.+\) is debugging it already: kill {other.pid}\b", text), text
    finally:
        harness.kill_session(other)


@GDBS
def test_of_any_process(gdb: str, sleeper: int) -> None:
    text = batch([gdb], "-ex", f"jit status {sleeper}")
    assert f"process {sleeper} " in text and " may be debugged" in text
    text = batch([gdb], "-ex", "jit status 99999999")
    assert "missing: there is no process 99999999 here " in text
    for bad in ("x", "0", "99999999999", "1 2", "-1"):
        text = batch([gdb], "-ex", f"jit status {bad}")
        assert len(text.strip().splitlines()) == 1 and ("no process number" in text or "unknown" in text), text
    found = status(batch([gdb], "-ex", f"jit status -json {sleeper}"))
    assert found["access"]["allowed"] and found["access"]["fix"] == "" and found["family"] is None
