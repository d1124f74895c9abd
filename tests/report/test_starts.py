"""Crashes of programs that are started in other ways than by `python program.py`."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

import jitscope
from jitscope.paths import gdb_script, library, runtime_library
from tests.report.ways import CRASH, SEGV, run
from tests.stacks.taking import needs_library


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


SPAWN = """\
import ctypes, multiprocessing, os, sys
def crash(value):
    ctypes.CDLL(None).memset(None, 0, 8)
if __name__ == "__main__":
    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    process = multiprocessing.get_context(sys.argv[1]).Process(target=crash, args=(17,))
    process.start()
    process.join()
    print(process.exitcode)
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_multiprocessing(method: str, tmp_path: pathlib.Path) -> None:
    """The folder is that of the program, wherever a child starts."""
    program = tmp_path / "program.py"
    program.write_text(SPAWN)
    env = {**os.environ, "JITSCOPE": "", "JITSCOPE_REPORT": "reports"}
    words = [sys.executable, program, method]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=120)
    assert done.stdout == f"{SEGV}\n", done
    (written,) = (tmp_path / "reports").glob("*.txt")
    assert f"crash (value=17) at {program}:3 [py]" in written.read_text()


def test_posix_spawn(tmp_path: pathlib.Path) -> None:
    """A program that the process starts with its environment is reported, and one of C ends as always."""
    code = f"""\
import os, sys
started = [os.posix_spawn(words[0], words, os.environ) for words in
           ([sys.executable, "-c", {CRASH!r}], ["/bin/sh", "-c", "kill -SEGV $$"])]
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in started])"""
    done = run(sys.executable, "-c", code, JITSCOPE_REPORT=str(tmp_path))
    assert done.stdout == f"[{SEGV}, {SEGV}]\n", done
    (written,) = tmp_path.glob("*.txt")
    assert "value = 17" in written.read_text()


@pytest.mark.parametrize("options", [["-I"], ["-E"], ["-s"], ["-X", "frozen_modules=off"], ["-O"], ["-B"]])
def test_options(options: list[str]) -> None:
    done = run(sys.executable, *options, "-c", CRASH, JITSCOPE_REPORT="1")
    assert done.returncode == SEGV and "value = 17" in done.stderr, done


def test_without_site() -> None:
    """`-S` leaves the package out; a program that adds it has reports."""
    package = pathlib.Path(jitscope.__file__).parents[1]
    code = f"import sys; sys.path.insert(0, {str(package)!r}); import jitscope; jitscope.enable_crash_report()\n{CRASH}"
    done = run(sys.executable, "-S", "-c", code)
    assert done.returncode == SEGV and "value = 17" in done.stderr, done


def test_python_home(tmp_path: pathlib.Path) -> None:
    """The reader finds the library where the program has found it. Modules in the working directory are not read."""
    (tmp_path / "json.py").write_text("raise SystemExit('imported from the working directory')")
    stored = sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix})
    home = tmp_path / "home"
    (home / "lib").mkdir(parents=True)
    (home / "lib" / pathlib.Path(stored).name).symlink_to(stored)
    package = pathlib.Path(jitscope.__file__).parents[1]
    code = f"import sys; sys.path[:] = [{str(package)!r}, *filter(None, sys.path)]; import json, jitscope\n"
    code += f"jitscope.enable_crash_report()\nassert sys.prefix == {str(home)!r}\n{CRASH}"
    env = {**os.environ, "JITSCOPE": "", "PYTHONHOME": str(home)}
    words = [os.path.realpath(sys.executable), "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=120)
    assert done.returncode == SEGV and "value = 17" in done.stderr, done


@pytest.mark.parametrize("gone", ["python", "package", "library"])
def test_what_was_deleted_meanwhile(gone: str, tmp_path: pathlib.Path) -> None:
    """One line says what is missing."""
    package = pathlib.Path(jitscope.__file__).parent
    copy = tmp_path / "lib" / "jitscope"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(gdb_script().parent, copy / "gdbext", ignore=shutil.ignore_patterns("__pycache__"))
    python = tmp_path / "python"
    python.symlink_to(os.path.realpath(sys.executable))
    shutil.copy(library(), tmp_path / "library.so")
    victim = str({"python": python, "package": copy, "library": tmp_path / "library.so"}[gone])
    code = f"import shutil, sys; sys.path.insert(0, {str(copy.parent)!r}); import jitscope, os, ctypes\n"
    code += f"jitscope.enable_crash_report()\nos.rename({victim!r}, {victim!r} + '.old')\n{CRASH}"
    done = run(
        python,
        "-S",
        "-c",
        code,
        JITSCOPE_LIBRARY=str(runtime_library()),
        JITSCOPE_INSPECT_LIBRARY=str(tmp_path / "library.so"),
    )
    assert done.returncode == SEGV and len(done.stderr.splitlines()) == 1, done
    line = done.stderr.strip()
    assert line.startswith("jitscope: the crash cannot be reported"), line
    why = {
        "python": "no process can be started for it: error 2",
        "package": "No module named 'jitscope",
        "library": f"JITSCOPE_INSPECT_LIBRARY names {victim}, which is missing",
    }
    assert why[gone] in line
