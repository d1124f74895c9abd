"""A program on a terminal that starts its own GDB, with commands typed as a user types them."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import select
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pexpect
from pexpect.spawnbase import SpawnBase

from tests.gdb.harness import PROGRAMS, QUICK, Transcript, environment, is_jitscope
from tests.interpreters import ROOT, first_gdb, newest_python
from tests.pseudo_terminal import spawn

PROMPT = "(gdb) "
CALL = "(the call)"  # the output until the first prompt


def _home(folder: str) -> None:
    """Make a home folder whose .gdbinit makes GDB's output plain."""
    text = "".join(f"{setting}\n" for setting in (*QUICK, "set style enabled off"))
    (pathlib.Path(folder) / ".gdbinit").write_text(text)


def _install(folder: pathlib.Path) -> str:
    """Return a PYTHONPATH with which a Numba finds this jitscope as if it were installed."""
    info = folder / "jitscope-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: jitscope\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[numba_extensions]\ninit = jitscope.compiler:init\n")
    return f"{folder}:{ROOT / 'runtime' / 'python'}"


class _Terminal(pexpect.spawn):
    """A terminal that ends when no process has it open any more. pexpect's own ends with the program, though GDB, which
    sees that end first, may still have output to write."""

    def read_nonblocking(self, size: int = 1, timeout: float | None = -1) -> Any:
        seconds = self.timeout if timeout == -1 else timeout
        if not select.select([self.child_fd], [], [], seconds)[0]:
            raise pexpect.TIMEOUT("Timeout exceeded.")
        return SpawnBase.read_nonblocking(self, size)


@contextlib.contextmanager
def on_terminal(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    gdb: str | None = None,
    timeout: float = 60.0,
) -> Iterator[Any]:
    """Yield the command on a terminal of its own; its session, GDB included, is ended on exit."""
    with tempfile.TemporaryDirectory() as home:
        _home(home)
        settings = {"HOME": home, "TERM": "dumb", "JITSCOPE_GDB": gdb or first_gdb()}
        if ROOT / ".venv" not in pathlib.Path(command[0]).parents:  # scripts/setup has installed it there
            settings["PYTHONPATH"] = _install(pathlib.Path(home))
        found = environment({**settings, **(env or {})})
        child = spawn(
            command[0],
            command[1:],
            _Terminal,
            env=found,
            timeout=timeout,
            encoding="utf-8",
            codec_errors="replace",
            echo=False,
            dimensions=(50, 250),
        )
        try:
            yield child
        finally:
            end_session(child.pid)
            child.close(force=True)


def session(leader: int) -> list[int]:
    """Return the processes of the session, of any job."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                if os.getsid(int(entry)) == leader:
                    found.append(int(entry))
    return found


def end_session(leader: int) -> None:
    for process in session(leader):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def wait_until_alone(child: Any, timeout: float = 20.0) -> None:
    """Wait until the program is the only process of its session: GDB has ended, and so has the process that waits for
    that."""
    end = time.monotonic() + timeout
    while session(child.pid) != [child.pid]:
        assert time.monotonic() < end, session(child.pid)
        time.sleep(0.02)


def wait_until_ended(child: Any) -> None:
    """Wait until the program has ended by itself, with status 0."""
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, child.signalstatus) == (0, None), child


def program(name: str, *arguments: str, python: str | None = None) -> list[str]:
    return [python or newest_python(), str(PROGRAMS / name), *arguments]


def ask(child: Any, command: str) -> str:
    """Type a command at the prompt, and return what GDB and the program print until the next prompt."""
    child.sendline(command)
    child.expect_exact(PROMPT)
    return clean(child.before)


def clean(text: str) -> str:
    return re.sub(r"\x1b\[\?2004[hl]\r?", "", text).replace("\r", "").strip("\n")


def play(
    name: str,
    commands: Sequence[str],
    *,
    jitscope: bool = True,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    gdb: str | None = None,
    timeout: float = 60.0,
) -> Transcript:
    """Run the program until the prompt of its GDB, and type the commands there. `jitscope=False`: Numba's own way.

    The transcript's first section is CALL; `seconds` is the time from the program's line `call` to the prompt."""
    settings = {} if jitscope else {"JITSCOPE": "0", "NUMBA_GDB_BINARY": gdb or first_gdb()}
    sections: list[tuple[str, str]] = []
    timed_out, seconds, status = False, 0.0, 0
    with on_terminal(program(name, python=python), env={**settings, **(env or {})}, gdb=gdb, timeout=timeout) as child:
        try:
            child.expect(r"call\r\n")
            start = time.monotonic()
            child.expect_exact(PROMPT)
            seconds = time.monotonic() - start
            sections.append((CALL, clean(child.before)))
            for command in commands:
                if jitscope or not is_jitscope(command):
                    sections.append((command, ask(child, command)))
        except pexpect.TIMEOUT:
            timed_out = True
            sections.append(("", clean(child.before)))
        except pexpect.EOF:
            sections.append(("", clean(child.before)))
    return Transcript(sections, status, seconds, timed_out)
