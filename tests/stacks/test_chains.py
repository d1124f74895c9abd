"""Stacks of generated programs, which are in chains of calls that are known by construction: live, of a core, and by
GDB's `jit bt` on that core."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.gdb import harness
from tests.interpreters import newest_python
from tests.minutes import MATRIX
from tests.stacks.chains import Chain, Program, make
from tests.stacks.taking import Frame, needs_library, running, take, take_core, thread_of, until

SEEDS = range(30 if MATRIX else 2)
THREADS, LONGEST = 6, 5
CLOCK_NANOSLEEP = "230"
STARTS = re.compile(r"Thread\.\w+|run|_bootstrap\w*")


@dataclass
class Asleep:
    """A program whose threads are at the ends of their chains."""

    program: Program
    path: pathlib.Path
    process: subprocess.Popen[str]
    threads: list[int]

    def own(self) -> list[list[list[Any]]]:
        """Return the Python frames of its threads (name, file, line), as it gives them itself."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        found: list[list[list[Any]]] = json.loads(self.process.stdout.readline())
        return found


def call_of(pid: int, thread: int) -> str:
    return pathlib.Path(f"/proc/{pid}/task/{thread}/syscall").read_text().split()[0]


@pytest.fixture(scope="module", params=SEEDS)
def asleep(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asleep]:
    needs_library()
    program = make(request.param, THREADS, LONGEST)
    path = tmp_path_factory.mktemp("chains") / f"chains_{request.param}.py"
    path.write_text(program.source)
    command = ("env", "-u", "JITSCOPE_LEVEL", "PYTHONWARNINGS=ignore", newest_python(), path)
    with running(*command) as process:
        until(lambda: _sleeping(process.pid) >= THREADS, 300)
        threads = [thread for thread in sorted(map(int, os.listdir(f"/proc/{process.pid}/task")))
                   if call_of(process.pid, thread) == CLOCK_NANOSLEEP]  # fmt: skip
        yield Asleep(program, path, process, threads)


def _sleeping(pid: int) -> int:
    return sum(call_of(pid, int(name)) == CLOCK_NANOSLEEP for name in os.listdir(f"/proc/{pid}/task"))


def merged(frames: list[Frame]) -> list[tuple[str, str, str | None, int | None]]:
    """Return kind, name, file and line of the frames, with all native frames between two others as one."""
    found: list[tuple[str, str, str | None, int | None]] = []
    for frame in frames:
        if frame["kind"] == "native" and found and found[-1][0] == "native":
            found[-1] = ("native", f"{found[-1][1]} {frame['name']}", None, None)
        elif frame["kind"] == "native":
            found.append(("native", frame["name"], None, None))
        else:
            found.append((frame["kind"], frame["name"], frame["file"], frame["line"]))
    return found


def check(asleep: Asleep, chain: Chain, frames: list[Frame]) -> None:
    """Fail if a stack is not that of the chain."""
    found = merged(frames)
    said = "\n".join(map(str, [chain.kinds, *found]))
    for (kind, name, mark), shown in zip(chain.frames, found):
        assert kind == shown[0], said
        if kind == "native":
            assert name in shown[1] and "0x" not in shown[1], said
        else:
            assert name == shown[1], said
            if mark:
                assert shown[2:] == (str(asleep.path), asleep.program.line(mark)), said
    rest = found[len(chain.frames) :]
    assert len(found) > len(chain.frames) and all(kind == "python" for kind, *_ in rest), said
    assert all(STARTS.fullmatch(name) for _, name, *_ in rest), said


def check_all(asleep: Asleep, taken: dict[str, Any]) -> None:
    for chain, thread in zip(asleep.program.chains, asleep.threads):
        entry = thread_of(taken, thread)
        assert not entry["notes"] and not any("found_by" in frame for frame in entry["frames"])
        check(asleep, chain, entry["frames"])


def test_live(asleep: Asleep) -> None:
    check_all(asleep, take(asleep.process.pid))


def test_python_frames_are_those_of_the_interpreter(asleep: Asleep) -> None:
    taken = take(asleep.process.pid)
    for own, thread in zip(asleep.own(), asleep.threads):
        shown = [[f["name"], f["file"], f["line"]] for f in thread_of(taken, thread)["frames"] if f["kind"] == "python"]
        assert shown == own


def test_variables_change_no_frame(asleep: Asleep) -> None:
    taken = take(asleep.process.pid, values=True)
    check_all(asleep, taken)


@pytest.fixture(scope="module")
def core(asleep: Asleep, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    if not shutil.which("gcore"):
        pytest.skip("no gcore")
    folder = tmp_path_factory.mktemp("core")
    subprocess.run(["gcore", "-o", folder / "core", str(asleep.process.pid)], check=True, capture_output=True)
    (path,) = folder.iterdir()
    return path


def test_core(asleep: Asleep, core: pathlib.Path) -> None:
    check_all(asleep, take_core(core))


def test_debugger_shows_the_same(asleep: Asleep, core: pathlib.Path) -> None:
    """`jit bt -json` in each thread of the core gives the same frames."""
    taken = take_core(core)
    done = harness.run(["thread apply all -s jit bt -json"], core=core)
    shown = [json.loads(line) for line in done.text.splitlines() if line.startswith('{"thread"')]
    by_gdb = [merged([frame for frame in each["frames"] if "name" in frame]) for each in shown]
    assert len(by_gdb) == len(taken["threads"])
    for thread in asleep.threads:
        frames = merged(thread_of(taken, thread)["frames"])
        assert frames in by_gdb, (frames, by_gdb)
