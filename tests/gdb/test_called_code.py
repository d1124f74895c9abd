"""Crashes in code that a compiled function has called: commands are about that function, and threads have their
roles."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

import pytest

from tests.gdb import harness

PROGRAM = "called_code.py"
STEPS, LINES = {"JITSCOPE_LEVEL": ""}, {"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"}
BARE = {"JITSCOPE": "0", "JITSCOPE_LEVEL": ""}
BARE_ADVICE = "has no debug information, so its variables are not known: run the program with NUMBA_DEBUGINFO=1"
# The C library has no symbols where its debug symbols are not installed, or not read.
IN_STRLEN = r"#0 +(\w*strlen\w*|0x[0-9a-f]+) \("
NOTE = f"in {{}}, called from build at {PROGRAM}:{{}}: the variables are those of build"


def test_commands_are_about_the_function_that_has_called_the_c_library() -> None:
    commands = [
        "run",
        "jit locals",
        "jit args",
        "jit print size + 1",
        "jit print -json size",
        "jit why length",
        "frame",
    ]
    commands += ["frame 1", "jit print n", "frame 0", "jit up", "jit locals", "jit next-iteration"]
    shown = harness.run(commands, program=PROGRAM, env=STEPS)
    name = "strlen" if "strlen" in shown.of("frame") else "libc.so.6"
    note = NOTE.format(name, harness.line_of(PROGRAM, "strlen"))
    assert shown.of("jit locals") == f"{note}\nwhere = 16\nn = 5\nsize = 10\nlength = <unassigned>", shown.text
    assert shown.of("jit args") == f"{note}\nwhere = 16\nn = 5"
    assert shown.of("jit print size + 1") == f"{note}\n11"
    assert json.loads(shown.of("jit print -json size"))["value"] == 10
    assert shown.of("jit why length").splitlines()[0] == note
    assert "`next`" not in shown.of("jit why length"), "nothing steps on after a fault"
    assert shown.of("frame").startswith("#0 "), "the selected frame is as it was"
    assert shown.of("jit print n") == "5"
    assert shown.of("jit next-iteration").endswith("is in no loop"), shown.text


def test_a_c_function_that_was_selected_by_up_is_about_its_compiled_caller(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "allocates.py"
    program.write_text(ALLOCATES, encoding="utf-8")
    commands = ["break allocates.py:6", "run", "break malloc", "continue", "jit locals"]
    commands += ["up", "jit locals", "jit print n + 1", "frame", "frame 0", "jit up", "jit locals"]
    shown = harness.run(commands, program=program, env=STEPS)
    lines = r"in \w+, called from makes at allocates\.py:6: the variables are those of makes\nn = 4\na = <unassigned>"
    for occurrence in range(3):
        assert re.match(rf"{lines}$", shown.of("jit locals", occurrence)), shown.text
    assert shown.of("jit print n + 1").endswith("\n5"), shown.text
    assert shown.of("frame").startswith("#1 "), "the selected frame is as it was"


def test_functions_of_numba_are_passed_over() -> None:
    shown = harness.run(["run", "jit bt", "jit locals"], program=PROGRAM, arguments=["middle"], env=STEPS)
    at = harness.line_of(PROGRAM, "median")
    note = rf"in [\w.]+, called from middle at {PROGRAM}:{at}: the variables are those of middle"
    assert re.match(rf"{note}\nwhere = 16\nn = 30\na = .*\ndoubled = 60\nfound = <unassigned>$", shown.of("jit locals"))
    assert re.search(r"^#\d +numpy\.median \(Numba\) \(\)$", shown.of("jit bt"), re.M), shown.of("jit bt")


def test_without_debug_information() -> None:
    shown = harness.run(["run", "jit bt", "jit locals", "jit print n"], program=PROGRAM, env=BARE)
    stack = shown.of("jit bt").splitlines()
    assert re.match(IN_STRLEN, stack[0]) and re.match(r"#1 +build \(\)$", stack[1]), shown.text
    for command in ("jit locals", "jit print n"):
        assert shown.of(command) == f"build {BARE_ADVICE}, or write debug=True in its @njit", shown.text


@pytest.mark.parametrize("layer", ["omp", "workqueue"])
def test_a_worker_in_a_ufunc_is_not_idle(layer: str) -> None:
    env = {**BARE, "NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "2"}
    shown = harness.run(["run", "jit threads", "jit bt", "jit locals"], program=PROGRAM, arguments=["body"], env=env)
    own = re.search(r"^\* \d+ +(.*)$", shown.of("jit threads"), re.M)
    assert own and "body ()" in own[1] and "idle" not in own[1], shown.text
    stack = shown.of("jit bt").splitlines()
    assert re.match(IN_STRLEN, stack[0]) and stack[1].startswith("#1  body[ufunc-wrapper] ()"), shown.text
    assert shown.of("jit locals").startswith(f"body {BARE_ADVICE}"), shown.text


@pytest.mark.parametrize("env", [LINES, BARE], ids=["lines", "bare"])
@pytest.mark.parametrize("layer", ["omp", "workqueue"])
def test_the_worker_that_crashes_runs_the_loop(layer: str, env: dict[str, str]) -> None:
    """LLVM has inlined the loop's body into the wrapper that the pool calls."""
    env = {**env, "NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "2"}
    shown = harness.run(["run", "jit threads", "jit bt", "jit locals"], program=PROGRAM, arguments=["loop"], env=env)
    own = re.search(r"^\* (\d+) +(.*)$", shown.of("jit threads"), re.M)
    assert own, shown.text
    assert re.match(r"worker \d( of \w+)?( \(and caller\))?: loop, prange", own[2]), shown.text
    assert "waits" not in own[2] and "idle" not in own[2]
    number = re.match(r"worker (\d)", own[2])
    assert number and not re.search(rf"^idle: workers? .*\b{number[1]}\b", shown.of("jit bt"), re.M), shown.text
    assert shown.of("jit bt").startswith("#0  loop.prange"), shown.text
    if env["JITSCOPE_LEVEL"] == "" and "JITSCOPE" not in env:
        assert f"{PROGRAM}:{harness.line_of(PROGRAM, 'header')}" in own[2]
        said = "loop.prange has its lines, and no variables of its own are known; start the program under the debugger"
        assert shown.of("jit locals").splitlines()[0] == said or "far = " in shown.of("jit locals"), shown.text
    else:
        assert shown.of("jit locals").startswith(f"loop.prange {BARE_ADVICE}"), shown.text


def test_a_loop_of_two_indices_has_its_line_and_chunk() -> None:
    shown = harness.run(["run", "jit threads"], program=PROGRAM, arguments=["grid"], env=LINES)
    at = harness.line_of(PROGRAM, "grid")
    who = r"^\* \d+ +worker \d( of \w+)?( \(and caller\))?"
    said = rf"{who}: grid, prange at {PROGRAM}:{at}, 0\.\.39, \d+\.\.\d+, line {at}"
    assert re.search(said, shown.of("jit threads"), re.M), shown.text


ALLOCATES = """\
import numpy as np
from numba import njit

@njit
def makes(n):
    a = np.empty(n * 300)
    return a.sum()

@njit
def outer(n):
    return makes(n)

outer(4)
"""


DIVIDES = """\
import numpy as np
from numba import njit


@njit
def floors(a, n, m, k):
    y = n * 2 // (m - k) + n % k
    return y + a[0]


@njit
def divides(n, m):
    x = 1.0
    x /= m
    return x / (n - m) % n


@njit
def either(n, m):
    return n // m + m // n


@njit
def called(n):
    return 5 // n


@njit
def calls(n, m):
    return called(n) // m


CALLS = [
    lambda: floors(np.ones(2), 3, 4, 4),
    lambda: floors(np.ones(2), 3, 4, 0),
    lambda: divides(3, 3),
    lambda: divides(3, 0),
    lambda: either(0, 0),
    lambda: either(0, 2),
    lambda: calls(0, 1),
    lambda: calls(1, 0),
]
for call in CALLS:
    try:
        call()
    except ZeroDivisionError:
        pass
print("done")
"""

# The divisor that Python finds to be zero; "": several are, or other code of the line may divide.
ZEROS = {
    STEPS["JITSCOPE_LEVEL"]: ["m - k", "k", "n - m", "m", "", "n", "n", ""],
    "exact": ["m - k", "k", "n - m", "m", "", "n", "n", ""],
}


@pytest.mark.parametrize("level", list(ZEROS))
def test_a_division_by_zero_names_the_divisor(level: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(DIVIDES, encoding="utf-8")
    commands = ["jit catch ZeroDivisionError", "run", *["continue"] * 24]
    shown = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": level})
    raised = re.findall(
        r"^Exception ZeroDivisionError\(.*?\) raised in (\w+) at program\.py:\d+(.*)$", shown.text, re.M
    )
    said = [rest.partition("the divisor `")[2].removesuffix("` is 0") for name, rest in raised if name != "calls"]
    wanted = [each for at, each in enumerate(ZEROS[level]) if at != 7]
    if level == "exact":  # a value may be optimized out there, and nothing is then said
        assert len(said) == len(wanted) and all(have in ("", want) for have, want in zip(said, wanted)), shown.text
    else:
        assert said == wanted, shown.text
    assert all("divisor" not in rest for name, rest in raised if name in ("calls",)), shown.text


ABORTING = """
import ctypes
from numba import njit

validate = ctypes.CDLL({library!r}).validate
validate.argtypes, validate.restype = [ctypes.c_long], None


@njit
def run(n):
    for i in range(n):
        validate(i)


run(4)
"""


def test_a_function_of_a_library_that_ends_with_a_call_of_abort_is_shown(tmp_path: pathlib.Path) -> None:
    """The call's return address is after the library's last function."""
    source, library, program = (tmp_path / name for name in ("aborting.c", "libaborting.so", "aborting.py"))
    source.write_text("#include <stdlib.h>\nvoid validate(long k) { if (k > 2) abort(); }\n", encoding="utf-8")
    subprocess.run(["cc", "-g", "-O1", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    program.write_text(ABORTING.format(library=str(library)), encoding="utf-8")
    done = harness.run(["run", "jit bt"], program=program, env={"JITSCOPE_LEVEL": ""})
    names = [line.split()[1] for line in done.of("jit bt").splitlines() if line.startswith("#")]
    assert names == ["abort", "validate", "run", "<module>"], done.text
