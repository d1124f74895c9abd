"""The tools that show the stacks of a Python process from outside, and what each says as frames of native threads."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.gdb.harness import QUIET, environment
from tests.interpreters import JITSCOPE, ROOT, first_gdb, newest_python

from .measure import NotMeasured

VENV = ROOT / ".venvs" / "stacks"
PACKAGES = ("py-spy", "pystack")


class Frame(NamedTuple):
    name: str
    file: str
    line: int


Stacks = dict[int, list[Frame]]  # by native id, innermost frame first


@dataclasses.dataclass(frozen=True)
class Process:
    pid: int
    truth: pathlib.Path  # the file that programs/stacks.py has written


@dataclasses.dataclass(frozen=True)
class Tool:
    """`live` and `core` return the tool's command, or None if it cannot; `read` returns what its output says."""

    live: Callable[[Process], Sequence[str] | None]
    core: Callable[[pathlib.Path], Sequence[str] | None]
    read: Callable[[str, Mapping[int, int]], Stacks]  # the output, and the native id of each thread's identifier


def make_venv() -> pathlib.Path:
    """Return the folder of py-spy's and pystack's programs; install them if they are not there."""
    folder = VENV / "bin"
    if not all((folder / name).exists() for name in PACKAGES):
        pip = [str(folder / "python"), "-m", "pip", "--disable-pip-version-check", "-q", "install", *PACKAGES]
        for command in ([newest_python(), "-m", "venv", str(VENV)], pip):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise NotMeasured(f"{' and '.join(PACKAGES)} cannot be installed: {done.stderr.strip()[-200:]}")
    return folder


def versions(folder: pathlib.Path) -> str:
    said = [subprocess.run([folder / name, "--version"], capture_output=True, text=True).stdout for name in PACKAGES]
    return ", ".join(f"{name} {text.split()[-1]}" for name, text in zip(PACKAGES, said) if text)


# --- what each prints --------------------------------------------------------------------------------


def read_py_spy(text: str, _identifiers: Mapping[int, int]) -> Stacks:
    return {
        thread["os_thread_id"]: [Frame(each["name"], each["filename"], each["line"]) for each in thread["frames"]]
        for thread in json.loads(text)
    }


def read_pystack(text: str, _identifiers: Mapping[int, int]) -> Stacks:
    found: Stacks = {}
    for part in re.split(r"^Traceback for thread ", text, flags=re.MULTILINE)[1:]:
        frames = re.findall(r'^ +\(\w+\) File "(.*)", line (\d+), in (.*?)(?: \(.*\))?$', part, re.MULTILINE)
        found[int(part.split()[0])] = [Frame(name, file, int(line)) for file, line, name in reversed(frames)]
    return found


def parts_of_gdb(text: str) -> Iterable[tuple[int, str]]:
    """Yield the LWP of each thread that `thread apply all` has come to, and what the command says there."""
    pieces = re.split(r"^Thread \d+ \(.*?(?:LWP |process )(\d+)\).*:\n", text, flags=re.MULTILINE)
    return zip(map(int, pieces[1::2]), pieces[2::2])


def read_gdb(text: str, _identifiers: Mapping[int, int]) -> Stacks:
    frame = re.compile(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\S+) \(.*?\)(?: at (.*):(\d+)| from .*)?$", re.MULTILINE)
    return {
        lwp: [Frame(name, file, int(line or 0)) for name, file, line in frame.findall(part)]
        for lwp, part in parts_of_gdb(text)
    }


def read_jit_bt(text: str, _identifiers: Mapping[int, int]) -> Stacks:
    found: Stacks = {}
    for lwp, part in parts_of_gdb(text):
        line = next((line for line in part.splitlines() if line.startswith("{")), None)
        frames = json.loads(line)["frames"] if line else []
        kinds = [frame["kind"] for frame in frames]
        own = frames[: kinds.index("region")] if "region" in kinds else frames  # the rest are of another thread
        found[lwp] = [frame_of(each) for each in own if "name" in each]
    return found


def read_jitscope_stack(text: str, _identifiers: Mapping[int, int]) -> Stacks:
    threads = json.loads(text)["threads"]
    return {each["native_id"]: [frame_of(frame) for frame in each["frames"] if "name" in frame] for each in threads}


def frame_of(each: Mapping[str, Any]) -> Frame:
    return Frame(each["name"], each.get("file") or "", each.get("line") or 0)


def read_faulthandler(text: str, identifiers: Mapping[int, int]) -> Stacks:
    found: Stacks = {}
    for part in re.split(r"^(?:Current t|T)hread ", text, flags=re.MULTILINE)[1:]:
        frames = re.findall(r'^  File "(.*)", line (\d+) in (.*)$', part, re.MULTILINE)
        native = identifiers.get(int(part.split()[0], 16))
        if native is not None:
            found[native] = [Frame(name, file, int(line)) for file, line, name in frames]
    return found


# --- how each is started -----------------------------------------------------------------------------


def gdb(target: Sequence[str], commands: Sequence[str]) -> list[str]:
    words = [first_gdb(), "-nx", "-q", "-batch"]
    # The debug information of the system's libraries, which few machines have, would take most of the time.
    for setting in (*QUIET, "set style enabled off", "set backtrace limit 0", "set debug-file-directory"):
        words += ["-iex", setting]
    words += target
    return [*words, *(word for command in commands for word in ("-ex", command))]


BT, JIT_BT = ["thread apply all bt"], [f"source {JITSCOPE}", "thread apply all jit bt -all -json"]

# It sends the signal, and waits until the file that faulthandler writes has all of it: the main thread comes last.
ASK_FAULTHANDLER = """\
import os, signal, sys, time
pid, path = int(sys.argv[1]), sys.argv[2]
before = os.path.getsize(path)
os.kill(pid, signal.SIGUSR1)
while True:
    text = open(path).read()[before:]
    if text.rstrip().endswith("in <module>") or text.endswith("  ...\\n"):
        break
    time.sleep(0.001)
sys.stdout.write(text)
"""


def faulthandler(process: Process) -> list[str]:
    return [sys.executable, "-S", "-c", ASK_FAULTHANDLER, str(process.pid), f"{process.truth}.faulthandler"]


def has_stack() -> bool:
    """True if `jitscope stack` exists."""
    command = [sys.executable, "-m", "jitscope", "stack", "--help"]
    return subprocess.run(command, capture_output=True, env=environment()).returncode == 0


def tools(folder: pathlib.Path) -> dict[str, Tool]:
    """Return the tools by name: ours first. `folder`: that of py-spy and pystack."""
    python, spy, stack = newest_python(), str(folder / "py-spy"), str(folder / "pystack")
    found: dict[str, Tool] = {}
    if has_stack():
        ours = [sys.executable, "-m", "jitscope", "stack", "--json"]
        found["jitscope stack"] = Tool(
            lambda process: [*ours, str(process.pid)], lambda core: [*ours, "--core", str(core)], read_jitscope_stack
        )
    found["GDB with jitscope"] = Tool(
        lambda process: gdb(["-p", str(process.pid)], JIT_BT),
        lambda core: gdb([python, "-c", str(core)], JIT_BT),
        read_jit_bt,
    )
    found["GDB"] = Tool(
        lambda process: gdb(["-p", str(process.pid)], BT), lambda core: gdb([python, "-c", str(core)], BT), read_gdb
    )
    for options in ([], ["--native"]):
        found[" ".join(["py-spy", *options])] = Tool(
            lambda process, o=options: [spy, "dump", "--json", "--full-filenames", *o, "--pid", str(process.pid)],  # type: ignore[misc]
            lambda core, o=options: None if o else [spy, "dump", "--json", "--full-filenames", "--core", str(core)],  # type: ignore[misc]
            read_py_spy,
        )
    for options in ([], ["--native-all"]):
        found[" ".join(["pystack", *options])] = Tool(
            lambda process, o=options: [stack, "remote", *o, str(process.pid)],  # type: ignore[misc]
            lambda core, o=options: [stack, "core", *o, str(core), os.path.realpath(python)],  # type: ignore[misc]
            read_pystack,
        )
    found["faulthandler"] = Tool(faulthandler, lambda core: None, read_faulthandler)
    return found


def run(command: Sequence[str]) -> tuple[float, str]:
    """Run a tool. Return the seconds that it took, and its output."""
    start = time.perf_counter()
    done = subprocess.run(
        command,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environment(),
        timeout=300,
    )
    seconds = time.perf_counter() - start
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        text += f"\n{done.stderr.decode('utf-8', 'replace').strip()}"
    return seconds, text


# --- against the truth -------------------------------------------------------------------------------


@dataclasses.dataclass
class Score:
    """How many frames of Python and of compiled code were expected, and shown with the right name, and line."""

    expected: int = 0
    names: int = 0
    lines: int = 0
    false: int = 0  # frames that name a function or line of the program that is not there

    def __str__(self) -> str:
        text = f"{self.names} names and {self.lines} lines of {self.expected} frames"
        return text + (f", {self.false} false" if self.false else "")


@dataclasses.dataclass(frozen=True)
class Expected:
    name: str
    file: str
    lines: Sequence[int]


def expected_of(truth: Mapping[str, Any]) -> dict[int, list[Expected]]:
    """Return the frames of each thread, innermost first."""
    found: dict[int, list[Expected]] = {}
    for native, each in truth["compiled"].items():
        found[int(native)] = [Expected(each["name"], each["file"], each["lines"])]
    for thread in truth["threads"]:
        frames = found.setdefault(thread["native_id"], [])
        frames += [Expected(name, file, (line,)) for name, file, line in thread["frames"]]
    return found


def score(expected: Mapping[int, Sequence[Expected]], shown: Stacks) -> Score:
    """Compare in order: a frame that is missing does not make those below it wrong."""
    total = Score()
    for native, frames in expected.items():
        own = [frame for frame in shown.get(native, ()) if is_ours(frame) or not frame.file]
        total.expected += len(frames)
        at = 0
        for frame in frames:
            place = next((number for number in range(at, len(own)) if is_named(own[number], frame)), None)
            if place is not None:
                total.names += 1
                total.lines += own[place].line in frame.lines
                total.false += sum(map(is_ours, own[at:place]))
                total.false += own[place].line not in (0, *frame.lines)
                at = place + 1
        total.false += sum(map(is_ours, own[at:]))
    return total


def is_ours(shown: Frame) -> bool:
    """True if the frame is one of Python or of compiled code: its file is a Python file of the program."""
    return os.path.basename(shown.file) in ("stacks.py", "threading.py")


def is_named(shown: Frame, frame: Expected) -> bool:
    """True if the name is the frame's, qualified or not (`Thread.run`, `work.prange`). Compiled code without debug
    information has no file."""
    is_same_file = not shown.file or os.path.basename(shown.file) == os.path.basename(frame.file)
    return is_same_file and (shown.name == frame.name or frame.name in shown.name.split("."))


def end(process: subprocess.Popen[Any], number: int = signal.SIGKILL) -> None:
    process.send_signal(number)
    process.wait()
