"""The errors of the `jitscope` command, and the findings of its doctor, by their text."""

from __future__ import annotations

import os
import pathlib
import re
import resource
import struct
import subprocess
import sys

import pytest

from jitscope import examination, paths
from jitscope.cli import lldbinit
from tests.gdb.harness import environment

ELF = b"\x7fELF\2\1\1" + bytes(9)
CORES = {
    "gzip": (b"\x1f\x8b" + bytes(60), "is damaged or incomplete: Unknown compression method"),
    "text": (b"not an ELF file, but a text of some length, which is read", "is no core file"),
    "other": (b"\x7fELF\1\1\1" + bytes(60), "is a file of another kind of machine"),
    "library": (ELF + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0),
                "is a program or a library, not a core file"),
    "damaged": (ELF + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 55, 0, 64, 0, 0),
                "is damaged: its program headers have an unexpected size"),
    "short": (ELF, "is damaged: it ends within its header"),
    "empty": (ELF + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0),
              "does not say which program it came from: jitscope core FILE PROGRAM"),
}  # fmt: skip


def said(*arguments: str | os.PathLike[str], **env: str) -> str:
    """The last line of a command that fails, or the whole of what one prints."""
    command = [sys.executable, "-m", "jitscope", *map(os.fspath, arguments)]
    env = environment({"JITSCOPE_GDB": "/bin/true", **env})
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout.strip() or done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", CORES)
def test_files_that_are_no_cores(tmp_path: pathlib.Path, name: str) -> None:
    content, text = CORES[name]
    file = tmp_path / name
    file.write_bytes(content)
    assert said("core", file) == f"jitscope: {file} {text.replace('FILE', str(file))}"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ("attach",),
            "jitscope attach: error: a process number is missing: it has to come first, or after the `--` that ends "
            "GDB's arguments",
        ),
        (("attach", "99999999999"), "jitscope attach: error: 99999999999 is no process number"),
        (("core", "a", "b", "c"), "jitscope core: error: unexpected argument: c"),
        (("run", "-q", "program.py"), "jitscope run: error: -q is for GDB, so `--` has to come before the program"),
        (("gdbinit", "--file", "f"), "jitscope: --file goes with --write or --remove"),
        (("doctor", "--python", "/nonexistent"), "wrong  /nonexistent: No such file or directory"),
    ],
)
def test_arguments(arguments: tuple[str, ...], text: str) -> None:
    assert text in said(*arguments).splitlines()


def test_scripts_that_do_not_run(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/usr/bin/env nosuchinterpreter\n")
    command = f"jitscope run -- {sys.executable} {script}"
    assert said("run", script) == f"jitscope: {script} is not executable: {command}"
    script.chmod(0o755)
    assert said("run", script) == f"jitscope: the interpreter of {script} is not installed: nosuchinterpreter"
    script.write_text("#!/usr/bin/env\n")
    assert said("run", script) == f"jitscope: the interpreter of {script} is not installed: it names none"


GDB_TO_START = """
environment:
  JITSCOPE_GDB, NUMBA_GDB_BINARY  the GDB to start, the first that is set; else
                                  the one on PATH
"""


@pytest.mark.parametrize("command", ["run", "attach", "core"])
def test_the_help_names_the_gdb_to_start(command: str) -> None:
    assert GDB_TO_START in f"{said(command, '--help')}\n"


def test_a_line_of_lldbinit(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "lldbinit"
    assert said("lldbinit", "--file", "f") == "jitscope: --file goes with --write or --remove"
    assert said("lldbinit", "--remove", "--file", file) == f"{file}: has no such line"
    assert said("lldbinit", "--write", "--file", file) == f"{file}: jitscope is loaded when LLDB starts"
    assert said("lldbinit", "--write", "--file", file) == f"{file}: already has the line"
    assert said("lldbinit", "--remove", "--file", file) == f"{file}: the line is removed"


def test_a_path_that_lldb_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lldbinit, "lldb_script", lambda: pathlib.Path('/a"b/jitscope_lldb.py'))
    text = "LLDB cannot import '/a\"b/jitscope_lldb.py': install jitscope in a folder with a simpler name"
    with pytest.raises(OSError, match=re.escape(text)):
        lldbinit.lldbinit_line()


def test_lldbs_file_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setattr(paths, "gdb_script", lambda: tmp_path / "gdbext" / "jitscope.py")
    missing = f"{tmp_path}/lldbext/jitscope_lldb.py is missing: install jitscope again"
    with pytest.raises(FileNotFoundError, match=re.escape(missing)):
        paths.lldb_script()


def test_a_line_of_gdbinit(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "gdbinit"
    assert said("gdbinit", "--remove", "--file", file) == f"{file}: has no such line"
    assert said("gdbinit", "--write", "--file", file) == f"{file}: jitscope is loaded when GDB starts"
    assert said("gdbinit", "--write", "--file", file) == f"{file}: already has the line"
    assert said("gdbinit", "--remove", "--file", file) == f"{file}: the line is removed"


def test_a_gdb_that_is_no_program() -> None:
    text = "JITSCOPE_GDB names /nonexistent/gdb, which is no program: unset JITSCOPE_GDB"
    assert said("run", "-c", "1", JITSCOPE_GDB="/nonexistent/gdb") == f"jitscope: {text}"


# --- doctor --------------------------------------------------------------------------------------


def gdb(folder: pathlib.Path, script: str) -> str:
    """A program in GDB's place."""
    path = folder / "gdb"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("echo Python scripting is not supported in this copy of GDB.", "has no Python"),
        ("true", "fails: it printed nothing"),
        ("echo python 3 6; echo gdb 8.3", "Python 3.8 is needed"),
    ],
)
def test_a_gdb_that_will_not_do(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, script: str, text: str
) -> None:
    monkeypatch.setenv("JITSCOPE_GDB", gdb(tmp_path, script))
    found, finding = examination.check_gdb()
    assert found is None and finding.state == "wrong" and finding.text.endswith(text) and finding.fix, finding


def test_a_gdb_that_does_not_answer(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "TIMEOUT", 1)
    monkeypatch.setenv("JITSCOPE_GDB", gdb(tmp_path, "exec sleep 20"))
    assert examination.check_gdb()[1].text.endswith("gdb does not answer")


def test_another_jitscope_in_gdb(tmp_path: pathlib.Path) -> None:
    other = gdb(tmp_path, """echo '{"jitscope": "0.0.1", "process": "process 1"}'""")
    assert examination.check_extension(other).text.startswith("jitscope in GDB is 0.0.1, this is ")
    assert examination.check_attach(gdb(tmp_path, "echo ptrace: refused")).text == "GDB cannot attach: ptrace: refused"


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("", "a program cannot be debugged: it printed nothing"),
        ('{"process": null}', "GDB did not stop in a compiled function"),
        ('{"process": 1, "jit": false}', "GDB does not find __jit_debug_register_code in llvmlite"),
        ('{"process": 1, "jit": true, "with_debug_info": 0}', "has no debug information"),
        ('{"process": 1, "jit": true, "with_debug_info": 1}', "GDB stopped, and the argument is not shown: "),
    ],
)
def test_a_program_that_cannot_be_debugged(tmp_path: pathlib.Path, status: str, text: str) -> None:
    status = status.replace('{"process": null}', '{"process": null, "with_debug_info": 0}')
    status = status.replace('"jit": false', '"jit": false, "with_debug_info": 0')
    finding = examination.check_debugging(gdb(tmp_path, f"echo '{status}'"), sys.executable)
    assert finding.state == "wrong" and text in finding.text, finding


@pytest.mark.parametrize(
    ("pattern", "limit", "text"),
    [
        ("|/usr/bin/keep %p", resource.RLIM_INFINITY, "the kernel gives cores to keep, which may drop them"),
        ("core.%p", 0, "a program that crashes leaves no core here"),
        ("core.%p", resource.RLIM_INFINITY, "cores go to the program's folder, as core.%p"),
        ("/cores/%p", 4096, "cores go to /cores/%p, cut at 4096 bytes"),
    ],
)
def test_where_cores_go(monkeypatch: pytest.MonkeyPatch, pattern: str, limit: int, text: str) -> None:
    monkeypatch.setattr(pathlib.Path, "read_text", lambda path: pattern)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limit, resource.RLIM_INFINITY))
    assert examination.check_cores().text == text


def test_where_cores_go_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_text(path: pathlib.Path) -> str:
        raise PermissionError

    monkeypatch.setattr(pathlib.Path, "read_text", read_text)
    assert examination.check_cores().text == "where the kernel writes cores cannot be read"


FACTS = {"python": "3.11.2", "numba": "0.61.0", "llvmlite": "0.44", "error": "", "entry": True, "jit": True}


@pytest.mark.parametrize(
    ("facts", "text", "fix"),
    [
        ({"numba": None, "error": "ModuleNotFoundError: No module named 'numba'"}, "has no Numba",
         "DIR/bin/pip install numba"),
        ({"numba": None, "error": "ImportError: no libc"}, "cannot import Numba (ImportError: no libc)",
         "import numba"),
        ({"jit": False}, "NUMBA_DISABLE_JIT is set, nothing is compiled", "unset NUMBA_DISABLE_JIT"),
        ({"numba": "0.40.0"}, "tested from 0.56 on", "install --upgrade numba"),
        ({"numba": "9.0.0"}, "tested up to ", "pip install --upgrade jitscope"),
    ],
)  # fmt: skip
def test_a_numba_that_may_not_do(facts: dict[str, object], text: str, fix: str) -> None:
    finding = next(examination.check_numba("python3", {**FACTS, "managed": "DIR" in fix, **facts}))
    assert text in finding.text and fix in finding.fix, finding
