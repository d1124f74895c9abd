"""What jitscope says, in GDB and on the command line, where a part of it is missing or belongs to another jitscope, and
what it tells the user to do about it."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import pytest

from jitscope.version import __version__
from tests.gdb import harness
from tests.packaging.conftest import ROOT, clean_environment, run

SOURCES = ROOT / "runtime" / "python" / "jitscope"
LIBRARY = ROOT / "build" / "runtime" / "inspect" / "libjitscope-inspect.so"
UNSET = "unset JITSCOPE_INSPECT_LIBRARY"


def copied(folder: pathlib.Path) -> pathlib.Path:
    """Copy the package into a folder, and return the folder of the copy."""
    place = folder / "jitscope"
    shutil.copytree(SOURCES, place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


def said(path: pathlib.Path, *arguments: str, **env: str) -> str:
    """Return the last line of a command of the jitscope in this folder."""
    command = [sys.executable, "-m", "jitscope", *arguments]
    env = clean_environment(PYTHONPATH=str(path), **env)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and not done.stdout, done
    return done.stderr.removesuffix("\n")


def test_a_folder_with_a_newline(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "two\nlines"
    script = copied(folder) / "gdbext" / "jitscope.py"
    script.parent.mkdir()
    script.touch()
    text = f"GDB cannot source {str(script)!r}, whose path has a newline: install jitscope elsewhere"
    assert said(folder, "gdbinit") == f"jitscope: {text}"


def test_a_checkout_without_a_file(tmp_path: pathlib.Path) -> None:
    sources = tmp_path / "runtime" / "python"
    copied(sources)
    (tmp_path / "gdbext").mkdir()
    (tmp_path / "meson.build").touch()
    cure = f"run git -C {tmp_path} checkout -- gdbext"
    assert said(sources, "gdbinit") == f"jitscope: {tmp_path}/gdbext/jitscope.py is missing: {cure}"


SYSTEM = """
[ -e /etc/os-release ] && mount --bind "$1" /etc/os-release
mount --bind "$1" "$(readlink -f /usr/lib/os-release)"
shift
exec "$@"
"""


def test_a_system_whose_packages_are_not_known(tmp_path: pathlib.Path) -> None:
    """The file that names the system is another one, for this process alone."""
    space = ["unshare", "--map-root-user", "--mount"]
    if subprocess.run([*space, "mount", "--bind", tmp_path, tmp_path], capture_output=True).returncode:
        pytest.skip("needs a mount namespace")
    release = tmp_path / "os-release"
    release.write_text("ID=plan9\n")
    program = tmp_path / "program.py"
    program.touch()
    env = harness.environment({"JITSCOPE_GDB": "", "NUMBA_GDB_BINARY": ""})
    command = [*space, "sh", "-c", SYSTEM, "sh", release, "env", f"PATH={tmp_path}", sys.executable, "-m", "jitscope"]
    done = subprocess.run([*command, "run", program], env=env, capture_output=True, text=True, timeout=60)
    text = "gdb is not installed: install the package gdb, or set JITSCOPE_GDB"
    assert done.stderr == f"jitscope: {text}\n", done


# --- the C library in GDB ------------------------------------------------------------------------


def compiled(folder: pathlib.Path, code: str) -> pathlib.Path:
    source, library = folder / "library.c", folder / "library.so"
    source.write_text(code)
    run("gcc", "-shared", "-fPIC", "-w", source, "-o", library)
    return library


def in_gdb(library: pathlib.Path) -> str:
    """Return what GDB prints when it sources jitscope with this library."""
    return harness.run(["echo"], env={"JITSCOPE_INSPECT_LIBRARY": str(library)}, settings=harness.QUIET).sections[0][1]


VERSION = f'const char *js_version(void) {{ return "{__version__}"; }}\n'


def test_a_library_that_is_none(tmp_path: pathlib.Path) -> None:
    library = tmp_path / "library.so"
    library.write_text("a text\n")
    why = f"{library}: file too short"
    assert in_gdb(library) == f"jitscope: {library} cannot be loaded ({why}): {UNSET}\n"


def test_a_library_that_lacks_functions(tmp_path: pathlib.Path) -> None:
    library = compiled(tmp_path, VERSION)
    said = in_gdb(library)
    name = said.partition(" lacks ")[2].partition(",")[0]
    assert said == f"jitscope: {library} lacks {name}, so it is of another jitscope: {UNSET}\n"
    assert name.startswith("js_")


def test_a_library_that_gdb_refuses(tmp_path: pathlib.Path) -> None:
    """It has all functions of the library, but not what GDB asks of a reader."""
    listed = run("nm", "-D", "--defined-only", LIBRARY).stdout.split()
    names = {name for name in listed if name.startswith("js_")} - {"js_version"}
    library = compiled(tmp_path, VERSION + "".join(f"long {name}(void) {{ return 0; }}\n" for name in sorted(names)))
    why = "Could not locate initialization function: gdb_init_reader"
    assert in_gdb(library) == f"jitscope: GDB does not load {library} as its JIT reader ({why}): {UNSET}\n"
