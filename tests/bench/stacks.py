"""The stacks of all threads of a process, or of a core: `jitscope stack` and `jit bt` against py-spy, pystack, GDB and
faulthandler."""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping

from tests.gdb.harness import environment, kill_session
from tests.interpreters import first_gdb, newest_python

from . import stack_tools
from .measure import Figure, NotMeasured, compare, in_turn
from .stack_tools import Expected, Process, Stacks, Tool

PROGRAMS = pathlib.Path(__file__).parent / "programs"
CROWDED = "crowded"  # more threads run than there are processors: measured by pauses.py alone
# The argument of programs/stacks.py, and its environment: stock Numba, except for the last.
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "loop": ("loop", {}),
    "threads": ("threads", {}),
    "busy": ("busy", {}),
    CROWDED: ("crowded", {}),
    "workqueue": ("parallel", {"NUMBA_THREADING_LAYER": "workqueue"}),
    "omp": ("parallel", {"NUMBA_THREADING_LAYER": "omp"}),
    "hook": ("loop", {"JITSCOPE": "", "JITSCOPE_LEVEL": ""}),
}
TITLES = {
    "loop": "a compiled loop called by five Python frames, and a thread that waits for a lock",
    "threads": "20 threads of 104 Python frames",
    "busy": "20 threads of 104 Python frames: one runs compiled code, and one runs Python",
    CROWDED: "20 threads of 104 Python frames: five for each processor run compiled code",
    "workqueue": "a parallel loop on workqueue, with two workers",
    "omp": "a parallel loop on OpenMP, with two workers",
    "hook": "the loop of the first, where jitscope is installed beside Numba",
}


class Pauses:
    """The longest time that the target was stopped, which its own thread measures (programs/pauses.c)."""

    def __init__(self, path: pathlib.Path) -> None:
        path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 8)

    def take(self) -> float:
        """Return the seconds since the last call."""
        longest = ctypes.c_int64.from_buffer(self._shared)
        found, longest.value = longest.value / 1e9, 0
        del longest
        return found


def library(folder: pathlib.Path) -> pathlib.Path:
    built = folder / "pauses.so"
    done = subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-pthread", str(PROGRAMS / "pauses.c"), "-o", str(built)],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise NotMeasured(f"gcc does not compile pauses.c: {done.stderr.strip()[:200]}")
    return built


def allow_cores() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


@contextlib.contextmanager
def running(kind: str, folder: pathlib.Path) -> Iterator[tuple[subprocess.Popen[str], Process, Pauses]]:
    """Run the program in `folder`, in which it also leaves its core."""
    argument, variables = KINDS[kind]
    truth, pauses = folder / "truth.json", folder / "pauses"
    shared = Pauses(pauses)
    words = [str(PROGRAMS / "stacks.py"), argument, str(truth), str(pauses), str(library(folder))]
    started = subprocess.Popen(
        [newest_python(), *words],
        env=environment({"JITSCOPE": "0", "NUMBA_NUM_THREADS": "2", **variables}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        start_new_session=True,
        preexec_fn=allow_cores,
    )
    try:
        assert started.stdout is not None
        if started.stdout.readline().strip() != "ready":
            raise NotMeasured(f"{' '.join(variables.values()) or kind}: the program does not start")
        yield started, Process(started.pid, truth), shared
    finally:
        kill_session(started)
        if started.stdout is not None:
            started.stdout.close()


class Runs:
    """Runs the tools, and keeps what the last output of each says and how long the target was stopped."""

    def __init__(self, truth: pathlib.Path, pauses: Pauses | None) -> None:
        said = json.loads(truth.read_text())
        self.expected: Mapping[int, list[Expected]] = stack_tools.expected_of(said)
        self.identifiers = {thread["ident"]: thread["native_id"] for thread in said["threads"]}
        self.stopped: dict[str, list[float]] = {}
        self.shown: dict[str, str] = {}
        self._pauses = pauses

    def once(self, name: str, tool: Tool, command: list[str]) -> float:
        if self._pauses is not None:
            self._pauses.take()
        seconds, text = stack_tools.run(command)
        if self._pauses is not None:
            self.stopped.setdefault(name, []).append(self._pauses.take())
        self.shown[name] = f"{name}: {self._score(tool, text)}"
        return seconds

    def _score(self, tool: Tool, text: str) -> str:
        found: Stacks = {}
        with contextlib.suppress(ValueError, KeyError, TypeError):
            found = tool.read(text, self.identifiers)
        if found:
            return str(stack_tools.score(self.expected, found))
        lines = text.strip().splitlines() or ["it says nothing"]
        return f"no stacks: {next((line for line in lines if 'rror' in line), lines[-1])[:120]}"


def figures_of(name: str, kind: str, runs: Runs, samples: Mapping[str, list[float]]) -> list[Figure]:
    """Return a figure for each other tool, and for the pauses; the first tool is ours."""
    ours, *others = samples
    found = [
        compare(f"stacks.{name}", f"{name}: all stacks", "ms", samples[ours], samples[other], other, scale=1e3)
        for other in others
    ]
    stopped = {each: values[1:] for each, values in runs.stopped.items()}  # without the round that does not count
    found += [
        compare(f"stacks.{name}", f"{name}: the target stops", "ms", stopped[ours], stopped[other], other, scale=1e3)
        for other in others
        if stopped
    ]
    found[0].notes += [f"{TITLES[kind]}; ours is {ours}", *runs.shown.values()]
    return found


def live(kind: str, process: Process, pauses: Pauses, tools: Mapping[str, Tool], rounds: int) -> list[Figure]:
    runs = Runs(process.truth, pauses)
    ways: dict[str, Callable[[], float]] = {}
    for name, tool in tools.items():
        if command := tool.live(process):
            ways[name] = lambda n=name, t=tool, c=[*command]: runs.once(n, t, c)  # type: ignore[misc]
    figures = figures_of(kind, kind, runs, in_turn(ways, rounds))
    pauses.take()
    time.sleep(1)
    figures[0].notes.append(f"without a tool, the longest pause in a second is {pauses.take() * 1e3:.1f} ms")
    return figures


def of_core(kind: str, core: pathlib.Path, truth: pathlib.Path, tools: Mapping[str, Tool], rounds: int) -> list[Figure]:
    runs = Runs(truth, None)
    ways: dict[str, Callable[[], float]] = {}
    for name, tool in tools.items():
        if command := tool.core(core):
            ways[name] = lambda n=name, t=tool, c=[*command]: runs.once(n, t, c)  # type: ignore[misc]
    return figures_of(f"{kind}.{core.name}", kind, runs, in_turn(ways, rounds))


def gcore(pid: int, folder: pathlib.Path) -> pathlib.Path:
    """Return the core that GDB writes of a process that goes on."""
    core = folder / "gcore"
    command = [first_gdb(), "-nx", "-q", "-batch", "-p", str(pid), "-ex", f"generate-core-file {core}"]
    subprocess.run(command, capture_output=True, env=environment())
    if not core.exists():
        raise NotMeasured("GDB writes no core")
    return core


def kernel_core(started: subprocess.Popen[str], folder: pathlib.Path) -> pathlib.Path | None:
    """End the process. Return the core that the kernel writes of it, or None if it keeps cores elsewhere."""
    stack_tools.end(started, signal.SIGABRT)
    found = next(iter(folder.glob("core*")), None)
    return found.rename(folder / "kernel-core") if found else None


def measure(rounds: int) -> list[Figure]:
    folder_of_tools = stack_tools.make_venv()
    tools = stack_tools.tools(folder_of_tools)
    figures: list[Figure] = []
    reasons = []
    for kind in KINDS.keys() - {CROWDED}:
        with tempfile.TemporaryDirectory(prefix="jitscope-stacks-") as name:
            folder = pathlib.Path(name)
            try:
                with running(kind, folder) as (started, process, pauses):
                    figures += live(kind, process, pauses, tools, rounds)
                    if kind in ("loop", "threads"):
                        core = gcore(process.pid, folder)
                        figures += of_core(kind, core, process.truth, tools, rounds)
                        core.unlink()
                        if kernels := kernel_core(started, folder):
                            figures += of_core(kind, kernels, process.truth, tools, rounds)
                        else:
                            reasons.append("the kernel's core: core_pattern keeps it elsewhere")
            except NotMeasured as reason:
                reasons.append(str(reason))
    if not figures:
        raise NotMeasured("; ".join(reasons))
    figures[-1].notes += [f"with {stack_tools.versions(folder_of_tools)}", *dict.fromkeys(reasons)]
    return figures
