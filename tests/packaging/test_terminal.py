"""Colours and the progress line of the command line, on a terminal and without one."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Mapping

import pytest

from jitscope.cli import terminal
from tests.gdb.harness import environment
from tests.pseudo_terminal import spawn

COLOUR = re.compile(r"\x1b\[[\d;]*m")


class Stream:
    def __init__(self, is_terminal: bool) -> None:
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize(
    ("is_terminal", "variables", "wanted"),
    [
        (True, {"TERM": "xterm"}, True),
        (False, {"TERM": "xterm"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, True),
        (True, {"TERM": "xterm", "CLICOLOR": "0"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (False, {"CLICOLOR_FORCE": "1"}, True),
        (False, {"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True),
        (False, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "CLICOLOR": "1"}, True),
    ],
)
def test_who_wants_colours(is_terminal: bool, variables: Mapping[str, str], wanted: bool) -> None:
    stream = Stream(is_terminal)
    assert terminal.wants_colours(stream, variables) == wanted  # type: ignore[arg-type]


PAINTED = "from jitscope.cli.terminal import painter, STYLES; import sys; p = painter(sys.stdout)\n"
PAINTED += "print(*(p(what, what) for what in STYLES))"
PLAIN = f"{' '.join(terminal.STYLES)}\n"


def painted(before: str = "", **variables: str) -> str:
    env = {**environment(), **variables}
    return subprocess.run([sys.executable, "-c", before + PAINTED], capture_output=True, text=True, env=env).stdout


def test_a_pipe_has_plain_text() -> None:
    assert painted() == PLAIN
    coloured = painted(FORCE_COLOR="1")
    assert COLOUR.sub("", coloured) == PLAIN and len(COLOUR.findall(coloured)) == 2 * len(terminal.STYLES)
    assert len(set(COLOUR.findall(coloured))) == len(terminal.STYLES) + 1


def test_without_rich_the_text_is_plain() -> None:
    assert painted("import sys; sys.modules['rich.style'] = None\n", FORCE_COLOR="1") == PLAIN


BAD_PYTHON = ("doctor", "--python", "/nonexistent/python")


def on_terminal(*words: str, **variables: str) -> str:
    """Return what the command writes to a terminal, both streams."""
    env = {**environment({"JITSCOPE_GDB": "/nonexistent/gdb"}), "TERM": "xterm", **variables}
    started = spawn(sys.executable, ["-m", "jitscope", *words], env=env, encoding="utf-8", timeout=120)
    with contextlib.closing(started):
        text: str = started.read()
    return text.replace("\r\n", "\n")


def test_doctor_on_a_terminal() -> None:
    """Its states have colours. Without them and the progress line, the text is that for a pipe."""
    env = environment({"JITSCOPE_GDB": "/nonexistent/gdb"})
    plain = subprocess.run(
        [sys.executable, "-m", "jitscope", *BAD_PYTHON],
        capture_output=True,
        text=True,
        env=env,
        stdin=subprocess.DEVNULL,
    )
    assert plain.stderr == "" and not COLOUR.search(plain.stdout)
    shown = on_terminal(*BAD_PYTHON)
    assert "\x1b[1;31mwrong\x1b[0m  " in shown and "\x1b[32mok   \x1b[0m  " in shown
    assert re.search(r"\r\x1b\[K\x1b\[\?7l       the C library \.\.\.\x1b\[\?7h", shown)
    lines = re.sub(r"\x1b\[\?7l.*?\x1b\[\?7h", "", shown).replace("\r\x1b[K", "")
    assert COLOUR.sub("", lines) == plain.stdout


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_doctor_without_colours(variables: dict[str, str]) -> None:
    shown = on_terminal(*BAD_PYTHON, **variables)
    assert not COLOUR.search(shown) and "wrong  " in shown
    assert ("..." in shown) == ("TERM" not in variables)


SLOW = """\
import sys, time
from jitscope.cli.terminal import Progress
with Progress("jitscope slow", delay={delay}) as progress:
    progress.show({text!r})
    print("started", flush=True)
    sys.stdin.readline()
"""


def test_a_line_appears_after_its_delay() -> None:
    """It is written by a thread, since the command itself is at work."""
    code = SLOW.format(delay=0.3, text="reading \x1b[2J" + "x" * 500)
    started = spawn(sys.executable, ["-c", code], env={**environment(), "TERM": "xterm"}, encoding="utf-8", timeout=60)
    with contextlib.closing(started):
        started.expect_exact("started\r\n")
        started.expect_exact("\r\x1b[K\x1b[?7lreading ?[2J" + "x" * 500 + "\x1b[?7h")
        started.sendline("")
        assert started.read().endswith("\r\x1b[K")


def test_a_fast_command_shows_no_line() -> None:
    code = SLOW.format(delay=600, text="reading")
    started = spawn(sys.executable, ["-c", code], env={**environment(), "TERM": "xterm"}, encoding="utf-8", timeout=60)
    with contextlib.closing(started):
        started.expect_exact("started\r\n")
        started.sendline("")
        assert "\x1b" not in started.read()


def test_an_interrupt_removes_the_line() -> None:
    env = {**environment({"JITSCOPE_GDB": "/nonexistent/gdb"}), "TERM": "xterm"}
    code = "from jitscope.cli import main, doctor; import time\n"
    code += "def examine(python):\n    yield 'a check'\n    time.sleep(600)\n"
    code += "doctor.examine = examine; import sys; sys.exit(main.main(['doctor']))"
    started = spawn(sys.executable, ["-c", code], env=env, encoding="utf-8", timeout=60)
    with contextlib.closing(started):
        started.expect_exact("a check ...\x1b[?7h")
        started.sendintr()
        assert started.read().endswith("\r\x1b[Kjitscope doctor: interrupted\r\n")
        started.wait()
    assert started.exitstatus == 130
