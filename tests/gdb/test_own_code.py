"""Under a debugger, the functions of the user's own files are compiled for stepping, though nobody has asked for it."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, lean, line_of
from tests.gdb.installed_package import install, results
from tests.interpreters import newest_python

PROGRAM = "own_code.py"


def at(mark: str, condition: str) -> str:
    return f"break {PROGRAM}:{line_of(PROGRAM, mark)} if {condition}"


def environment(folder: pathlib.Path, **own: str) -> dict[str, str]:
    """Return the settings of a program that has the package installed, and jitscope at its defaults."""
    set_here = {
        "PYTHONPATH": f"{install(folder)}:{harness.NO_SCIPY}",
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "NUMBA_NUM_THREADS": "2",
    }
    return {**set_here, "JITSCOPE_LEVEL": "", **own}


def alone(env: dict[str, str]) -> str:
    """Return what the program prints where no debugger is there."""
    command = [newest_python(), str(harness.PROGRAMS / PROGRAM)]
    return subprocess.run(command, env=lean(env), stdout=subprocess.PIPE, text=True, timeout=200, check=True).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("own-code")


@pytest.fixture(scope="module")
def seen(folder: pathlib.Path) -> Transcript:
    commands = [at("scan", "j == 13"), at("helper", "j == 2 and twice > 3"), "run", "print twice", "continue"]
    commands += ["info locals", at("halves", "i == 17"), "continue", "print half", "print i"]
    commands += [at("element", "x == 4"), "continue", "print y", at("kept", "n > 0"), "continue", "info locals"]
    commands += [at("shaped", "a.size > 1"), "continue", "info locals", "jit why rows", "jit why z"]
    commands += ["continue", "jit why lost"]  # in the body
    commands += ["break packaged", "jit functions -json", "delete", "continue"]
    return harness.run(commands, program=PROGRAM, env=environment(folder))


def test_a_condition_on_the_variables_of_a_loop(seen: Transcript) -> None:
    total = sum(2.0 * j + 1 for j in range(13))
    assert set(seen.of("info locals").splitlines()) >= {f"total = {total}", "j = 13", "x = 27.0"}, seen.text


def test_a_function_that_is_inlined(seen: Transcript) -> None:
    assert seen.of("print twice").endswith("= 4.0"), seen.text


def test_the_body_of_a_parallel_loop(seen: Transcript) -> None:
    assert seen.of("print half").endswith("= 8.5") and seen.of("print i").endswith("= 17"), seen.text


def test_a_ufunc(seen: Transcript) -> None:
    assert seen.of("print y").endswith("= 4.5"), seen.text


def test_a_function_of_a_cache(seen: Transcript) -> None:
    assert "square = 49" in seen.of("info locals", 1), seen.text


def test_what_a_parallel_function_assigns_and_does_not_read(seen: Transcript) -> None:
    """Numba removes it as dead; what cannot raise is kept."""
    kept = ["rows = 3", "cols = 4", "k = 20", "m = 1", "w = 3", "y = 23", "same = 5", "pair = (3, 4)", "high = 3"]
    assert set(seen.of("info locals", 2).splitlines()) >= {*kept, "n = <optimized out>", "z = <optimized out>"}, (
        seen.text
    )
    assert seen.of("jit why rows").startswith("rows is exact: "), seen.text
    said = ["z is optimized out: the compiler removed what assigns it", "write debug=True in its @njit"]
    assert seen.of("jit why z").splitlines() == said, seen.text
    said = ["lost is optimized out: the compiler left nothing of it", "write debug=True in its @njit"]
    assert seen.of("jit why lost").splitlines() == said, seen.text


def functions(seen: Transcript) -> dict[str, tuple[bool, str | None, str | None]]:
    found = json.loads(seen.of("jit functions -json"))
    return {each["qualname"]: (each["debug_info"], each["level"], each["chosen_by"]) for each in found}


def test_packages_and_functions_with_fastmath_flags_have_lines_only(seen: Transcript) -> None:
    known = functions(seen)
    assert known["scan"] == known["kept"] == (True, "steps", "debugger"), seen.text
    assert known["packaged"] == (True, "lines", "default"), seen.text
    assert known["fast"] == (True, "lines", "fastmath"), seen.text


def test_results_are_those_without_a_debugger(seen: Transcript, folder: pathlib.Path) -> None:
    assert results(seen.text) == results(alone(environment(folder))), seen.text


def test_a_cache_serves_both(seen: Transcript, folder: pathlib.Path) -> None:
    assert "cache 0 1" in seen.text
    for _ in range(2):
        (cached,) = [line for line in alone(environment(folder)).splitlines() if line.startswith("cache ")]
    assert cached == "cache 1 0"
    again = harness.run(["break kept", "run", "info args", "continue"], program=PROGRAM, env=environment(folder))
    assert again.of("info args") == "n = 7" and "cache 1 0" in again.text, again.text


def test_off(folder: pathlib.Path) -> None:
    env = environment(folder, JITSCOPE_DEBUG="off")
    done = harness.run([at("scan", "j == 13"), "run", "bt"], program=PROGRAM, env=env)
    assert "scan has no debug information" in done.text and "results " in done.text, done.text


def test_an_unknown_setting_is_named(folder: pathlib.Path) -> None:
    env = environment(folder, JITSCOPE_DEBUG="everything")
    done = harness.run([at("scan", "j == 13"), "run", "print x"], program=PROGRAM, env=env)
    assert "jitscope: JITSCOPE_DEBUG=everything is none of lines, all, off: it is ignored" in done.text, done.text
    assert done.of("print x").endswith("= 27.0"), done.text


OWN = """
import linecache, sys, sysconfig
import numba, numpy
from jitscope.compiler.base.own_code import is_own
linecache.cache["<ipython-input-3>"] = (4, None, ["x=1"], "<ipython-input-3>")
paths = [__file__, numba.__file__, numpy.__file__, linecache.__file__, "<string>", "<ipython-input-3>", "gone.py"]
print([is_own(path) for path in paths])
"""


def test_which_files_are_the_users_own(tmp_path: pathlib.Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    command = [newest_python(), str(tmp_path / "own.py")]
    done = subprocess.run(command, env=lean(), stdout=subprocess.PIPE, text=True, timeout=100, check=True)
    assert done.stdout.strip() == str([True, False, False, False, False, True, False])


SAME = {
    "a file that has an error by now": """
import pathlib, sys
path = pathlib.Path(sys.argv[0]).parent / "edited.py"
path.write_text("from numba import njit\\n@njit\\ndef f(x):\\n    y = x + 1\\n    return y\\n")
import edited
path.write_text("from numba import njit\\n@njit\\ndef f(x):\\n    y = (x +\\n")
print(edited.f(1))
""",
    "warnings as errors": """
import warnings
import numpy as np
from numba import njit
warnings.simplefilter("error")
@njit
def array_expression(a):
    return a * 2 + 1
print(array_expression(np.arange(3.0)), njit(lambda x: x + 1)(3))
""",
    "statements that nothing reads": """
import numpy as np
from numba import njit, prange
@njit(parallel=True)
def unread(a, i):
    c = np.empty(-i)
    d = 1 // (i - 1)
    e, f = a[i + 7], c.size
    g, h = len(c), c
    k = (h.shape, a.shape, a[i + 9])
    m = k[2] + len(a)
    for j in range(i):
        n = len(a) + j
        o = n // (i - 1)
        h = a
    p = h.size
    return a.sum()
print(unread(np.ones(3), 1))
@njit(parallel=True)
def fused(a, b):
    for i in prange(a.size):
        a[i] = a[i] / 3
    rows, total = a.shape[0], 0.0
    for i in prange(a.size):
        total += a[i] / 7 + b[i]
    same, size = a, a.size
    for i in prange(a.size):
        b[i] += same[i] * total
    return total
a = np.random.RandomState(1).rand(1007)
print(fused(a, a * 2).hex(), a.sum().hex())
""",
    "fastmath around a compiled function": """
import math
import numpy as np
from numba import njit
@njit
def distance(x, y):
    dx = x - y
    dy = dx * 0.1
    return math.sqrt(dx * dx + dy * dy)
@njit(fastmath=True)
def total(a):
    s = 0.0
    for i in range(a.size):
        for j in range(a.size):
            s += distance(a[i], a[j]) / 3.0
    return s
functions = (total,)
@njit
def by_tuple(a):
    return functions[0](a)
a = np.random.RandomState(1).rand(1007)
print(distance(0.5, 0.25), total(a).hex(), by_tuple(a).hex())
""",
}


@pytest.mark.parametrize("what", SAME)
def test_a_program_prints_the_same(what: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "same.py"
    program.write_text(SAME[what])
    env = {"JITSCOPE_LEVEL": "", "PYTHONWARNINGS": "default", "PYTHONUNBUFFERED": "1"}
    command = [newest_python(), str(program)]
    done = subprocess.run(command, env=lean(env), capture_output=True, text=True, timeout=200)
    shown = harness.run(["run", "print $_exitcode"], program=program, env=env)
    assert done.returncode == 0 and done.stdout and "DebugInfo" not in done.stderr, done.stderr
    assert done.stdout in shown.of("run") and "DebugInfo" not in shown.of("run"), shown.text
    assert shown.of("print $_exitcode").endswith("= 0"), shown.text


CACHED = """from numba import njit
import users

@njit(cache=True)
def call(n):
    return users.double(n) + 1

print(call(3), sum(call.stats.cache_hits.values()), sum(call.stats.cache_misses.values()))
"""


def test_code_for_a_debugger_is_in_no_cache_of_a_package(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "cached_kernels.py").write_text(CACHED)
    (tmp_path / "users.py").write_text("from numba import njit\n@njit\ndef double(n):\n    m = n * 2\n    return m\n")
    paths = f"{folder}:{tmp_path}:{harness.NO_SCIPY}"
    env = {"JITSCOPE_LEVEL": "", "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    shown = harness.run(["break double", "run", "info args", "continue"], program=folder / "cached_kernels.py", env=env)
    assert shown.of("info args") == "n = 3" and "7 0 1" in shown.of("continue"), shown.text
    command = [newest_python(), str(folder / "cached_kernels.py")]
    for said in ("7 0 1\n", "7 1 0\n"):  # what the debugger's run has left is not found; what this one has left is
        assert subprocess.run(command, env=lean(env), stdout=subprocess.PIPE, text=True, timeout=200).stdout == said
