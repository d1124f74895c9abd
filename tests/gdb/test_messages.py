"""Messages, notes and errors of the commands, provoked in a few sessions, by their whole text."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

PROGRAM = """\
import numpy as np
from numba import njit


@njit
def bare(n):
    return n + 1


@njit(debug=True)
def keep(a, n, t, s):
    b = a[0] + n  # line 12
    return b + t[0]


@njit(debug=True)
def texts(u, e):
    k = u[0]  # line 18
    return k


def main():
    bare(1)
    keep(np.arange(6.0), 7, (1, 2.5), "some text")
    texts(np.array(["a", "b"]), np.array([np.nan, np.inf]))


main()
"""
FORMAT = 'Format string required: dprintf LOCATION,"FORMAT",EXPRESSION…'
NO_LOOP = "no thread runs iterations of a parallel loop; `jit threads` shows what each thread does"
GOES_ON = (
    "`n` would be the expression, and `> 3 jit locals` the command: put an expression that has blanks in parentheses, "
    "as in `jit apply worker (i > 3) print i`"
)
BEFORE = [
    ("break", "No default breakpoint address now."),
    ("break 3 if", "a condition is missing after `if`"),
    ("break program.py:12 thread 99", "Unknown thread 99."),
    ("break program.py:12 task 9", "Unknown task 9."),
    ("condition", "Argument required (breakpoint number)."),
    ("condition x 3", "Bad breakpoint argument: 'x'"),
    ("condition 1 n(3)", "n() is not known here: a condition calls no function of the program"),
    ("dprintf", FORMAT),
    ("dprintf program.py:12", FORMAT),
    ('dprintf program.py:12 if,"x"', "a condition is missing after `if`"),
    ("jit break -list", "No breakpoint is at a function's name; `jit break NAME` sets one."),
    ("jit apply 1 jit locals", "no process: run or attach to a program, or open a core"),
    ("set var 3 = 4", "Left operand of assignment is not an lvalue."),
]
AT_STOP = [
    ("print $py(3)", 'Usage: $py("CONDITION"), in quotes'),
    ("print $jit_raised(3)", 'Usage: $jit_raised("TYPE", ...), in quotes'),
    ("jit locals bogus", "unknown argument 'bogus'. Usage: jit locals [-versions] [-json]"),
    ("jit why zzz", "no variable 'zzz' in this compiled function; `jit locals` lists them"),
    ("jit next-iteration", "line 12 is in no loop"),
    ("jit apply all jit locals", NO_LOOP),
    ("jit apply worker (n > 3) jit locals", NO_LOOP),
    ("jit apply worker n > 3 jit locals", GOES_ON),
    ("set var s[0] = 3", "`s[0]` has no form in C: an item of this container can only be shown"),
    ("set var n + 1", "warning: Expression is not an assignment (and might have no effect)"),
    ("break 12 thread 1 more", "Garbage '1 more' at end of command"),
    ('dprintf 12 thread 1 more,"x"', "Garbage '1 more' at end of location"),
    ("break 12 if n(3)", "n() is not known here: a condition calls no function of the program"),
    ("watch n if", "a condition is missing after `if`"),
    ("jit catch", "Breakpoint 4: where compiled code raises an exception\njitscope: bare has no debug information: "
     "`jit catch` does not stop in it; run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"),
    ("jit status", "1 more object holds no code that is known here; GDB reads it itself"),
    ("jit region -record off", "Reads and writes are no longer recorded; `jit region -writes` shows those of before."),
]  # fmt: skip
IN_C = r"frame 4 \(\w+\) is not a compiled function; `jit frame N` selects a frame of `jit bt`"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    folder = tmp_path_factory.mktemp("messages")
    program = folder / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    before = [command for command, _ in BEFORE]
    return harness.run(
        [
            "break program.py:12", "break texts", *before,
            "condition 1 n > 3", "info breakpoints", f"save breakpoints {folder / 'saved'}", "run",
            *(command for command, _ in AT_STOP), "frame 4", "jit why 3", "jit finish", "continue",
            "jit array u", "jit array -plot e", "jit array e + 1", "jit break nothing", "continue",
        ],
        program=program,
        env={"NUMBA_OPT": "0"},
    )  # fmt: skip


@pytest.mark.parametrize(("command", "text"), [*BEFORE, *AT_STOP])
def test_by_command(shown: Transcript, command: str, text: str) -> None:
    assert text in shown.of(command)


def test_conditions_that_wait(shown: Transcript) -> None:
    assert "Conditions as they were typed:\n1\tstop only if n > 3, once it is compiled" in shown.of("info breakpoints")
    saved = next(output for command, output in shown.sections if command.startswith("save breakpoints"))
    text = "jitscope: breakpoint 1 is saved without its condition `n > 3`, which waits until the location is compiled"
    assert saved == text


@pytest.mark.parametrize("command", ["jit why 3", "jit finish"])
def test_in_a_frame_of_c(shown: Transcript, command: str) -> None:
    assert re.fullmatch(IN_C, shown.of(command))


def test_arrays(shown: Transcript) -> None:
    assert "no statistics: its elements are not numbers" in shown.of("jit array u")
    assert "no finite elements to plot" in shown.of("jit array -plot e")
    assert "computed   not in memory" in shown.of("jit array e + 1")


def test_a_name_that_is_never_compiled(shown: Transcript) -> None:
    text = "breakpoint 5 (nothing) was never set: this process has compiled nothing of that name"
    assert f"jitscope: the program has ended, and {text}" in shown.of("continue", -1)


WITHOUT_NUMBA = """\
import threading
import time

threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
NOT_LOADED = "(libjitscope.so: `import jitscope`); `jit threads` shows who runs which iterations"
NO_JIT = [
    ("jit status", "missing: no JIT is loaded in this process yet: continue until the program has imported it"),
    ("jit region -writes", f"reads and writes are recorded where the program has jitscope loaded {NOT_LOADED}"),
]


@pytest.fixture(scope="module")
def without_numba(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("without_numba") / "program.py"
    program.write_text(WITHOUT_NUMBA, encoding="utf-8")
    commands = ["jit region -record", "jit gather start", "catch syscall exit_group", "starti"]
    commands += [*(command for command, _ in NO_JIT), "delete", "set jitscope enabled off", "jit status", "continue"]
    return harness.run(commands, program=program)


@pytest.mark.parametrize(("command", "text"), NO_JIT)
def test_without_a_jit(without_numba: Transcript, command: str, text: str) -> None:
    assert text in without_numba.of(command)


def test_what_is_off(without_numba: Transcript) -> None:
    text = "missing: corrected debug information is off: set jitscope enabled on"
    assert text in without_numba.of("jit status", -1).splitlines()


def test_what_has_not_happened_by_the_end(without_numba: Transcript) -> None:
    said = without_numba.of("continue").splitlines()
    assert "The program has ended; no parallel loop's workers have gathered." in said
    assert "The program has ended; it had no jitscope loaded, and nothing was recorded." in said


LOOPS = """\
import jitscope
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def loop(a, out, k):
    for i in prange(a.shape[0]):
        x = a[i] + k
        out[i] = x  # line 10


@njit(debug=True, parallel=True)
def quiet(n):
    total = 0
    for i in prange(n):
        total += i
    return total


@njit(debug=True, fastmath=True)
@jitscope.steps
def fast(x):
    return x * 2.0


loop(np.ones(12), np.zeros(12), 2.0)
quiet(12)
fast(2.0)
"""
ALONE = "One worker has run all recorded iterations, so there is nothing to compare."
IN_LOOP = [
    ("jit apply worker nothing>3 print x", "NameError: name 'nothing' is not defined"),
    ("jit apply worker x>100 print x", "x>100 is true in no worker."),
    ("jit why k", "k is exact: the compiler keeps it here, and it was assigned before"),
    ("jit apply 9 print x", "no worker 9 runs iterations of this loop now; these do: 0"),
    ("jit tbreak loops.py:10 -worker 5", "there is no worker 5: the only worker is 0 (NUMBA_NUM_THREADS is 1)"),
    ("jit apply all jit finish", "the program has run on: no other worker is visited"),
    ("jit region", "1 worker runs 12 iterations (its chunk)"),
    ("jit gather 3", "the selected frame has no source file: type `jit gather FILE:LINE`"),
    ("jit finish -region", "the selected thread is in no parallel loop; `jit threads` shows which are"),
]


@pytest.fixture(scope="module")
def in_loops(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("loops") / "loops.py"
    program.write_text(LOOPS, encoding="utf-8")
    return harness.run(
        [
            "break loops.py:10", "jit region -record", "run", *(command for command, _ in IN_LOOP[:7]),
            "delete", "jit tbreak loops.py:10 -once-per-worker", "continue",
            "frame function Py_RunMain", "jit gather 3",
            "delete", "break quiet", "break fast", "continue", "jit finish -region", "jit region -writes",
            "continue", "jit region -writes",
        ],
        program=program,
        env={"NUMBA_THREADING_LAYER": "omp", "NUMBA_NUM_THREADS": "1", "JITSCOPE_LEVEL": "steps"},
    )  # fmt: skip


@pytest.mark.parametrize(("command", "text"), IN_LOOP)
def test_in_parallel_loops(in_loops: Transcript, command: str, text: str) -> None:
    assert text in in_loops.of(command)


def test_what_one_worker_has_used(in_loops: Transcript) -> None:
    assert in_loops.of("jit region -writes").splitlines()[-1] == ALONE
    assert in_loops.of("jit region -writes", 1).splitlines()[1:] == [
        "worker 0 has used none of the loop's arrays",
        ALONE,
    ]


def test_flags_of_fast_arithmetic(in_loops: Transcript) -> None:
    differ = "and its results may differ from those at full speed"
    assert (
        f"jitscope: fast computes with fastmath flags at level steps, {differ}"
        in in_loops.of("continue", -1).splitlines()
    )


CONDITIONS = """\
import numpy as np
from numba import njit


@njit(debug=True)
def first():
    pass


@njit(debug=True)
def overlapping(a):
    b = a[1:]
    return b[0] + a[1]  # line 13


@njit(debug=True)
def last(n):
    return n


@njit(debug=True)
def counted(n):
    for i in range(n):
        yield i


@njit(debug=True)
def total(n):
    s = 0
    for i in counted(n):
        s += i
    return s


first()
overlapping(np.arange(4.0))
last(1)
total(2)
"""
ONE_CONDITION = (
    "Only one stop condition allowed. There is currently a python stop condition defined for this breakpoint."
)
REFUSED = "is refused: SyntaxError: invalid syntax: a condition at compiled Python is a Python expression"


@pytest.fixture(scope="module")
def conditions(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    program = tmp_path_factory.mktemp("conditions") / "conditions.py"
    program.write_text(CONDITIONS, encoding="utf-8")
    own = 'python type("Own", (gdb.Breakpoint,), {"stop": lambda self: False})("nothing_of_that_name")'
    commands = [own, "condition 1 1 == 1", "break overlapping if a->x > 3", "break first", "break conditions.py:13"]
    commands += ["break last", "run", "jit locals", "jit bt 1", "continue", "jit array a"]
    commands += ["delete", "break counted", *["continue"] * 4, "jit finish"]
    return harness.run(commands, program=program, env={"NUMBA_OPT": "0"})


def test_a_breakpoint_that_has_a_condition_of_its_own(conditions: Transcript) -> None:
    assert conditions.of("condition 1 1 == 1") == ONE_CONDITION


def test_a_refused_condition_is_said_once_and_in_one_line(conditions: Transcript) -> None:
    text = f"breakpoint 2 does not stop, for its condition `a->x > 3` {REFUSED}; `condition 2 TEXT` gives it another"
    assert [line for line in conditions.text.splitlines() if "breakpoint 2" in line] == [f"jitscope: {text}"]
    assert conditions.text.count("SyntaxError") == 1


def test_a_frame_without_variables_and_frames_that_follow(conditions: Transcript) -> None:
    assert conditions.of("jit locals") == "No variables."
    assert conditions.of("jit bt 1").splitlines()[-1] == "(More stack frames follow...)"


def test_a_generator_that_ends(conditions: Transcript) -> None:
    assert conditions.of("jit finish").splitlines()[-1] == "counted ended its iteration (StopIteration)"


def test_arrays_that_share_memory(conditions: Transcript) -> None:
    assert conditions.of("jit array a").splitlines()[-1] == "overlaps   b (the same range of memory)"


def test_a_breakpoint_that_stops_each_worker_once(in_loops: Transcript) -> None:
    command = "jit tbreak loops.py:10 -once-per-worker"
    number = in_loops.of(command).removesuffix(" stops each worker once").rpartition(" ")[2]
    text = f"jitscope: breakpoint {number} is deleted: each worker has stopped there once"
    assert text in in_loops.of("continue").splitlines()
