"""The checks of `jitscope doctor`. Each check uses the part that it examines: it starts GDB, attaches to a process, or
compiles a function."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jitscope.cli.gdbinit import LINE, gdbinit_line, home_file
from jitscope.debugger import find_gdb, how_to_install, load_arguments
from jitscope.native import VersionMismatch, load
from jitscope.paths import library
from jitscope.version import __version__

TIMEOUT = 120  # seconds for one program; the first import of Numba from a cold disk is slow
GDB_PYTHON = (3, 8)
# The versions that `scripts/test --matrix` tests; README.md has the same, and a test compares them.
OLDEST_NUMBA, NEWEST_NUMBA = (0, 56), (0, 68)


class Finding(NamedTuple):
    check: str
    state: str  # ok, warn or wrong
    text: str
    fix: str = ""


class Said(NamedTuple):
    """The output of a program, and its exit status; None: it took too long."""

    status: int | None
    output: str


def examine(python: str) -> Iterator[str | Finding]:
    """Yield the findings, each after the name of its check."""
    yield "the C library"
    yield check_library()
    yield "GDB"
    gdb, finding = check_gdb()
    yield finding
    if gdb is not None:
        yield "jitscope in GDB"
        yield check_extension(gdb)
        yield "attaching to a process"
        yield check_attach(gdb)
    yield check_gdbinit()
    yield check_cores()
    yield "Numba"
    numba = ask_python(python)
    yield from check_numba(python, numba)
    if gdb is not None and isinstance(numba, dict) and numba["numba"]:
        if numba["jit"]:
            yield "a compiled function in GDB"
            yield check_debugging(gdb, python)
        else:
            text = "GDB cannot stop in a compiled function, because Numba compiles nothing"
            yield Finding("debugging", "wrong", text, UNSET)


# --- running a program ---------------------------------------------------------------------------


def run(command: Sequence[str], **environment: str) -> Said:
    """Run a command in a session of its own, and leave no process of it."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=TIMEOUT)
        return Said(process.returncode, output.decode("utf-8", "replace"))
    except subprocess.TimeoutExpired:
        return Said(None, "")
    finally:
        _end(process)
        if process.stdout is not None:
            process.stdout.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the processes, first by a signal that GDB can handle: it then ends its program and removes its files."""
    for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, None)):
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)


# Settings without which GDB reads for a second, and that no check is about: names of C++, and the system's debug
# information.
GDB_SETTINGS = (
    "debuginfod enabled off",
    "auto-load python-scripts off",
    "width 0",
    "demangle-style none",
    "debug-file-directory",
)


def ask_gdb(gdb: str, *arguments: str, extension: bool = True, **environment: str) -> Said:
    settings = [word for setting in GDB_SETTINGS for word in ("-iex", f"set {setting}")]
    loading = load_arguments() if extension else []
    return run([gdb, "-nx", "-batch", "-q", *settings, *loading, *arguments], **environment)


def json_in(output: str) -> dict[str, Any] | None:
    """Return the last line that is a JSON object."""
    for line in reversed(output.splitlines()):
        if line.startswith("{"):
            try:
                found: dict[str, Any] = json.loads(line)
                return found
            except ValueError:
                continue
    return None


def one_line(output: str) -> str:
    """Return the last line that is not empty, as a program's message about its failure."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    text = lines[-1] if lines else "it printed nothing"
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def installation_cure() -> str:
    if os.environ.get("JITSCOPE_INSPECT_LIBRARY"):
        return "unset JITSCOPE_INSPECT_LIBRARY"
    return _checkout_setup() or "pip install --force-reinstall jitscope"


def _checkout_setup() -> str:
    setup = Path(__file__).resolve().parents[3] / "scripts" / "setup"
    return str(setup) if setup.is_file() else ""


# --- the checks ----------------------------------------------------------------------------------


def check_library() -> Finding:
    try:
        load()
        return Finding("library", "ok", f"C library of jitscope {__version__}: {library()}")
    except (OSError, VersionMismatch) as error:
        return Finding("library", "wrong", f"the C library: {one_line(str(error))}", installation_cure())


def check_gdb() -> tuple[str | None, Finding]:
    """Return GDB's path if it is usable, else None, and the finding."""
    try:
        gdb = find_gdb()
    except FileNotFoundError as error:
        what, _, fix = str(error).partition(": ")
        return None, Finding("gdb", "wrong", what, fix)
    code = "python import sys; print('python', *sys.version_info[:2]); print('gdb', gdb.VERSION)"
    said = ask_gdb(gdb, "-ex", code, extension=False)
    python = re.search(r"^python (\d+) (\d+)$", said.output, re.M)
    version = re.search(r"^gdb (.*)$", said.output, re.M)
    if said.status is None:
        return None, Finding("gdb", "wrong", f"{gdb} does not answer", "JITSCOPE_GDB=PATH jitscope doctor")
    if python is None or version is None:
        why = "has no Python" if "scripting is not supported" in said.output else f"fails: {one_line(said.output)}"
        return None, Finding("gdb", "wrong", f"{gdb} {why}", f"{how_to_install('gdb')}, or set JITSCOPE_GDB")
    has = f"GDB {version[1]} with Python {python[1]}.{python[2]}: {gdb}"
    if (int(python[1]), int(python[2])) < GDB_PYTHON:
        return None, Finding("gdb", "wrong", f"{has}; Python 3.8 is needed", f"{how_to_install('gdb')}, a later one")
    return gdb, Finding("gdb", "ok", has)


def check_extension(gdb: str) -> Finding:
    said = ask_gdb(gdb, "-ex", "jit status -json")
    status = json_in(said.output)
    complaint = re.search(r"^jitscope: (.*)$", said.output, re.M)
    if complaint:
        text, _, fix = complaint[1].rpartition(": ")
        return Finding("extension", "wrong", f"jitscope in GDB: {text or fix}", fix if text else installation_cure())
    if status is None:
        return Finding("extension", "wrong", f"jitscope in GDB: {one_line(said.output)}", installation_cure())
    if status["jitscope"] != __version__:
        text = f"jitscope in GDB is {status['jitscope']}, this is {__version__}"
        return Finding("extension", "wrong", text, installation_cure())
    return Finding("extension", "ok", f"jitscope {__version__} in GDB, with its reader of compiled objects")


def check_attach(gdb: str) -> Finding:
    """Check an attach to a child of this process, as GDB would attach to any process of this user; the child is not
    GDB's."""
    child = subprocess.Popen(["sleep", str(TIMEOUT)], start_new_session=True)
    try:
        commands = ["-ex", f"attach {child.pid}", "-ex", f"jit status -json {child.pid}", "-ex", "detach"]
        said = ask_gdb(gdb, *commands)
    finally:
        child.kill()
        child.wait()
    status = json_in(said.output)
    if status is not None and status["process"] == f"process {child.pid}":
        return Finding("attach", "ok", "GDB may attach to processes of this user's" + _yama())
    access = (status or {}).get("access")
    if access and not access["allowed"]:
        # The process has ended, so the advice has to be right for any process.
        why = access["text"].partition("may not be debugged: ")[2] or access["text"]
        fix = re.sub(rf"\b{child.pid}\b", "PID", access["fix"])
        return Finding("attach", "wrong", f"GDB may not attach to a process of this user's: {why}", fix)
    refusals = [line for line in said.output.splitlines() if "ptrace" in line or "attach" in line]
    return Finding("attach", "wrong", f"GDB cannot attach: {one_line(chr(10).join(refusals) or said.output)}", "")


def _yama() -> str:
    try:
        return f" (Yama's ptrace_scope is {Path('/proc/sys/kernel/yama/ptrace_scope').read_text().strip()})"
    except OSError:
        return ""


def check_gdbinit() -> Finding:
    file, line = home_file(), gdbinit_line()
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        lines = []
    except OSError as error:
        return Finding("gdbinit", "warn", f"{file}: {error.strerror}")
    ours = [text.strip() for text in lines if LINE.fullmatch(text)]
    if not ours:
        return Finding("gdbinit", "warn", f"{file} does not load jitscope", "jitscope gdbinit --write")
    if ours == [line]:
        return Finding("gdbinit", "ok", f"{file} loads jitscope")
    other = os.fsdecode(ours[0].split(b" ", 1)[1])
    state = "warn" if os.path.isfile(os.path.expanduser(other)) else "wrong"
    what = "another jitscope" if state == "warn" else "a jitscope that is not there"
    return Finding("gdbinit", state, f"{file} loads {what}: {other}", "jitscope gdbinit --write")


def check_cores() -> Finding:
    try:
        pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    except OSError:
        return Finding("cores", "warn", "where the kernel writes cores cannot be read")
    if pattern.startswith("|") and "systemd-coredump" in pattern:
        return Finding("cores", "ok", "systemd keeps cores: coredumpctl dump -o FILE PID, then jitscope core FILE")
    if pattern.startswith("|"):
        program = os.path.basename(pattern[1:].split()[0]) if pattern[1:].split() else "nothing"
        fix = "sudo sysctl kernel.core_pattern=core.%p"
        return Finding("cores", "warn", f"the kernel gives cores to {program}, which may drop them", fix)
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if soft == 0 and hard == 0:
        return Finding("cores", "warn", "no core is written here, and this user may not change it", "gcore PID")
    if soft == 0:
        return Finding("cores", "warn", "a program that crashes leaves no core here", "ulimit -c unlimited")
    where = pattern if "/" in pattern else f"the program's folder, as {pattern}"
    size = "" if soft == resource.RLIM_INFINITY else f", cut at {soft} bytes"
    return Finding("cores", "ok", f"cores go to {where}{size}")


# It runs in the Python that is examined, which may be another than this one, without jitscope.
ASK = """\
import json, os, sys, sysconfig
marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
managed = sys.prefix == sys.base_prefix and os.path.exists(marker)
found = {"managed": managed, "python": "%d.%d.%d" % sys.version_info[:3], "numba": None,
         "error": None, "entry": None, "jit": True}
try:
    import numba, llvmlite
    found["numba"], found["llvmlite"] = numba.__version__, llvmlite.__version__
    found["jit"] = not numba.config.DISABLE_JIT
except Exception as error:
    found["error"] = "%s: %s" % (type(error).__name__, error)
try:
    from importlib.metadata import entry_points
    found_points = entry_points()
    points = found_points.select(group="numba_extensions") if hasattr(found_points, "select") \\
        else found_points.get("numba_extensions", ())
    found["entry"] = any(point.value.startswith("jitscope.") for point in points)
except Exception:
    pass
print(json.dumps(found))
"""


def ask_python(python: str) -> dict[str, Any] | str:
    """Return the Python's facts about its Numba, or why it gives none."""
    try:
        said = run([python, "-c", ASK])
    except OSError as error:
        return error.strerror or str(error)
    found = json_in(said.output)
    return found if found is not None else "it does not answer" if said.status is None else one_line(said.output)


UNSET = "unset NUMBA_DISABLE_JIT"


def check_numba(python: str, found: dict[str, Any] | str) -> Iterator[Finding]:
    if isinstance(found, str):
        yield Finding("numba", "wrong", f"{python}: {found}", "jitscope doctor --python PATH")
        return
    if found["numba"] is None:
        missing = "No module named 'numba'" in found["error"]
        why = "has no Numba" if missing else f"cannot import Numba ({one_line(found['error'])})"
        fix = _pip_install(found, python, "numba") if missing else f"{python} -c 'import numba'"
        yield Finding("numba", "wrong", f"Python {found['python']} {why}: {python}", fix)
        return
    has = f"Numba {found['numba']} on llvmlite {found['llvmlite']}, Python {found['python']}: {python}"
    version = tuple(int(part) for part in re.findall(r"\d+", found["numba"])[:2])
    if not found["jit"]:
        yield Finding("numba", "wrong", f"{has}; NUMBA_DISABLE_JIT is set, nothing is compiled", UNSET)
    elif version < OLDEST_NUMBA:
        yield Finding("numba", "warn", f"{has}; tested from 0.56 on", _pip_install(found, python, "--upgrade numba"))
    elif version > NEWEST_NUMBA:
        newest = ".".join(map(str, NEWEST_NUMBA))
        yield Finding("numba", "warn", f"{has}; tested up to {newest}", "pip install --upgrade jitscope")
    else:
        yield Finding("numba", "ok", has)
    if found["entry"]:
        yield Finding("entry-point", "ok", "jitscope is installed beside this Numba, and registered with it")
    else:
        text = "jitscope is not installed beside this Numba; GDB shows its programs without"
        yield Finding("entry-point", "warn", text, _pip_install(found, python, _source()))


def _pip_install(found: dict[str, Any], python: str, what: str) -> str:
    """Return the command. A distribution's own Python refuses packages that do not come from the distribution."""
    if found["managed"]:
        return f"{python} -m venv --system-site-packages DIR && DIR/bin/pip install {what}"
    return f"{python} -m pip install {what}"


def _source() -> str:
    setup = _checkout_setup()
    return str(Path(setup).parents[1]) if setup else "jitscope"


PROBE = """\
from numba import njit


@njit(debug=True)
def jitscope_probe(number):
    return number + 1


jitscope_probe(41)
"""


def check_debugging(gdb: str, python: str) -> Finding:
    """Check a breakpoint in a function that is compiled under GDB, and the function's argument."""
    commands = ["set breakpoint pending on", "break jitscope_probe", "run", "jit args -json", "jit status -json"]
    arguments = [word for command in commands for word in ("-ex", command)]
    with tempfile.TemporaryDirectory(prefix="jitscope-doctor-") as folder:
        program = Path(folder, "probe.py")
        program.write_text(PROBE, encoding="utf-8")
        said = ask_gdb(gdb, *arguments, "--args", python, str(program), NUMBA_OPT="0")
    status = json_in(said.output)
    if "Could not trace the inferior process" in said.output:
        text = "GDB may not trace a program that it starts: ptrace is refused, as for attaching"
        return Finding("debugging", "wrong", text)
    if status is None:
        return Finding("debugging", "wrong", f"a program cannot be debugged: {one_line(said.output)}", "")
    hit = re.search(r"jitscope_probe \(number=41\)", said.output)
    if hit and status["with_debug_info"]:
        return Finding("debugging", "ok", "a compiled function was stopped in, and its argument shown")
    later = "JITSCOPE_GDB=PATH jitscope doctor, with a GDB of another version"
    if not status["process"]:
        return Finding("debugging", "wrong", "GDB did not stop in a compiled function", later)
    if not status["jit"]:
        text = "GDB does not find __jit_debug_register_code in llvmlite"
        return Finding("debugging", "wrong", f"{text}, so it sees no compiled code", later)
    if not status["with_debug_info"]:
        text = "a function compiled with debug=True has no debug information"
        return Finding("debugging", "wrong", text, f"{python} -m numba -s | grep -i debug")
    return Finding("debugging", "wrong", f"GDB stopped, and the argument is not shown: {one_line(said.output)}", later)
