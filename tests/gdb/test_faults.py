"""The line that explains a fault in compiled code: it is written if the cause is known, and otherwise not."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness
from tests.interpreters import newest_python

MARK = re.compile(r"# at: (\w+)$")
HEAD = """\
import signal
import threading
import time

import numpy as np
from numba import njit


"""

# The loop ends where i is n, so that two variables have the index's value.
SHARED = """\
@njit(debug=True)
def past(a, n):
    i = 0
    while i < n:
        i += 1
    b = a[i]
    return b + n


past(np.arange(10.0), 3)
past(np.arange(10.0), 1000000000)
"""

# The source is newer than the process, so it is not used.
CHANGED = (
    """\
import os

os.utime(__file__, (time.time() + 60,) * 2)


"""
    + SHARED
)

# No variable has the index's value, and another array would fit as well.
COMPUTED = """\
@njit(debug=True)
def spread(a, other, step):
    total = 0.0
    for k in range(2, 4):
        total += a[k * step] + other[0]
    return total


spread(np.arange(10.0), np.arange(10.0), 1)
spread(np.arange(10.0), np.arange(10.0), 100000000)
"""

# `row` would be the index of either axis; `far` has the index's value, and is none.
PLANE = """\
@njit(debug=True)
def corner(a, row, far):
    return a[2,
             row * far] + far


corner(np.ones((5, 8)), 1, 7)
corner(np.ones((5, 8)), 4, 100000000)
"""

# The address of the access is not canonical on x86-64: the kernel reports 0 instead.
NO_ADDRESS = """\
@njit(debug=True)
def far(a, index):
    return a[index * 8]


far(np.arange(10.0), 0)
far(np.arange(10.0), 1 << 57)
"""

# The signal has its sender in place of the address.
SENT = """\
@njit(debug=True, nogil=True)
def spin(a):
    while a[0] == 0:
        a[1] += 1


def send():
    time.sleep(2)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGSEGV)


array = np.zeros(10, np.uint8)
array[0] = 1
spin(array)
array[0] = 0
threading.Thread(target=send, daemon=True).start()
spin(array)
"""


def explained(text: str, folder: pathlib.Path, level: str = "stock") -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + text, encoding="utf-8")
    shown = harness.run(
        ["run", "jit args"], program=path, env={"NUMBA_OPT": "0", "NUMBA_BOUNDSCHECK": "0", "JITSCOPE_LEVEL": level}
    )
    assert "SIGSEGV" in shown.of("run") and "a = array(" in shown.of("jit args"), shown.text
    return [line for line in shown.of("run").splitlines() if "outside axis" in line]


PROMOTED = """
@njit(debug=True)
def count(a, far, n):
    total = 0
    for i in range(n):
        a[far] += i  # at: access
        total += i
    return total


count(np.zeros(10), 1, 5)
count(np.zeros(10), 1 << 40, 5)
"""


@pytest.mark.parametrize("level", ["stock", "exact", "steps"])
def test_an_access_that_the_compiler_has_moved_out_of_its_loop(tmp_path: pathlib.Path, level: str) -> None:
    """LLVM makes the access once, before the loop, and gives it no line; no other statement makes such an access, so it
    is that line's."""
    shown, line = faulted(PROMOTED, tmp_path, level)
    (said,) = [text for text in shown.splitlines() if "outside axis" in text]
    assert said.startswith(f"`far` = {1 << 40} is outside axis 0 of `a` (10 elements): address 0x")
    assert f"program.py:{line}" in shown and said.endswith("past the end of its data")


ACCESSES = """\
total += a[far]  # at: access
        total += a[0]"""


@pytest.mark.parametrize("level", ["stock", "exact"])
def test_one_that_only_one_statement_has_no_code_of(tmp_path: pathlib.Path, level: str) -> None:
    """Another statement makes such an access, too, and has the code for it."""
    shown, line = faulted(PROMOTED.replace("return total", "return total + a[0]"), tmp_path, level)
    (said,) = [text for text in shown.splitlines() if "outside axis" in text]
    assert f"program.py:{line}" in shown and said.endswith("past the end of its data")


@pytest.mark.parametrize("level", ["stock", "exact"])
def test_one_that_may_be_of_several_statements_stays_at_the_header(tmp_path: pathlib.Path, level: str) -> None:
    """The stop is at the header, and the note names the line."""
    text = PROMOTED.replace("a[far] += i  # at: access\n        total += i", ACCESSES)
    shown, line = faulted(text, tmp_path, level)
    (said,) = [text for text in shown.splitlines() if "outside axis" in text]
    assert f"program.py:{line - 1}" in shown
    assert said.endswith(f"; it is the access of line {line}, which the compiler has moved out of the loop")


def faulted(text: str, folder: pathlib.Path, level: str) -> tuple[str, int]:
    """Return the output at the fault, and the number of the marked line."""
    path = folder / "program.py"
    path.write_text(HEAD + text, encoding="utf-8")
    shown = harness.run(["run"], program=path, env={"NUMBA_BOUNDSCHECK": "0", "JITSCOPE_LEVEL": level}).of("run")
    return shown, 1 + [line.endswith("# at: access") for line in path.read_text("utf-8").splitlines()].index(True)


# Numba's check for the exception that was caught has the line of the statement lowered last, `return`.
CAUGHT = """\
@njit(debug=True)
def work(arg, b, out, far):
    for item in b:
        try:
            half = (item - item) / 2.0
            if item <= item:
                raise ValueError("no")
            zero = arg
        except Exception:
            x = math.sqrt(abs(item))
    s = 0
    out[far] = 2.0  # at: access
    for i in range(1):
        s += 2 * i + 1
    s += arg
    return b[0]  # at: return


work(2, np.array([1.5, -2.0, 0.25]), np.ones(3), 0)
work(2, np.array([1.5, -2.0, 0.25]), np.ones(3), 1 << 40)
"""


def test_no_line_stops_ahead_of_a_fault_before_it(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import math\n" + HEAD + CAUGHT, encoding="utf-8")
    lines = path.read_text("utf-8").splitlines()
    access, returns = (
        next(n for n, line in enumerate(lines, 1) if line.endswith(f"# at: {at}")) for at in ("access", "return")
    )
    commands = ["set breakpoint pending on", f"break program.py:{returns}", "run", "continue"]
    shown = harness.run(commands, program=path, env={"NUMBA_BOUNDSCHECK": "0", "JITSCOPE_LEVEL": "exact"})
    assert f"program.py:{returns}" in shown.of("run")
    assert "SIGSEGV" in shown.of("continue") and f"program.py:{access}" in shown.of("continue")


# The call is the same in each iteration: LLVM makes it once, before the loop.
CALLED = """\
@njit(debug=True)
def small(n):
    n += 4
    for i in range(2, 0, -1):
        unused = ((5) * (-8) % 97, (5) % 7, (n // 2) % 97)
    return -1.75 if n % 2 == 1 else -0.5


@njit(debug=True)
def work(arg, many, c):
    text = "bc"
    number = 0
    while number < many % 3:
        number += 1
        w = 0.0 * 3.75 * small(6 % 7)  # at: call
        c[number % len(c)] = (-8 - (-3)) % 97
    number += 2
    number = min(arg, arg) + arg
    return -2.5 / 2.0


work(1, 0, np.arange(8)[::2])
work(3, 1, np.arange(8)[::2])
"""


def test_the_caller_of_a_call_that_was_moved_is_at_its_line(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + CALLED, encoding="utf-8")
    call = 1 + [line.endswith("# at: call") for line in path.read_text("utf-8").splitlines()].index(True)
    commands = ["set breakpoint pending on", "break program.py:11", "run", "bt 2"]
    shown = harness.run(commands, program=path, env={"JITSCOPE_LEVEL": "stock"})
    assert f"program.py:{call}" in shown.of("bt 2")


def test_the_source_says_which_variable_is_the_index(tmp_path: pathlib.Path) -> None:
    (line,) = explained(SHARED, tmp_path)
    assert line.startswith("`i` = 1000000000 is outside axis 0 of `a` (10 elements): address 0x")


@pytest.mark.parametrize("level", ["steps", "stock"])
def test_without_the_source_no_variable_is_named_as_the_index(level: str, tmp_path: pathlib.Path) -> None:
    """`n` and `i` have the index's value, and the source's index may be an expression."""
    (line,) = explained(CHANGED, tmp_path, level)
    assert line.startswith("index 1000000000 is outside axis 0 of `a` (10 elements): address 0x")


def test_an_index_that_no_variable_holds_is_computed(tmp_path: pathlib.Path) -> None:
    (line,) = explained(COMPUTED, tmp_path)
    assert line.startswith("index 200000000 (`k * step`) is outside axis 0 of `a` (10 elements): address 0x")
    assert line.endswith("is 1.6 GB past the end of its data")
    (line,) = explained(PLANE, tmp_path)
    assert line.startswith("index 400000000 (`row * far`) is outside axis 1 of `a` (8 elements): address 0x")


NEGATIVE = """\
@njit(debug=True)
def f(a, i, j):
    a[i, j - 1] = 3.0
    return a

f(np.zeros((3, 4)), 1, -1000000000)
"""
UNSIGNED = """\
@njit(debug=True)
def f(a, i):
    return a[-i]

f(np.zeros(5), np.uint64(8380000156))
"""


def test_an_index_from_the_end_is_the_sources(tmp_path: pathlib.Path) -> None:
    """The index is shown as the source has it, before the size of the axis is added. An unsigned one is never counted
    from the end."""
    (line,) = explained(NEGATIVE, tmp_path)
    assert line.startswith("index -1000000001 (`j - 1`) is outside axis 1 of `a` (4 elements): address 0x")
    (line,) = explained(UNSIGNED, tmp_path)
    assert line.startswith(f"index {2**64 - 8380000156} (`-i`) is outside axis 0 of `a` (5 elements): address 0x")
    assert line.endswith("before the start of its data; the index is unsigned, so that its address wraps around")


def test_a_signal_that_was_sent_is_not_explained(tmp_path: pathlib.Path) -> None:
    assert explained(SENT, tmp_path) == []


def test_the_address_is_that_of_the_instruction_where_the_kernel_knows_none(tmp_path: pathlib.Path) -> None:
    (line,) = explained(NO_ADDRESS, tmp_path)
    assert line.startswith(f"index {1 << 60} (`index * 8`) is outside axis 0 of `a` (10 elements): address 0x8000")
    assert line.endswith(" is no memory")


# Faults in functions that the compiler has inlined.
INLINED = """\
@njit(debug=True)
def get(t, k):
    return t[k]  # at: get


@njit(debug=True)
def put(t, k, v):
    t[k] = v  # at: put


@njit(debug=True)
def caller(t, n):
    k = 7
    s = 0.0
    for q in range(n):
        s += get(t, k + q * 90_000_000_000)
    return s


@njit(debug=True)
def inner(table, idx, j):
    k = idx[j] * 1000
    s = 0.0
    for q in range(3):
        s += get(table, k + q)
    return s


@njit(debug=True)
def outer(table, idx):
    acc = 0.0
    for j in range(len(idx)):
        acc += inner(table, idx, j)
    return acc


@njit(debug=True)
def moved(t, k, m):
    k = k * 2 + m
    return t[k]  # at: moved


@njit(debug=True)
def moving(t, n):
    s = 0.0
    for q in range(n):
        s += moved(t, q * 90_000_000_000, n)
    return s


@njit(debug=True)
def storing(t, n):
    for q in range(n):
        put(t, q * 90_000_000_000, q * 0.5)
    return n


@njit(debug=True)
def summed(t, far):
    s = 0.0
    for q in range(4):
        x = t[q * far]  # at: summed
        s += x
    return s


idx = np.zeros(20, np.int64)
idx[13] = 90_000_000
table = np.arange(100.0)
"""
CALLS = {
    "caller": ("caller(table, 3)", "get", {"k": 90_000_000_007}),
    "outer": ("outer(table, idx)", "get", {"k": 90_000_000_000}),
    "storing": ("storing(table, 3)", "put", {"k": 90_000_000_000}),
    "moving": ("moving(table, 3)", "moved", {"k": "<optimized out>", "m": 3}),
    "summed": ("summed(table, 90_000_000_000)", "summed", {}),
}


@pytest.mark.parametrize(
    "case, level", [*((case, "exact") for case in CALLS), ("outer", "steps"), ("caller", "steps"), ("caller", "stock")]
)
def test_a_fault_in_inlined_code_names_the_function_and_what_it_was_called_with(
    case: str, level: str, tmp_path: pathlib.Path
) -> None:
    call, name, arguments = CALLS[case]
    path = tmp_path / "program.py"
    path.write_text(HEAD + INLINED + call + "\n", encoding="utf-8")
    env = {"NUMBA_BOUNDSCHECK": "0", "JITSCOPE_LEVEL": level}
    shown = harness.run(
        ["run", "bt 2", "jit args", "print k", "jit locals", "up", "info locals"], program=path, env=env
    )
    lines = path.read_text().splitlines()
    subscript = next(number for number, text in enumerate(lines, 1) if text.endswith(f"# at: {name}"))
    top = shown.of("bt 2").splitlines()[0]
    assert re.search(rf" {name} \(t=array\(float64, shape=\(100,\)\).* at .*:{subscript}$", top), shown.text
    index = arguments.get("k", 90_000_000_000)
    told = rf"(`k` = {index}|index {index} \(`.*`\)) is outside axis 0 of `t` \(100 elements\): address 0x"
    assert re.search(told, shown.of("run")) or case == "moving", shown.text
    for argument, value in arguments.items():
        assert f"{argument}={value}" in top, shown.text
        assert f"{argument} = {value}" in shown.of("jit args"), shown.text
        assert f"{argument} = {value}" in shown.of("jit locals"), shown.text
        assert argument != "k" or f"= {value}" in shown.of("print k"), shown.text
    if case == "caller":  # the caller has a `k`, too
        assert "k = 7" in shown.of("info locals") and "s = " not in shown.of("jit locals"), shown.text


@pytest.mark.parametrize("level", ["stock", ""])
def test_a_fault_without_debug_information_says_what_would_explain_it(level: str, tmp_path: pathlib.Path) -> None:
    cure = "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
    env = {"JITSCOPE_LEVEL": level, "JITSCOPE_DEBUG": "off"}
    done = harness.run(["run"], program="bare_faults.py", env=env)
    why = "caller has no debug information, so its variables are not known"
    assert f"the fault is not explained: {why}: {cure}" in done.text.splitlines(), done.text
    core = harness.gdb_core("bare_faults.py", tmp_path, env)
    done = harness.run([], core=core)
    assert f"the fault is not explained: {why}: {cure}" in done.text.splitlines(), done.text
    done = harness.run(["run"], program="bare_faults.py", arguments=["parallel"], env=env)
    line = harness.line_of("bare_faults.py", "call")
    why = f"bare_faults.py:{line} calls touch, which is inlined here and has no debug information"
    assert f"the fault is not explained: {why}: {cure}" in done.text.splitlines(), done.text


def test_a_core_that_was_opened_ahead_of_jitscope(tmp_path: pathlib.Path) -> None:
    program, core = tmp_path / "program.py", tmp_path / "core"
    program.write_text(HEAD + SHARED)
    harness.run(["run", f"generate-core-file {core}", "kill"], program=program, env={"JITSCOPE_LEVEL": "exact"})
    shown = harness.run(
        [f"file {newest_python()}", f"core-file {core}", f"source {harness.JITSCOPE}", "bt 1"], jitscope=False
    )
    line = "`i` = 1000000000 is outside axis 0 of `a` (10 elements)"
    assert line in shown.of(f"source {harness.JITSCOPE}") and shown.text.count(line) == 1, shown.text


# Lines on which an array is accessed that is innocent.
INNOCENT = """\
from numba import float64, int64
from numba.experimental import jitclass
from numba import carray, cfunc, types
import ctypes


@jitclass([("c", float64[:, :]), ("b", float64[:]), ("never", float64[:])])
class Box:
    def __init__(self, n):
        self.c = np.zeros((n, 3))
        self.b = np.ones(20)


@njit
def attribute(a, c, k):
    return a[0] + c.b[k]


@njit
def row(box, w, i):
    box.c[i, 1] = w[0] * 2


@njit
def hidden(box, w, i):
    return w[0] + (box.b if i else box.b)[i * 1]


@njit
def unset(box, w, j):
    return (w[1] - box.never[j]) / len(w)


@njit
def rows(a, out, j):
    out[j] = a[j]


@njit(fastmath=True)
def fast(a, out):
    for _ in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j] = a[j]


@njit
def sliced(a, j):
    return a[:, j].sum() + a[j, 1:2].sum()


@cfunc(types.double(types.CPointer(types.double), types.intc))
def viewed(pointer, n):
    values = carray(pointer, (n,))
    total = 0.0
    for i in range(n):
        total += values[i]
    return total


def look(memory, n):
    viewed.ctypes(memory.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), n)


box, w, table, far = Box(20), np.ones(4), np.ones((9, 5)), 1 << 40
"""
ACCUSED = {
    "attribute(w, box, far)": r"`k` = 1099511627776 is outside axis 0 of `c\.b` \(20 elements\): address 0x",
    "row(box, w, far)": r"`i` = 1099511627776 is outside axis 0 of `box\.c` \(20 elements\): address 0x",
    "hidden(box, w, far)": None,
    "unset(box, w, 0)": r"`box\.never` was never set, so that it has no data: address 0x0 is no memory",
    "unset(box, w, 3)": r"`box\.never` was never set, so that it has no data: address 0x\w+ is no memory",
    "rows(table, 2 * table, far)": r"`j` = 1099511627776 is outside axis 0 of `(a|out)` \(9 elements\)",
    "fast(np.ones((9, 50000)), np.ones((9, 50000)))": r"an index of `out\[j\]` or `a\[j\]` is outside its array: "
    r"address 0x\w+ is in none of them",
    "sliced(table, far)": r"`j` = 1099511627776 is outside axis 1 of `a` \(5 elements\): address 0x",
    "look(w, 1 << 30)": r"`values\[\d+\]` is within `values` by its shape \(1073741824 elements\), but its address "
    r"0x\w+ cannot be accessed: from its start on there is memory for at most \d+ elements, so that ",
}


@pytest.mark.parametrize("call", ACCUSED)
def test_only_the_array_whose_index_is_proven_is_blamed(call: str, tmp_path: pathlib.Path) -> None:
    """At jitscope's default. `w` and `a` are accessed on the same lines, and within their bounds."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + INNOCENT + call + "\n", encoding="utf-8")
    shown = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    said = [line for line in shown.splitlines() if re.search(r"outside|never set|within|not explained", line)]
    assert "SIGSEGV" in shown, shown
    if (accused := ACCUSED[call]) is None:
        assert said == [], shown
    else:
        assert len(said) == 1 and re.match(accused, said[0]), shown


UNRESOLVED = """\
@njit
def spread(grid, other, i, j, k):
    total = 0.0
    for q in range(2):
        p = 2 * k
        r = i * 3 + 1
        s = j + 1
        grid[p, r] += other[s]
        total += q
    return total


spread(np.ones((9, 20)), np.ones(9), 3, 3, -(10**10))
"""


def test_an_array_is_not_ruled_out_because_its_indices_are_not_known(tmp_path: pathlib.Path) -> None:
    """Some index of `other` leads to the address, and none of p, r and s has a value at level lines."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + UNRESOLVED, encoding="utf-8")
    shown = harness.run(["run", "print p"], program=path, env={"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"})
    assert "SIGSEGV" in shown.of("run") and "`other" not in shown.of("run"), shown.text
    assert "<optimized out>" in shown.of("print p"), shown.text


LINES_ONLY = """\
@njit
def across(table, other, i, j):
    total = 0.0
    line = table[i]
    for q in range(2):
        total += line[j] + other[q]
    return total


@njit
def columns(table, other, i, j):
    total = 0.0
    line = table[:, i]
    for q in range(2):
        total += line[j] + other[q]
    return total


@njit
def apart(grid, base, i, j, n):
    rest = base[2:28]  # at: shown
    total = 0.0
    for q in range(n):
        total += grid[j] + rest[i]  # at: access
        total += q
    return total


table, far = np.ones((9, 20)), 10**10
grid, base = np.ones(30, np.int32), np.ones(31, np.uint16)
"""
SHOWN = {
    "across(table, np.ones(9), 3, far)": r"`j` = 10000000000 is outside axis 1 of `table` \(20 elements\): .* its data",
    "columns(table, np.ones(9), 3, far)": r"`j` = 10000000000 is outside axis 0 of `table` \(9 elements\): .* its data",
    "apart(grid, base, 3, far, 2)": r"`j` = 10000000000 is outside axis 0 of `grid` \(30 elements\): .* its data; "
    r"it is the access of line ACCESS, whose code the compiler has put on line SHOWN",
}


@pytest.mark.parametrize("call", SHOWN)
def test_rows_without_a_value_and_accesses_on_other_lines(call: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + LINES_ONLY + call + "\n", encoding="utf-8")
    wanted = SHOWN[call]
    for mark, line in (
        (m[1], n) for n, text in enumerate(path.read_text().splitlines(), 1) if (m := MARK.search(text))
    ):
        wanted = wanted.replace(mark.upper(), str(line))
    shown = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines"}).of("run")
    assert re.search(f"^{wanted}$", shown, re.M), shown


OUTSIDE = """\
@njit(boundscheck=True)
def read(a, table, i, j):
    return a[i] + table[1, j - 1] + table[i, 0]


read(np.ones(9), np.ones((2, 3)), 0, 2)
try:
    read(np.ones(9), np.ones((2, 3)), 1, 7)
except IndexError:
    pass
try:
    read(np.ones(9), np.ones((2, 3)), -2, 4)
except IndexError:
    pass
read(np.ones(1), np.ones((2, 3)), -2, 0)
"""


def test_an_index_error_names_the_index(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + OUTSIDE, encoding="utf-8")
    commands = ["jit catch IndexError", "run", "continue", "continue"]
    shown = harness.run(commands, program=path, env={"JITSCOPE_LEVEL": ""})
    raised = "Exception IndexError('index is out of bounds') raised in read at program.py:11: "
    assert f"{raised}index 6 (`j - 1`) is outside axis 1 of `table` (3 elements)" in shown.of("run"), shown.text
    assert f"{raised}index 3 (`j - 1`) is outside axis 1 of `table` (3 elements)" in shown.of("continue"), shown.text
    assert f"{raised}`i` = -2 is outside axis 0 of `a` (1 element)" in shown.of("continue", 1), shown.text
