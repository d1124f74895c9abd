"""docs/command-line.md lists the exit statuses of the `jitscope` command: the command is run for each of them."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

from docs.generate import command_line
from jitscope.cli.main import COMMANDS
from tests.gdb.harness import environment
from tests.interpreters import first_gdb, newest_python

ROW = re.compile(r"^\| `(jitscope[\w ]*)` \| (?:`(\d+)`|(GDB's own)) \| .+ \|$", re.MULTILINE)
LISTED = {(name, number or other) for name, number, other in ROW.findall(command_line.page())}

# The words after `jitscope`, and the status.
RUNS: tuple[tuple[Sequence[str], int], ...] = (
    (["--version"], 0),
    (["gdbinit", "--write", "--file", "/nonexistent/gdbinit"], 1),
    (["unknown"], 2),
    ([], 2),
    (["run", "nothing.py"], 1),
    (["run"], 2),
    (["run", "--level", "fast", "nothing.py"], 2),
    (["attach", "--check", "SELF"], 0),
    (["attach", "--check", "2147483647"], 1),
    (["attach", "nothing"], 2),
    (["core", "/nonexistent/core"], 1),
    (["core"], 2),
    (["report", "SELF"], 0),
    (["report", "2147483647"], 1),
    (["report"], 2),
    (["stack", "SELF"], 0),
    (["stack", "2147483647"], 1),
    (["stack"], 2),
    (["doctor", "--python", "/nonexistent/python"], 1),
    (["doctor", "--unknown"], 2),
    (["names", "SELF"], 1),
    (["names", "nothing"], 2),
    (["gdbinit"], 0),
    (["gdbinit", "--file", "gdbinit"], 2),
    (["lldbinit"], 0),
    (["lldbinit", "--file", "lldbinit"], 2),
    (["lldbinit", "--write", "--file", "/nonexistent/lldbinit"], 1),
    (["completion", "bash"], 0),
    (["completion", "tcsh"], 2),
    (["filt", "/dev/null"], 0),
    (["filt", "/nonexistent/text"], 1),
    (["filt", "--map", "/nonexistent/map"], 1),
    (["filt", "--map", "/dev/null", "--json"], 2),
    (["filt", "--unknown"], 2),
)


def start(words: Sequence[str], **options: object) -> subprocess.Popen[bytes]:
    command = [newest_python(), "-m", "jitscope", *words]
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(command, env=environment({"JITSCOPE_GDB": first_gdb()}), **given)  # type: ignore[call-overload,no-any-return]


def status_of(words: Sequence[str]) -> int:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        process = start([str(other.pid) if word == "SELF" else word for word in words])
        process.communicate(timeout=120)
        other.communicate(b"\n")
    return process.returncode


def command_of(words: Sequence[str]) -> str:
    return f"jitscope {words[0]}" if words and words[0] in COMMANDS else "jitscope"


@pytest.mark.parametrize(("words", "status"), RUNS, ids=[" ".join(words) or "nothing" for words, _ in RUNS])
def test_statuses(words: Sequence[str], status: int) -> None:
    assert status_of(words) == status
    assert (command_of(words), str(status)) in LISTED


def test_each_listed_status_is_tested() -> None:
    """What is left: doctor's 0 is that of a whole check (tests/packaging/test_doctor.py), completion's 1 is that of
    a full disk (tests/packaging/test_completion.py), and what is left of names and stack is in
    tests/attach/test_names.py and tests/stacks/test_command.py."""
    tested = {(command_of(words), str(status)) for words, status in RUNS}
    elsewhere = {("jitscope", "130"), ("jitscope", "141"), ("jitscope", "1"), ("jitscope doctor", "0")}
    elsewhere |= {("jitscope completion", "1"), ("jitscope names", "0"), ("jitscope names", "130")}
    elsewhere |= {("jitscope stack", "130")}
    gdbs = {(f"jitscope {name}", "GDB's own") for name in ("run", "attach", "core")}
    assert LISTED - tested - elsewhere == gdbs


def test_every_command_lists_its_statuses() -> None:
    for name in COMMANDS:
        listed = {status for command, status in LISTED if command == f"jitscope {name}"}
        assert {"1", "2"} < listed, name


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["-batch", "-ex", "quit 5", "--", "-c", "pass"], 5),
        (["-batch", "-return-child-result", "-ex", "run", "--", "-c", "exit(7)"], 7),
        (["-batch", "-return-child-result", "-ex", "run", "--", "-c", "import os; os.kill(os.getpid(), 9)"], 255),
    ],
    ids=["quit", "exit", "signal"],
)
def test_the_status_of_run_is_that_of_gdb(words: Sequence[str], status: int) -> None:
    assert status_of(["run", *words]) == status


def filtering() -> subprocess.Popen[bytes]:
    """Return a `jitscope filt` that has copied one line, and waits for the next."""
    process = start(["filt"], stdin=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"a line\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"a line\n"
    return process


def test_the_status_after_an_interrupt() -> None:
    process = filtering()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_the_status_without_a_reader() -> None:
    process = filtering()
    assert process.stdin is not None and process.stdout is not None
    process.stdout.close()
    process.stdin.write(b"a line\n" * 2)
    process.stdin.close()
    assert process.wait(60) == 141
