"""Messages where no compiled Python is: without a program, and in a forked process whose parent has ended."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

NO_PROCESS = "no process: run or attach to a program, or open a core"
NO_PROGRAM = [
    ("jit gather",
     "The workers of the first parallel loop gather where it calls jitscope.breakpoint(), once the program runs: "
     "`run`"),
    ("print $jit_exception()", NO_PROCESS),
    ("break nosuch",
     'Function "nosuch" not defined.\n'
     "Make breakpoint pending on future shared library load? (y or [n]) [answered N; input not from terminal]"),
    ("hbreak nosuch",
     'Function "nosuch" not defined.\n'
     "Make hw breakpoint pending on future shared library load? (y or [n]) [answered N; input not from terminal]"),
    ("info breakpoints", "No breakpoints or watchpoints."),
]  # fmt: skip
OWN = r"python gdb.execute('define break\necho\nend')"
OF_DPRINTF = """

Where the location is compiled Python, the expressions are Python's, as in
`jit print`; a `%s` shows what str() gives. Where its condition fails it prints
nothing, and a line says why."""


@pytest.fixture(scope="module")
def no_program() -> Transcript:
    asked = [command for command, _ in NO_PROGRAM]
    return harness.run(
        [
            "file /bin/true",
            "set breakpoint pending auto",
            "set confirm on",
            *asked,
            "help dprintf",
            OWN,
            "jit break foo",
        ]
    )


@pytest.mark.parametrize(("command", "text"), NO_PROGRAM)
def test_without_a_program(no_program: Transcript, command: str, text: str) -> None:
    assert re.sub(" +", " ", no_program.of(command)) == text


def test_the_help_of_dprintf(no_program: Transcript) -> None:
    assert no_program.of("help dprintf").endswith(OF_DPRINTF)


FORKED = """\
import os
import time

import llvmlite.binding

parent = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == parent:
    time.sleep(0.01)
"""
NO_SYMBOL = "GDB finds no symbol _PyRuntime in this process"


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("forked") / "forked.py"
    program.write_text(FORKED, encoding="utf-8")
    commands = ["jit catch", "set follow-fork-mode child", "catch syscall exit_group", "run"]
    commands += ["break forked.py:9 inferior 1", "jit status", "print $jit_exception()"]
    return harness.run([*commands, "file", "jit status", "jit bt", "continue"], program=program)


def test_a_jit_without_numba(forked: Transcript) -> None:
    assert re.fullmatch(r"process \d+, CPython [\d.]+, a JIT is loaded", forked.of("jit status").splitlines()[1])


def test_a_process_whose_parent_has_ended(forked: Transcript) -> None:
    """The process that has adopted it is no relative."""
    assert forked.of("jit status").splitlines()[2] == "forked from a process that has ended or runs another program now"


def test_the_executable_is_not_known(forked: Transcript) -> None:
    text = "missing: the executable is not known, so libraries and the interpreter are not found: file /"
    assert forked.of("jit status", 1).splitlines()[-1].startswith(text)


def test_an_interpreter_without_symbols(forked: Transcript) -> None:
    assert forked.of("jit bt").splitlines()[-1] == f"(no Python frames: {NO_SYMBOL})"


def test_nothing_is_raised(forked: Transcript) -> None:
    text = "nothing is raised here: $jit_exception() is for a stop of `jit catch`"
    assert forked.of("print $jit_exception()") == text


def test_a_restriction_that_this_gdb_does_not_know(forked: Transcript) -> None:
    said = forked.of("break forked.py:9 inferior 1")
    if "Breakpoint" not in said:  # GDB knows it from version 15 on
        assert said == 'malformed linespec error: unexpected string, "inferior 1".'


def test_jit_catch_in_a_program_that_compiles_nothing(forked: Transcript) -> None:
    why = "(`jit catch`) had no place: nothing that this process has compiled with debug information can raise"
    assert f"jitscope: the program has ended, and breakpoint 1 {why}" in forked.of("continue").splitlines()


def test_a_command_of_the_user_that_makes_no_breakpoint(no_program: Transcript) -> None:
    text = "`break` has made no breakpoint: type `show user break`, in case it is yours"
    assert no_program.of("jit break foo") == text


LONG_NAMES = """\
import os
import sys

sys.setrecursionlimit(10000)


def deep(n):
    deep(n - 1) if n else os.getppid()


names = {"co_name": "\\x01" * 5000, "co_filename": "\\x02" * 4096}
if sys.version_info >= (3, 11):
    names["co_qualname"] = "\\x03" * 5000
deep.__code__ = deep.__code__.replace(**names)
deep(3000)
"""


def test_python_frames_that_are_too_long(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "deep.py"
    program.write_text(LONG_NAMES, encoding="utf-8")
    shown = harness.run(["catch syscall getppid", "run", "jit bt"], program=program)
    text = "(Python frames end early: their names are too long to show)"
    assert text in shown.of("jit bt").splitlines()
