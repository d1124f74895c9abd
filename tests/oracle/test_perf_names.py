"""perf has the names of compiled functions: in the file that it reads, and, if it may record, in its report."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python

UNWRITABLE = """
import os

from numba import njit

path = f"/tmp/perf-{os.getpid()}.map"
os.symlink("/nonexistent", path)
try:
    njit(lambda x: x)(1)
finally:
    os.unlink(path)
print(path)
"""
PROGRAM = ROOT / "tests" / "programs" / "perfed.py"


def test_names(tmp_path: pathlib.Path) -> None:
    data = tmp_path / "data"
    record = [shutil.which("perf") or "perf", "record", "-q", "-e", "cpu-clock", "-o", str(data), "--"]
    may_record = shutil.which("perf") and subprocess.run([*record, "true"], capture_output=True).returncode == 0
    env = environment({"JITSCOPE_PERF": "1", "JITSCOPE_LEVEL": "exact", "NUMBA_NUM_THREADS": "1"})
    done = subprocess.run(
        [*(record if may_record else []), newest_python(), PROGRAM],
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    child, hot, debugged, *entries, path = done.stdout.splitlines()
    try:
        assert child == "child 3"  # a function, and two wrappers
        names = {entry.split(" ", 2)[0]: entry.split(" ", 2)[1:] for entry in entries}
        for known in (hot, debugged):
            address, name = known.split(" ", 1)
            size, found = names[address]
            assert found == name
            assert int(size, 16) > 4
        said = [name for _, name in names.values()]
        assert any(name.startswith("spread.prange(") for name in said), said
        assert "smooth(array(float64, 1d, C))" in said, said
        assert not any("__numba_" in name for name in said), said
        assert "py::of CPython's own" in said
        assert "of another process" not in said
        if may_record:
            report = ["perf", "report", "-i", str(data), "--stdio", "--sort", "symbol"]
            assert hot.split(" ", 1)[1] in subprocess.run(report, capture_output=True, text=True).stdout
    finally:
        pathlib.Path(path).unlink()


def test_a_file_that_cannot_be_written() -> None:
    """Somebody has made a link of the file's name, which is not followed."""
    env = environment({"JITSCOPE_PERF": "1"})
    done = subprocess.run([newest_python(), "-c", UNWRITABLE], env=env, capture_output=True, text=True, timeout=120)
    why = f"{done.stdout.strip()} cannot be written: Too many levels of symbolic links"
    assert done.stderr == f"jitscope: perf has no names for compiled functions, since {why}\n"
