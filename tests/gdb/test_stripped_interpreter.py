"""`jit bt` under an interpreter whose own static functions have no name, as distributions ship it."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sysconfig

import pytest

from tests.gdb import harness

PYTHON = pathlib.Path("/usr/bin/python3")
TOGETHER = pytest.mark.xdist_group("stripped-interpreter")  # one GDB for them
PROGRAM = """\
import time


def wait():
    time.sleep(600)


print("ready", flush=True)
wait()
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> harness.Transcript:
    if not PYTHON.exists():
        pytest.skip(f"there is no {PYTHON}")
    program = tmp_path_factory.mktemp("stripped") / "waiting.py"
    program.write_text(PROGRAM)
    with harness.target(program, python=str(PYTHON)) as pid:
        done = harness.run(["bt", "jit bt", "jit bt -all"], pid=pid, python=str(PYTHON))
    if "?? ()" not in done.of("bt") or " from " in done.of("bt").split("?? ()")[1].split("\n")[0]:
        pytest.skip(f"{PYTHON} has a name for each of its functions, or a libpython")
    return done


@TOGETHER
def test_nameless_frames_of_the_interpreter_are_folded(shown: harness.Transcript) -> None:
    frames = shown.of("jit bt").splitlines()
    assert not [frame for frame in frames if re.match(r"#\d+\s+0x", frame)], shown.text
    assert re.match(r"#\d+\s+wait \(\) at .*waiting\.py:5 \[py\]$", frames[-2]), shown.text
    assert re.match(r"#\d+\s+<module> \(\) at .*waiting\.py:9 \[py\]$", frames[-1]), shown.text


CALLED = """\
import ctypes

from numba import njit

pause = ctypes.CDLL(None).pause
pause.argtypes = []


@njit(debug=True)
def inner(n):
    return n + pause()


def between(n):
    print("ready", flush=True)
    return inner(n)


callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(between)


@njit(debug=True)
def outer(n):
    return callback(n) + 1


inner.compile("(int64,)")
outer(3)
"""


def test_compiled_code_that_calls_python_stands_above_what_it_calls(tmp_path: pathlib.Path) -> None:
    """The frames are in the order of the calls, though the interpreter's frames have no names."""
    packages = sysconfig.get_path("purelib")
    has_numba = subprocess.run([PYTHON, "-c", "import numba"], env={"PYTHONPATH": packages}, capture_output=True)
    if has_numba.returncode:
        pytest.skip(f"{PYTHON} cannot use the packages of .venv")
    program = tmp_path / "called.py"
    program.write_text(CALLED)
    with harness.target(program, python=str(PYTHON), env={"PYTHONPATH": packages, "JITSCOPE": "0"}) as pid:
        done = harness.run(["bt", "jit bt"], pid=pid, python=str(PYTHON))
    names = re.findall(r"^#\d+\s+(?:0x\w+ in )?(\S+) \(", done.of("jit bt"), re.M)
    assert [n for n in names if n in ("inner", "between", "outer", "<module>")] == [
        "inner",
        "between",
        "outer",
        "<module>",
    ], done.text


@TOGETHER
def test_all_shows_them(shown: harness.Transcript) -> None:
    assert re.search(r"^#\d+\s+0x[0-9a-f]+ \(\)", shown.of("jit bt -all"), re.M), shown.text
