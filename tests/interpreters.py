"""The Numbas, GDBs and LLDBs that the tests run: JITSCOPE_NUMBA_PYTHONS, JITSCOPE_GDBS, JITSCOPE_LLDBS
("name=/path:name=/path")."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
JITSCOPE = ROOT / "gdbext" / "jitscope.py"
NO_SCIPY = ROOT / "tests" / "without_scipy"  # on PYTHONPATH: hides SciPy, as on a machine that has none


def _named(variable: str) -> dict[str, str]:
    text = os.environ.get(variable, "")
    return dict(item.split("=", 1) for item in text.split(":") if "=" in item)


def numba_pythons() -> dict[str, str]:
    """Return the interpreters that have Numba, by the name of their Numba; the repository's .venv if none is named."""
    local = ROOT / ".venv" / "bin" / "python"
    return _named("JITSCOPE_NUMBA_PYTHONS") or {"newest": str(local) if local.exists() else sys.executable}


def gdbs() -> dict[str, str]:
    """Return the GDBs by version; the one on PATH if none is named."""
    return _named("JITSCOPE_GDBS") or {"default": shutil.which("gdb") or "gdb"}


def lldbs() -> dict[str, str]:
    """Return the LLDBs by version; the one on PATH if none is named."""
    return _named("JITSCOPE_LLDBS") or {"default": shutil.which("lldb") or "lldb"}


def lldb_adapter(lldb: str) -> str:
    """Return LLDB's own debug adapter, which is installed beside it; skip the test where there is none."""
    major = re.search(r"lldb version (\d+)", subprocess.run([lldb, "--version"], capture_output=True, text=True).stdout)
    assert major is not None
    for name in (f"lldb-dap-{major[1]}", f"lldb-vscode-{major[1]}"):
        if found := shutil.which(name, path=f"{pathlib.Path(lldb).parent}:{os.environ['PATH']}"):
            return found
    import pytest  # not at the top, because scripts/packages runs this module in an interpreter without pytest

    pytest.skip("this LLDB has no debug adapter beside it")


def newest_python() -> str:
    """Return the last of the interpreters, which has the newest Numba."""
    return list(numba_pythons().values())[-1]


def first_gdb() -> str:
    return next(iter(gdbs().values()))


def pairs() -> dict[str, tuple[str, str]]:
    """Return Numbas with GDBs, (python, gdb) by "numba-NAME-gdb-NAME": each Numba on the first GDB, the newest on
    each."""
    newest = newest_python()
    return {
        f"numba-{numba}-gdb-{version}": (python, gdb)
        for numba, python in numba_pythons().items()
        for version, gdb in gdbs().items()
        if python == newest or gdb == first_gdb()
    }


def _write(path: pathlib.Path, text: str) -> None:
    """Write the file at once: an interpreter that another test starts meanwhile must not find it empty."""
    if not path.exists() or path.read_text() != text:
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_text(text)
        new.replace(path)


def with_hook() -> dict[str, str]:
    """Return the environment in which an interpreter with Numba and without jitscope loads this checkout's jitscope."""
    entry = ROOT / "build" / "entry-point" / "jitscope-0.dist-info"
    entry.mkdir(parents=True, exist_ok=True)
    _write(entry / "METADATA", "Metadata-Version: 2.1\nName: jitscope\nVersion: 0\n")
    _write(entry / "entry_points.txt", importlib.metadata.distribution("jitscope").read_text("entry_points.txt") or "")
    return {"PYTHONPATH": f"{ROOT / 'runtime' / 'python'}:{entry.parent}:{NO_SCIPY}"}
