"""GDB for tests: scripted (`run`), on a live process (`target`), on a core (`make_core`), interactive, MI.

Every process is in a session of its own, which is ended afterwards; a timeout ends GDB with its inferior."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.interpreters import JITSCOPE, NO_SCIPY, ROOT, first_gdb, newest_python
from tests.minutes import MATRIX
from tests.pseudo_terminal import spawn

PROGRAMS = ROOT / "tests" / "programs"
QUIET = (
    "set auto-load python-scripts off",
    "set debuginfod enabled off",
    "set pagination off",
    "set confirm off",
    "set width 0",
    "set breakpoint pending on",
)
# Settings without the debug information of the system's libraries, which few machines have, and which GDB reads at each
# start. GDB keeps the index of the interpreter's in a cache.
QUICK = (
    *QUIET,
    "set debug-file-directory",
    f"set index-cache directory {ROOT / 'build' / 'gdb-index'}",
    "set index-cache enabled on",
)
# jitscope names compiled code itself; GDB would demangle LLVM's 170 000 symbols at each start.
LIGHT = () if MATRIX else ("-iex", "set demangle-style none")
_MARK = "@@jitscope-section@@"


def line_of(program: str | pathlib.Path, mark: str) -> int:
    """Return the line of a program that ends in `# at: MARK`."""
    for number, line in enumerate((PROGRAMS / program).read_text().splitlines(), 1):
        if re.search(rf"# at: {re.escape(mark)}$", line):
            return number
    raise LookupError(f"{program} has no line marked {mark!r}")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without the variables that would change Numba or Python, plus `extra`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON"))}
    return {"JITSCOPE_LEVEL": "stock", **kept, "PYTHONWARNINGS": "ignore", "PYTHONUNBUFFERED": "1", **(extra or {})}


def lean(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a program that needs no SciPy: Numba loads SciPy if it is installed, and GDB reads all
    of it."""
    return environment({"PYTHONPATH": str(NO_SCIPY), **(extra or {})})


@dataclasses.dataclass
class Transcript:
    """The output of a scripted GDB, command by command."""

    sections: list[tuple[str, str]]
    status: int
    seconds: float
    timed_out: bool = False

    @property
    def text(self) -> str:
        return "\n".join(f"(gdb) {command}\n{output}" for command, output in self.sections)

    def of(self, command: str, occurrence: int = 0) -> str:
        """Return the output of `command`; `occurrence` counts from 0, or -1 for the last. "" if it did not run."""
        found = [output for name, output in self.sections if name == command]
        try:
            return found[occurrence]
        except IndexError:
            return ""


def is_jitscope(command: str) -> bool:
    """True if only jitscope has this command."""
    return command.startswith("jit ") or "$jit" in command


def kill_session(process: subprocess.Popen[Any]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run(
    commands: Sequence[str],
    *,
    program: str | pathlib.Path | None = None,
    arguments: Sequence[str] = (),
    pid: int | None = None,
    core: pathlib.Path | None = None,
    jitscope: bool = True,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    gdb: str | None = None,
    timeout: float = 300.0,
    may_time_out: bool = False,
    source: pathlib.Path = JITSCOPE,
    settings: Sequence[str] = QUICK,
) -> Transcript:
    """Run one GDB, non-interactive: `program` to start, `pid` to attach to, or `core` to open.

    Commands that only jitscope has are left out without it. A GDB that has not ended after `timeout` seconds fails,
    unless it `may_time_out`."""
    python = python or newest_python()
    command = [gdb or first_gdb(), "-nx", "-batch", "-q"]
    for setting in settings:
        command += ["-iex", setting]
    if jitscope:
        command += [*(LIGHT if settings is QUICK else ()), "-ex", f"source {source}"]
    chosen = [text for text in commands if jitscope or not is_jitscope(text)]
    if pid is not None:
        chosen.insert(0, f"attach {pid}")
    if core is not None:
        chosen.insert(0, f"core-file {core}")
    for number, text in enumerate(chosen):
        command += ["-ex", f"echo \\n{_MARK}{number}\\n", "-ex", text]
    command += ["-ex", f"echo \\n{_MARK}end\\n"]
    if program is not None:
        command += ["--args", python, str(PROGRAMS / program), *arguments]
    elif core is not None or pid is not None:
        command += [python]
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        env=lean(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    timed_out = False
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        kill_session(process)
        output, _ = process.communicate()
    pieces = re.split(rf"\n?{_MARK}(\w+)\n", output)
    sections = [("", pieces[0])] if pieces[0].strip() else []
    for number, body in zip(pieces[1::2], pieces[2::2]):
        name = chosen[int(number)] if number != "end" else ""
        if name or body.strip():
            sections.append((name, body.rstrip()))
    transcript = Transcript(sections, process.returncode, time.monotonic() - start, timed_out)
    assert may_time_out or not timed_out, f"GDB has not ended after {timeout} s: {transcript.text[-3000:]}"
    return transcript


@contextlib.contextmanager
def target(
    program: str | pathlib.Path,
    *,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    ready: str = "ready",
    timeout: float = 60.0,
) -> Iterator[int]:
    """Yield the pid of a running program that has printed `ready`; the program is ended on exit."""
    process = subprocess.Popen(
        [python or newest_python(), str(PROGRAMS / program)],
        env=lean(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        watchdog = time.monotonic() + timeout
        for line in process.stdout:
            if line.strip() == ready:
                break
            if time.monotonic() > watchdog:
                raise TimeoutError(f"{program} did not print {ready!r}")
        else:
            raise RuntimeError(f"{program} ended before it was ready")
        yield process.pid
    finally:
        kill_session(process)
        if process.stdout is not None:
            process.stdout.close()


def kernel_core(
    program: str | pathlib.Path, folder: pathlib.Path, env: Mapping[str, str] | None, python: str | None
) -> pathlib.Path | None:
    """Return the core that the kernel writes when the program crashes; None if the kernel pipes cores elsewhere."""
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if pattern.startswith("|") or "/" in pattern:
        return None
    shell = 'ulimit -c unlimited || exit 99; exec "$0" "$@"'
    subprocess.run(
        ["bash", "-c", shell, python or newest_python(), str(PROGRAMS / program)],
        cwd=folder,
        env=lean(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=90,
        check=False,
    )
    return next(iter(sorted(folder.glob("core*"))), None)


def gdb_core(
    program: str | pathlib.Path,
    folder: pathlib.Path,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    gdb: str | None = None,
) -> pathlib.Path:
    """Return the core that GDB writes (as gcore does) where the program crashes."""
    core = folder / "core.gcore"
    done = run(
        ["run", f"generate-core-file {core}", "kill"],
        program=program,
        jitscope=False,
        env=env,
        python=python,
        gdb=gdb,
    )
    if not core.exists():
        raise RuntimeError(f"no core of {program}:\n{done.text[-2000:]}")
    return core


def make_core(
    program: str | pathlib.Path,
    folder: pathlib.Path,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    gdb: str | None = None,
) -> pathlib.Path:
    """Return a core of the program's crash: the kernel's, or else GDB's."""
    return kernel_core(program, folder, env, python) or gdb_core(program, folder, env, python, gdb)


@contextlib.contextmanager
def interactive(
    program: str | pathlib.Path,
    *,
    jitscope: bool = True,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    gdb: str | None = None,
    timeout: float = 60.0,
    is_coloured: bool = False,
) -> Iterator[Any]:
    """Yield a GDB on a terminal (pexpect), at its first prompt; expect "(gdb) " after each sendline."""
    arguments = ["-nx", "-q"]
    for setting in (*QUICK, f"set style enabled {'on' if is_coloured else 'off'}"):
        arguments += ["-iex", setting]
    if jitscope:
        arguments += ["-ex", f"source {JITSCOPE}"]
    arguments += ["--args", python or newest_python(), str(PROGRAMS / program)]
    child = spawn(
        gdb or first_gdb(),
        arguments,
        env=lean({"TERM": "xterm-256color" if is_coloured else "dumb", **(env or {})}),
        timeout=timeout,
        encoding="utf-8",
        codec_errors="replace",
        echo=False,
    )
    try:
        child.expect_exact("(gdb) ")
        yield child
    finally:
        child.close(force=True)


@contextlib.contextmanager
def machine_interface(
    program: str | pathlib.Path,
    *,
    jitscope: bool = True,
    env: Mapping[str, str] | None = None,
    python: str | None = None,
    gdb: str | None = None,
) -> Iterator[MachineInterface]:
    """Yield a GDB/MI session (pygdbmi) on the program, which does not run yet."""
    session = MachineInterface(program, jitscope, env, python, gdb)
    try:
        yield session
    finally:
        session.close()


class MachineInterface:
    """GDB/MI by pygdbmi: `send` waits for the result record, `until_stop` for *stopped."""

    def __init__(
        self,
        program: str | pathlib.Path,
        jitscope: bool,
        env: Mapping[str, str] | None,
        python: str | None,
        gdb: str | None,
    ) -> None:
        from pygdbmi.gdbcontroller import GdbController

        command = [gdb or first_gdb(), "-nx", "-q", "--interpreter=mi3"]
        for setting in QUICK:
            command += ["-iex", setting]
        command += ["--args", python or newest_python(), str(PROGRAMS / program)]
        for name, value in {"PYTHONPATH": str(NO_SCIPY), **(env or {})}.items():
            command[-3:-3] = ["-iex", f"set environment {name} {value}"]
        self.controller = GdbController(command=command)
        self.stopped: dict[str, Any] | None = None
        self.console = ""  # all output of GDB for the console
        self.said = ""  # that, and GDB's standard error
        if jitscope:
            self.send(f'-interpreter-exec console "source {JITSCOPE}"')

    def _take(self, records: list[dict[str, Any]]) -> dict[str, Any] | None:
        result = None
        for record in records:
            if record["type"] == "notify" and record["message"] == "stopped":
                self.stopped = record["payload"]
            if record["type"] == "console":
                self.console += record["payload"]
            if record["type"] in ("console", "log"):
                self.said += record["payload"]
            if record["type"] == "result":
                result = record
        return result

    def send(self, command: str, timeout: float = 60.0) -> dict[str, Any]:
        """Return the result record of an MI command."""
        self.controller.write(command, read_response=False)
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            records = self.controller.get_gdb_response(timeout_sec=1, raise_error_on_timeout=False)
            result = self._take(records)
            if result is not None:
                return result
        raise TimeoutError(command)

    def until_stop(self, command: str, timeout: float = 60.0) -> dict[str, Any]:
        """Run an execution command and return the payload of *stopped."""
        self.stopped = None
        self.send(command)
        return self.next_stop(timeout)

    def next_stop(self, timeout: float = 60.0) -> dict[str, Any]:
        """Return the payload of the *stopped record that comes, or that has come since `stopped` was None."""
        end = time.monotonic() + timeout
        while self.stopped is None and time.monotonic() < end:
            self._take(self.controller.get_gdb_response(timeout_sec=1, raise_error_on_timeout=False))
        if self.stopped is None:
            raise TimeoutError("no stop")
        return self.stopped

    def close(self) -> None:
        process = self.controller.gdb_process
        with contextlib.suppress(Exception):  # GDB may have ended already
            self.send("-gdb-exit", timeout=5)
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
