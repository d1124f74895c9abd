"""Runs `jitscope names` and `perf` on a process that waits or computes."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from tests.gdb.harness import PROGRAMS, environment, kill_session, lean
from tests.interpreters import newest_python

NAMES = "named_code.py"


class Target:
    """A process that waits after it has compiled, and its map."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.pid = process, process.pid
        self.map = pathlib.Path(f"/tmp/perf-{self.pid}.map")

    def compile(self, name: str) -> None:
        """Have it compile one function more."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "compiled\n"


@contextlib.contextmanager
def running(*command: Any, ready: str = "ready\n", env: dict[str, str] | None = None) -> Iterator[Target]:
    process = subprocess.Popen(
        [*(command or (newest_python(), PROGRAMS / NAMES))],
        env=env or lean(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    target = Target(process)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == ready
        yield target
    finally:
        kill_session(process)
        target.map.unlink(missing_ok=True)


def start(*words: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [newest_python(), "-m", "jitscope", "names", *map(str, words)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def names(*words: Any) -> tuple[int, str, str]:
    process = start(*words)
    output, errors = process.communicate(timeout=100)
    return process.returncode, output, errors


def wait_for(condition: Any) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a dump, as jitdump-specification.txt describes the file."""
    magic, version, size, machine, padding, _, _, flags = struct.unpack_from("<4sIIIIIQQ", data)
    assert (magic, version, size, padding, flags) == (b"DTiJ", 1, 40, 0, 0) and machine in (62, 183)
    place, last = size, 0
    while place < len(data):
        kind, length, moment = struct.unpack_from("<IIQ", data, place)
        assert moment >= last and place + length <= len(data)
        yield kind, data[place + 16 : place + length]
        place, last = place + length, moment
    assert place == len(data)


def may_record() -> bool:
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-o", "/dev/null", "--", "true"]
    return bool(shutil.which("perf")) and subprocess.run(command, capture_output=True).returncode == 0


def perf(*words: Any) -> str:
    done = subprocess.run(["perf", *map(str, words)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout
