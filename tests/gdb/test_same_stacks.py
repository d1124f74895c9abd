"""`jit bt` and `jitscope stack` write the same text and JSON for the frames of one process, whose threads all sleep."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.gdb import harness
from tests.interpreters import newest_python, with_hook
from tests.stacks.taking import PROGRAMS, command, needs_library, running

TEXT, JSON = "thread apply all -s jit bt -full", "thread apply all -s -q jit bt -full -json"
# What only GDB knows: its numbers of frames, and the value of a loop's index where the frame is.
OWN_TEXT = re.compile(r" \[frame \d+\]|, i = .*?(?= at /)")
OWN_MEMBERS = {"index", "frame", "evaluation", "loop", "thread"}


class Shown(NamedTuple):
    """What both say of the threads, by their ids."""

    debugger: dict[int, Any]
    shell: dict[int, Any]


@pytest.fixture(scope="module", params=["workqueue", "omp"])
def shown(request: pytest.FixtureRequest) -> Iterator[tuple[Shown, Shown]]:
    """Return the texts and the JSON of the stacks."""
    needs_library()
    env = {
        **with_hook(),
        "JITSCOPE_LEVEL": "exact",
        "NUMBA_DEBUGINFO": "1",
        "NUMBA_THREADING_LAYER": request.param,
        "NUMBA_NUM_THREADS": "3",
    }
    with running(newest_python(), PROGRAMS / "all_frames.py", env=env) as process:
        words = (str(process.pid), "--locals", "--max-pause", "60000")
        text, found = command(*words).stdout, json.loads(command(*words, "--json").stdout)
        done = harness.run([TEXT, JSON], pid=process.pid)
    threads = {int(n): int(native) for n, native in re.findall(r"^Thread (\d+) .*?LWP (\d+)", done.of(TEXT), re.M)}
    texts = Shown(by_debugger(done.of(TEXT), threads), by_shell(text))
    entries = [json.loads(line) for line in done.of(JSON).splitlines() if line.startswith("{")]
    yield (
        texts,
        Shown(
            {threads[entry["thread"]]: common(entry["frames"]) for entry in entries},
            {entry["native_id"]: common(entry["frames"]) for entry in found["threads"]},
        ),
    )


def by_debugger(text: str, threads: dict[int, int]) -> dict[int, list[str]]:
    """Return the lines of each thread's frames."""
    found = {}
    for stack in re.split(r"^Thread ", text, flags=re.M)[1:]:
        head, *lines = stack.strip().splitlines()
        lines = list(itertools.takewhile(lambda line: line != "--- the other workers ---", lines))
        lines = [re.sub(r"(started by thread )(\d+)", lambda m: f"{m[1]}{threads[int(m[2])]}", line) for line in lines]
        found[threads[int(head.split()[0])]] = merged([OWN_TEXT.sub("", line) for line in lines])
    return found


def by_shell(text: str) -> dict[int, list[str]]:
    found = {}
    for stack in text.split("\n\n")[1:]:
        head, *lines = stack.strip().splitlines()
        for thread in re.findall(r"\d+", re.split(r" [^\d]", head.partition(" ")[2])[0]):
            found[int(thread)] = merged(lines)
    return found


def merged(lines: list[str]) -> list[str]:
    """Return the lines without the numbers of frames, and with the native frames between two others as one: those that
    the C library has inlined are there only for who has its debug information."""
    plain = [re.sub(r"^#\d+ +", "#", line) for line in lines]
    native = [line.startswith("#") and not re.search(r" at \S+\.py\b", line) for line in plain]
    found = ["#native" if is_native else line for line, is_native in zip(plain, native)]
    return [line for at, line in enumerate(found) if line != "#native" or found[at - 1 : at] != ["#native"]]


def common(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the frames that are not native, with the members that both have."""
    known = [{k: v for k, v in frame.items() if k not in OWN_MEMBERS} for frame in frames if frame["kind"] != "native"]
    return [frame for frame in known if frame["kind"] != "folded"]


def test_texts_are_equal(shown: tuple[Shown, Shown]) -> None:
    debugger, shell = shown[0]
    assert debugger.keys() == shell.keys()
    for thread, lines in debugger.items():
        assert lines == shell[thread]


def test_every_kind_of_frame_is_there(shown: tuple[Shown, Shown]) -> None:
    text = "\n".join("\n".join(lines) for lines in shown[0].shell.values())
    for kind in (
        r"^#spread\.prange \(.*, iterations \d\.\.\d",  # a worker of a prange loop
        r"^--- region started by thread \d+ ---\n#spread \(",
        r"^#scaled \(.*\n(        .*\n)*#spread\.prange ",  # inlined
        r"^… \d+ more frames of sink\n#sink \(n=300\)",  # compiled recursion
        r"^… \d+ more frames of descend\n#descend \(n=200, text='deep'\)",  # recursion in Python
        r"^#native\n#Condition\.wait \(.*\[py\]$",  # a thread that waits
    ):
        assert re.search(kind, text, re.M), (kind, text)


def test_members_are_equal(shown: tuple[Shown, Shown]) -> None:
    """GDB leaves out frames of a function that calls itself hundreds of times, the shell lists all."""
    debugger, shell = shown[1]
    assert debugger.keys() == shell.keys()
    for thread, frames in debugger.items():
        others, last = shell[thread], 0
        for frame in frames:
            at = others.index(frame, last) if frame in others[last:] else None
            assert at is not None, "\n".join(map(str, [frame, *others[last : last + 3]]))
            last = at + 1
