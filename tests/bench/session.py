"""A GDB that gets one command after the other through a pipe, so that two can alternate."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from tests.gdb.harness import QUIET, environment, kill_session
from tests.interpreters import JITSCOPE, first_gdb

INSIDE = pathlib.Path(__file__).with_name("inside.py")
_MARK = "@@bench-done@@"


class Session:
    """One GDB. `program`: the program that `run` starts; otherwise give `pid`."""

    def __init__(
        self,
        *,
        jitscope: bool,
        before: Sequence[str] = (),
        command: Sequence[str] = (),
        pid: int | None = None,
        env: dict[str, str] | None = None,
        timeout: float = 300.0,
    ):
        arguments = [first_gdb(), "-nx", "-q"]
        for setting in (*QUIET, "set height 0", "set style enabled off"):
            arguments += ["-iex", setting]
        if command:
            arguments += ["--args", *command]
        self.timeout = timeout
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment(env),
            start_new_session=True,
        )
        self.execute(f"source {INSIDE}")
        for text in before:
            self.execute(text)
        if jitscope:
            said = self.execute(f"source {JITSCOPE}")
            if said.strip():
                self.close()
                raise RuntimeError(said)
        if pid is not None:
            self.execute(f"attach {pid}")

    def execute(self, command: str) -> str:
        """Return the output of the command."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{command}\necho {_MARK}\\n\n")
        self.process.stdin.flush()
        lines: list[str] = []
        watchdog = threading.Timer(self.timeout, os.killpg, (self.process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            for line in self.process.stdout:
                if line.rstrip().endswith(_MARK):
                    rest = line.rstrip()[: -len(_MARK)].replace("(gdb) ", "")
                    return "".join(lines).replace("(gdb) ", "") + rest
                lines.append(line)
        finally:
            watchdog.cancel()
        raise RuntimeError(f"GDB ended at {command!r}:\n{''.join(lines)[-2000:]}")

    def time(self, command: str) -> dict[str, Any]:
        """Return the answer of `bench time` for the command."""
        return self.answer(f"bench time {command}")

    def answer(self, command: str) -> dict[str, Any]:
        said = self.execute(command)
        for line in said.splitlines():
            if line.startswith("{"):
                found: dict[str, Any] = json.loads(line)
                return found
        raise RuntimeError(f"{command}: {said}")

    def close(self) -> None:
        """End GDB with its inferior."""
        kill_session(self.process)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
