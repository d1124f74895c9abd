"""`jitscope doctor` on the parts of this machine, and on parts that are broken on purpose."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from jitscope import examination
from jitscope.examination import OLDEST_NUMBA
from jitscope.version import __version__
from tests.gdb.harness import environment, kill_session
from tests.interpreters import first_gdb
from tests.packaging.conftest import ROOT, Installed, clean_environment

SCHEMA = json.loads((ROOT / "docs" / "schema" / "doctor.json").read_text("utf-8"))
JITSCOPE = (sys.executable, "-m", "jitscope")


def doctor(
    *arguments: str | os.PathLike[str], before: Callable[[], None] | None = None, **env: str
) -> tuple[int, dict[str, dict[str, str]]]:
    """Return the status, and the findings by check."""
    done = subprocess.run(
        [*JITSCOPE, "doctor", "--json", *map(os.fspath, arguments)],
        env=environment({"JITSCOPE_GDB": first_gdb(), **env}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=before,
        check=False,
    )
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    assert found["well"] == (done.returncode == 0)
    return done.returncode, {finding["check"]: finding for finding in found["checks"]}


def states(found: dict[str, dict[str, str]]) -> dict[str, str]:
    return {check: finding["state"] for check, finding in found.items()}


def test_all_is_well_from_the_wheel(installed: Installed, tmp_path: pathlib.Path) -> None:
    """It is installed, with its line in .gdbinit: no check reports anything."""
    command = installed.environment / "bin" / "jitscope"
    env = clean_environment(HOME=str(tmp_path), JITSCOPE_GDB=first_gdb())
    env.pop("XDG_CONFIG_HOME", None)
    subprocess.run([command, "gdbinit", "--write"], env=env, check=True, capture_output=True)
    done = subprocess.run([command, "doctor"], env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    ok = [line for line in lines if line.startswith("ok     ")]
    assert len(ok) >= 7 and not any(line.startswith("wrong") for line in lines), done.stdout
    assert any(line.startswith("ok     GDB ") for line in lines)
    assert f"ok     {tmp_path}/.gdbinit loads jitscope" in lines
    assert "ok     a compiled function was stopped in, and its argument shown" in lines
    assert "ok     jitscope is installed beside this Numba, and registered with it" in lines
    assert done.stderr == ""


def test_the_names_of_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a check's name is shown while it runs."""
    monkeypatch.setenv("JITSCOPE_GDB", first_gdb())
    steps = list(examination.examine(sys.executable))
    assert [step for step in steps if isinstance(step, str)] == [
        "the C library",
        "GDB",
        "jitscope in GDB",
        "attaching to a process",
        "Numba",
        "a compiled function in GDB",
    ]
    found = {step.check: step.text for step in steps if not isinstance(step, str)}
    library = os.environ.get("JITSCOPE_INSPECT_LIBRARY") or ROOT / "build/runtime/inspect/libjitscope-inspect.so"
    assert found["library"] == f"C library of jitscope {__version__}: {library}"
    assert found["extension"] == f"jitscope {__version__} in GDB, with its reader of compiled objects"


def test_a_python_that_does_not_answer(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexec sleep 20\n")
    python.chmod(0o755)
    monkeypatch.setattr(examination, "TIMEOUT", 1)
    monkeypatch.setenv("JITSCOPE_GDB", "/nonexistent/gdb")
    finding = list(examination.examine(str(python)))[-1]
    assert finding == ("numba", "wrong", f"{python}: it does not answer", "jitscope doctor --python PATH")


def test_a_gdb_that_is_none(tmp_path: pathlib.Path) -> None:
    status, found = doctor(JITSCOPE_GDB="/nonexistent/gdb")
    assert status == 1 and found["gdb"]["state"] == "wrong"
    assert found["gdb"]["text"] == "JITSCOPE_GDB names /nonexistent/gdb, which is no program"
    assert found["gdb"]["fix"] == "unset JITSCOPE_GDB"
    assert "extension" not in found and "numba" in found
    status, found = doctor(JITSCOPE_GDB="/bin/true")
    assert status == 1 and re.match("/.*true fails: ", found["gdb"]["text"]) and found["gdb"]["fix"]
    status, found = doctor(JITSCOPE_GDB="", NUMBA_GDB_BINARY="", PATH=str(tmp_path))
    assert found["gdb"]["text"] == "gdb is not installed" and "set JITSCOPE_GDB" in found["gdb"]["fix"]


def test_numbas_variable_names_the_gdb() -> None:
    _, found = doctor(JITSCOPE_GDB="", NUMBA_GDB_BINARY="nosuch")
    assert found["gdb"]["text"] == "NUMBA_GDB_BINARY names nosuch, which is no program"


def test_a_library_of_another_version(tmp_path: pathlib.Path) -> None:
    source, other = tmp_path / "other.c", tmp_path / "other.so"
    source.write_text('const char *js_version(void) { return "0.0.9"; }\n')
    subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", other], check=True)
    status, found = doctor(JITSCOPE_INSPECT_LIBRARY=str(other))
    assert status == 1
    said = {
        "library": f"the C library: {other} is of jitscope 0.0.9, this package of {__version__}: build it again",
        "extension": f"jitscope in GDB: {other} is of jitscope 0.0.9, this is {__version__}",
    }
    for check, text in said.items():
        assert found[check] == {
            "check": check,
            "state": "wrong",
            "text": text,
            "fix": "unset JITSCOPE_INSPECT_LIBRARY",
        }
    assert found["debugging"]["state"] == "wrong"


def test_a_python_without_numba(tmp_path: pathlib.Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    python = tmp_path / "bare" / "bin" / "python"
    status, found = doctor("--python", python)
    assert status == 1 and " has no Numba: " in found["numba"]["text"]
    assert found["numba"]["fix"] == f"{python} -m pip install numba"
    assert states(found)["extension"] == "ok" and "debugging" not in found
    status, found = doctor("--python", tmp_path / "nosuch")
    assert status == 1 and "No such file" in found["numba"]["text"]


def test_nothing_is_compiled() -> None:
    status, found = doctor(NUMBA_DISABLE_JIT="1")
    assert status == 1 and found["numba"]["fix"] == "unset NUMBA_DISABLE_JIT"
    assert found["debugging"]["text"] == "GDB cannot stop in a compiled function, because Numba compiles nothing"
    assert found["debugging"]["state"] == "wrong" and found["debugging"]["fix"] == "unset NUMBA_DISABLE_JIT"


def forbid_ptrace() -> None:
    """Install a seccomp filter, as containers have: ptrace (101 on x86-64) fails with EPERM."""
    code = [(0x20, 0, 0, 0), (0x15, 0, 1, 101), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *line) for line in code))
    head = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(code), ctypes.addressof(program)))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.addressof(head), 0, 0):
        raise OSError("no filter")


def test_gdb_says_that_it_may_not_trace() -> None:
    """The doctor knows this case by GDB's own words."""
    command = [first_gdb(), "-nx", "-batch", "-ex", "run", "/bin/true"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=forbid_ptrace)
    assert "Could not trace the inferior process" in done.stderr


def test_where_ptrace_is_forbidden() -> None:
    status, found = doctor(before=forbid_ptrace)
    assert status == 1 and found["attach"]["state"] == "wrong"
    assert found["attach"]["text"].startswith("GDB may not attach to a process of this user's: ")
    assert "seccomp" in found["attach"]["text"] and "PID" not in found["attach"]["text"]
    assert "SYS_PTRACE" in found["attach"]["fix"] or "sudo gdb -p PID" in found["attach"]["fix"]
    text = "GDB may not trace a program that it starts: ptrace is refused, as for attaching"
    assert found["debugging"]["state"] == "wrong" and found["debugging"]["text"] == text
    assert states(found)["library"] == states(found)["extension"] == "ok"


GONE = "/nonexistent/gdbext/jitscope.py"


@pytest.mark.parametrize(
    ("line", "state", "text"),
    [
        (f"source {GONE}", "wrong", f"{{}} loads a jitscope that is not there: {GONE}"),
        ("", "warn", "{} does not load jitscope"),
    ],
)
def test_a_gdbinit_that_does_not_load_it(tmp_path: pathlib.Path, line: str, state: str, text: str) -> None:
    file = tmp_path / ".gdbinit"
    file.write_text(line + "\n")
    status, found = doctor(HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path / "config"))
    assert found["gdbinit"]["state"] == state and found["gdbinit"]["fix"] == "jitscope gdbinit --write"
    assert found["gdbinit"]["text"] == text.format(file)
    assert status == (1 if state == "wrong" else 0)


def test_where_cores_go() -> None:
    def none_at_all() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    _, found = doctor(before=none_at_all)
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text()
    if pattern.startswith("|"):
        assert found["cores"]["state"] in ("ok", "warn")
    else:
        assert found["cores"]["state"] == "warn" and "no core is written" in found["cores"]["text"]


def processes_of(session: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == session:
                found.append(int(name))
        except ProcessLookupError:
            continue
    return found


def test_ctrl_c_ends_it_cleanly() -> None:
    """GDB is at work: the result is one line, status 130, and no process is left."""
    process = subprocess.Popen(
        [*JITSCOPE, "doctor"],
        env=environment({"JITSCOPE_GDB": first_gdb()}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        for line in process.stdout:
            if "registered with it" in line or "not installed beside" in line:
                break
        children: list[int] = []
        end = time.monotonic() + 60
        while not children and time.monotonic() < end:
            text = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            children = [int(word) for word in text.split()]
        assert children
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert process.returncode == 130
        assert process.stderr.read() == "jitscope doctor: interrupted\n"
        end = time.monotonic() + 10  # the kernel ends the program once its debugger has ended
        while left := [pid for child in children for pid in processes_of(child)]:
            assert time.monotonic() < end, left
            time.sleep(0.1)
    finally:
        kill_session(process)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def test_the_tested_numbas_are_those_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| Numba |"))
    named = {tuple(map(int, version.split("."))) for version in re.findall(r"\b(\d+\.\d+)", row)}
    assert min(named) == OLDEST_NUMBA
