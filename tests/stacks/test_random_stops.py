"""Stacks of programs that are stopped anywhere: each is one that the program can have. At some instants an evaluation
of CPython has no Python frame, because it is being entered or left."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.minutes import MATRIX
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import PROGRAMS, needs_library, running, until

PROGRAM = PROGRAMS / "callbacks.py"
ROUNDS = 400 if MATRIX else 60


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def calls() -> dict[tuple[str, str, int], str]:
    """Return what the marks say: the C functions by caller, callee and line."""
    found, function, around = {}, "<module>", ""
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1):
        if line.startswith("class "):
            around = line.split()[1].rstrip(":") + "."
        elif definition := re.match(r"( *)def (\w+)", line):
            function = (around if definition[1] else "") + definition[2]
        elif line and line[0] not in " #":
            around, function = "", "<module>"
        mark = re.search(r"# ([\w.]+): (\S+)$", line)
        if mark:
            found[function, mark[1], number] = mark[2]
    return found


CALLS = calls()
STARTS = ("run", "_bootstrap_inner", "_bootstrap")  # functions that start a thread, and run() of callbacks.py
WHERE = {callee: re.compile(natives) for (_, callee, _), natives in CALLS.items() if natives not in "-C"}


def plain(name: str) -> str:
    return name.rsplit(".", 1)[-1]


def faults(frames: list[dict[str, Any]], is_named: bool) -> list[str]:
    """Return what is false in a stack. `is_named`: the interpreter has symbols, and qualified names."""
    found, between, callee = [], [], ""
    for frame in frames:
        if frame["kind"] == "native":
            between.append(frame["name"])
            continue
        if frame["kind"] != "python":
            found.append(f"a frame of kind {frame['kind']}")
            continue
        name = plain(frame["name"])
        if callee:
            by = {
                natives
                for (caller, called, line), natives in CALLS.items()
                if (plain(caller), plain(called), line) == (name, callee, frame["line"])
            }
            if not by and not (callee in STARTS and name in STARTS):
                found.append(f"{name}:{frame['line']} calls {callee}")
            elif by == {"-"} and between:
                found.append(f"{between} between {name} and {callee}")
            elif callee in WHERE and is_named and not any(WHERE[callee].search(each) for each in between):
                found.append(f"{between} between {name} and {callee}, which C calls")
        elif any(pattern.search(each) for each in between for pattern in WHERE.values()):
            last = next(each for each in between if any(pattern.search(each) for pattern in WHERE.values()))
            callers = {plain(caller) for (caller, called, _), by in CALLS.items() if by in last}
            if name not in callers:
                found.append(f"{between} called by {name}")
        between, callee = [], name
    return found


def sample(python: str, threads: int, rounds: int, is_named: bool = True) -> Counter[str]:
    """Take stacks at random instants, and count the stacks, frames, notes and frames that a scan has found. Fail if one
    is false."""
    random = Random(threads)
    count: Counter[str] = Counter()
    with running(python, PROGRAM, str(threads)) as process, Stacks(process.pid) as stacks:
        until(lambda: len(stacks.take()["threads"][0]["frames"]) > 3, 60)  # its imports have ended
        for _ in range(rounds):
            time.sleep(random.random() * 0.003)
            for thread in stacks.take()["threads"]:
                frames = thread["frames"]
                is_whole = not thread["notes"]
                assert not (is_whole and faults(frames, is_named)), (faults(frames, is_named), frames)
                count["stacks"] += 1
                count["frames"] += len(frames)
                count["notes"] += not is_whole
                count["found otherwise"] += sum("found_by" in frame for frame in frames)
    return count


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_stacks_at_random_instants(interpreter: Interpreter) -> None:
    count = sample(interpreter.path, 0, ROUNDS, is_named="pyenv" in interpreter.prefix or interpreter.free_threaded)
    assert count["frames"] > 3 * count["stacks"]
    assert count["notes"] <= count["stacks"] / 20
    assert not count["found otherwise"]


def test_stacks_of_threads_at_random_instants() -> None:
    count = sample(sys.executable, 5, ROUNDS // 3, is_named=False)
    assert count["stacks"] == 6 * (ROUNDS // 3)
    assert count["notes"] <= count["stacks"] / 20


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_interpreter_without_symbols(interpreter: Interpreter, tmp_path: Path) -> None:
    """A copy of the interpreter that `strip` has taken the symbols from: those that programs link with are left."""
    folder = Path(interpreter.prefix)
    name = f"python3.{interpreter.minor}"
    if not (folder / "bin" / name).is_file() or not shutil.which("strip") or folder == Path("/usr"):
        pytest.skip("the interpreter cannot be copied, or there is no strip")
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib").mkdir()
    copies = [tmp_path / "bin" / name]
    shutil.copy(folder / "bin" / name, copies[0])
    for library in (folder / "lib").glob(f"libpython3.{interpreter.minor}.so*"):
        copies.append(Path(shutil.copy(library, tmp_path / "lib" / library.name)))
    modules = name + ("t" if interpreter.free_threaded else "")
    (tmp_path / "lib" / modules).symlink_to(folder / "lib" / modules)
    for copy in copies:
        copy.chmod(0o755)
        subprocess.run(["strip", copy], check=True)
    if subprocess.run([copies[0], "-c", ""], capture_output=True).returncode:
        pytest.skip("a copy of the interpreter does not start elsewhere")
    count = sample(str(copies[0]), 0, ROUNDS // 2, is_named=False)
    assert count["frames"] > 3 * count["stacks"]
    assert count["notes"] <= count["stacks"] / 20
