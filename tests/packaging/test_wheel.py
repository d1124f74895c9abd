"""The files that `pip install .` installs, which work from there."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

from tests.gdb import harness
from tests.interpreters import first_gdb, gdbs
from tests.packaging.conftest import ROOT, Installed, clean_environment, files, run

GDBS = [pytest.param(path, id=f"gdb-{name}") for name, path in gdbs().items()]


def meson_version() -> str:
    found = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())
    assert found
    return found[1]


def test_every_module_is_in_the_wheel(installed: Installed) -> None:
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    modules = [
        f for f in files("runtime/python", "gdbext", "lldbext") if f.endswith((".py", ".json", ".typed", ".pth"))
    ]
    expected = {re.sub("^(gdb|lldb)ext/", r"jitscope/\1ext/", f.removeprefix("runtime/python/")) for f in modules}
    assert len(expected) == len(modules) > 10
    assert expected - names == set()
    assert {"jitscope/gdbext/jitscope.py", "jitscope/lldbext/jitscope_lldb.py"} <= names
    assert "jitscope/lib/libjitscope-inspect.so" in names
    assert {"jitscope/lib/libjitscope.so", "jitscope/lib/jitscope-guard"} <= names
    headers = {
        "jitscope/include/jitscope.h",
        "jitscope/include/jitscope_descriptor.h",
        "jitscope/include/jitscope_guard.h",
        "jitscope/include/jitscope_raised.h",
        "jitscope/include/jitscope_report.h",
    }
    assert headers <= names
    names -= headers
    assert not [name for name in names if "__pycache__" in name or name.endswith((".c", ".h", ".a"))]


def test_the_versions_agree(installed: Installed) -> None:
    version = meson_version()
    assert installed.wheel.name.startswith(f"jitscope-{version}-")
    command = installed.environment / "bin" / "jitscope"
    assert run(command, "--version", env=clean_environment()).stdout == f"jitscope {version}\n"
    in_gdb = re.search(r'^__version__ = "(.+)"', (ROOT / "gdbext/jitscope_shared/__init__.py").read_text(), re.M)
    assert in_gdb and in_gdb[1] == version


def test_the_library_is_the_installed_one(installed: Installed) -> None:
    code = "from jitscope import native, paths; native.load(); print(paths.library())"
    done = run(installed.python, "-c", code, cwd="/", env=clean_environment())
    assert pathlib.Path(done.stdout.strip()) == installed.package / "lib" / "libjitscope-inspect.so"


def test_a_library_of_another_version_is_refused(installed: Installed, tmp_path: pathlib.Path) -> None:
    source = tmp_path / "other.c"
    source.write_text('const char *js_version(void) { return "0.0.9"; }\n')
    other = tmp_path / "other.so"
    run("gcc", "-shared", "-fPIC", source, "-o", other)
    done = subprocess.run(
        [installed.python, "-c", "from jitscope import native; native.load()"],
        env=clean_environment(JITSCOPE_INSPECT_LIBRARY=str(other)),
        capture_output=True,
        text=True,
        cwd="/",
    )
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith("jitscope.native.VersionMismatch") and "0.0.9" in last and meson_version() in last


def test_only_the_api_leaves_the_library(installed: Installed) -> None:
    table = run("nm", "-D", "--defined-only", installed.package / "lib" / "libjitscope-inspect.so").stdout
    names = {line.split()[-1] for line in table.splitlines()}
    assert {"js_version", "gdb_init_reader", "plugin_is_GPL_compatible"} <= names
    assert not {n for n in names if not n.startswith("js_")} - {"gdb_init_reader", "plugin_is_GPL_compatible"}


def test_numba_calls_the_entry_point(installed: Installed) -> None:
    code = """
import warnings
warnings.simplefilter("error")
import numba, jitscope.compiler
assert not jitscope.compiler.is_present()
assert numba.njit(lambda x: x + 1)(41) == 42
print(jitscope.compiler.is_present())
"""
    assert run(installed.python, "-c", code, cwd="/", env=clean_environment()).stdout == "True\n"


AT_START = "import sys; print(*sorted(name for name in sys.modules if 'jitscope' in name))"
GDB_BINARY = "from numba.core import config; print(config.GDB_BINARY)"


def test_numba_finds_gdb_before_its_entry_points(installed: Installed) -> None:
    assert "jitscope-startup.pth" in zipfile.ZipFile(installed.wheel).namelist()
    env = clean_environment(JITSCOPE_GDB=first_gdb())
    assert run(installed.python, "-c", AT_START, cwd="/", env=env).stdout == "_jitscope_startup\n"
    assert run(installed.python, "-c", GDB_BINARY, cwd="/", env=env).stdout == f"{first_gdb()}\n"


def test_nothing_is_left_when_it_is_removed(installed: Installed, tmp_path: pathlib.Path) -> None:
    base = run(installed.python, "-c", "import sys; print(sys._base_executable)").stdout.strip()
    run(base, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    before = sorted(path.name for path in (tmp_path / "venv").rglob("*") if path.is_file())
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--no-index", "--no-deps", installed.wheel)
    env = clean_environment()
    assert run(python, "-c", AT_START, cwd="/", env=env).stdout == "_jitscope_startup\n"
    run(*pip, "uninstall", "-y", "jitscope")
    done = run(python, "-c", AT_START, cwd="/", env=env)
    assert (done.stdout, done.stderr) == ("\n", "")
    # pip leaves empty folders of share/.
    assert set(path.name for path in (tmp_path / "venv").rglob("*") if path.is_file()) <= set(before)


def test_gdbinit_names_the_installed_file(installed: Installed) -> None:
    done = run(installed.environment / "bin" / "jitscope", "gdbinit", env=clean_environment())
    assert done.stdout == f"source {installed.package}/gdbext/jitscope.py\n"


@pytest.mark.parametrize("gdb", GDBS)
def test_gdb_loads_it_by_gdbinit(installed: Installed, gdb: str, tmp_path: pathlib.Path) -> None:
    env = clean_environment(HOME=str(tmp_path))
    run(installed.environment / "bin" / "jitscope", "gdbinit", "--write", env=env)
    done = run(gdb, "-batch", "-ex", "help jit", env=env, cwd="/")
    assert done.stderr == ""
    assert "jit status" in done.stdout


@pytest.mark.parametrize("opt", [None, "0"])
def test_scenario_a_from_the_wheel(installed: Installed, opt: str | None) -> None:
    a1 = pytest.importorskip("tests.scenarios.a1", reason="tests/scenarios is not there")
    scenario = a1.build(0, opt)
    done = harness.run(
        scenario.commands,
        program=scenario.program,
        env=dict(scenario.env),
        python=str(installed.python),
        source=installed.package / "gdbext" / "jitscope.py",
    )
    failures = [f"{check.title}: {why}" for check, why in scenario.failures(done)]
    assert not failures, "\n".join([*failures, done.text])
