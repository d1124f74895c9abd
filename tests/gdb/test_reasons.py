"""`jit why` gives the right reason, and advises only what helps."""

from __future__ import annotations

import functools
import pathlib

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "reasons.py"
# By level: the variables that are asked about at the marks, in this order, and then where the program crashes.
WHY = {
    "steps": {"lifted": "o t", "stencil": "y", "again": "w", "loop": "s p"},
    "exact": {"stencil": "y", "loop": "s p"},
}


@functools.lru_cache
def session(level: str) -> Transcript:
    commands = [f"tbreak {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in WHY[level]]
    for number, names in enumerate(WHY[level].values()):
        commands += ["continue" if number else "run", *(f"jit why {name}" for name in names.split())]
    return harness.run(
        [*commands, "continue", "jit why c"],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": level, "NUMBA_BOUNDSCHECK": "0", "NUMBA_NUM_THREADS": "1"},
    )


def test_at_steps() -> None:
    """No advice is given if the compiler keeps a variable at no level; and under GDB from the start no loop began
    before a debugger was there."""
    shown = session("steps")
    around = "o is optimized out: the function around this lifted loop assigns it, or the compiler removed what does"
    assert shown.of("jit why o") == around, shown.text
    waits = "w is optimized out: the generator does not keep it over a `yield`, or the compiler removed what assigns it"
    assert shown.of("jit why w") == waits, shown.text
    assert "no debugger was there" not in shown.text and "under the debugger" not in shown.text
    for name in ("t", "y", "s", "p", "c"):
        assert shown.of(f"jit why {name}").startswith(f"{name} is exact: "), shown.text


def test_at_exact() -> None:
    shown = session("exact")
    steps = "run the program with JITSCOPE_STEPS="
    assert shown.of("jit why s").startswith("s is optimized out: it is assigned in an innermost loop, "), shown.text
    reason, advice = shown.of("jit why y").splitlines()  # the compiler knows no name of a stencil
    assert reason.endswith(": its loop runs at full speed, and keeps no variables"), shown.text
    assert advice == "run the program with JITSCOPE_LEVEL=steps", shown.text
    assert shown.of("jit why p").splitlines() == [
        "p is optimized out: the compiler removed what assigns it",
        f"{steps}__main__.uses, or write @jitscope.steps above its @njit",
    ], shown.text
    assert shown.of("jit why c").splitlines()[1:] == [f"{steps}impl"], shown.text  # it has no decorator


# A plain @njit, so that Numba removes assignments that nothing reads.
CALLER = """\
import numpy as np
from numba import njit


@njit
def inner(x):
    if x > 4:
        x += 1
    return x


@njit
def outer(n, b):
    c = 0
    for a in range(n):
        c += inner(a)
    e = c + 1
    y = e and n

    def local(u):
        return u + n

    f = lambda z: z + n
    b[0] = local(2) + f(4)
    i = local(3)
    return e + i


print(outer(6, np.ones(1)))
"""


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    path = tmp_path_factory.mktemp("caller") / "caller.py"
    path.write_text(CALLER, encoding="utf-8")
    lines = CALLER.splitlines()
    added, last = lines.index("        x += 1") + 1, lines.index("    i = local(3)") + 1
    commands = ["set breakpoint pending on", f"tbreak caller.py:{added}", "run", "jit bt -full", "jit frame 1"]
    commands += ["jit why y", "jit why e", f"tbreak caller.py:{last}", "continue", "jit why y", "jit why local"]
    return harness.run([*commands, "jit why f", "jit why e", "jit array b"], program=path, env={"JITSCOPE_LEVEL": ""})


def test_before_the_assignment_in_the_caller_of_inlined_code(caller: Transcript) -> None:
    """A variable that Numba has removed is unassigned there, as one that is kept is."""
    frame = caller.of("jit bt -full").partition("#1")[2].partition("#2")[0]
    for name in ("e", "i", "y", "local", "f"):
        assert f"{name} = <unassigned>" in frame, caller.text
    for name in ("y", "e"):
        said = f"{name} is unassigned: no statement on the way here has assigned it yet"
        assert caller.of(f"jit why {name}").startswith(said), caller.text


def test_after_the_assignment(caller: Transcript) -> None:
    removed = "y is optimized out: the compiler removed what assigns it\nwrite debug=True in its @njit"
    assert caller.of("jit why y", 1) == removed, caller.text
    assert caller.of("jit why e", 1).startswith("e is exact: "), caller.text


@pytest.mark.parametrize("name", ["local", "f"])
def test_a_nested_function_has_no_value(name: str, caller: Transcript) -> None:
    """No setting gives it one, so that nothing is advised."""
    said = f"{name} is optimized out: it is a nested function, and compiled code calls it directly and keeps no value"
    assert caller.of(f"jit why {name}") == said, caller.text


def test_an_array_of_one_element_is_counted_in_the_singular(caller: Transcript) -> None:
    shown = caller.of("jit array b")
    assert "shape      (1,), 1 element, 8 bytes\n" in shown and ", 1 reference\n" in shown, caller.text


LIFTED = """
from numba import jit

@jit(forceobj=True, debug=True)
def held(n, d):
    s = 0.0
    for i in range(n):
        unused = 3
        v = i * 0.5
        s += v
    d["k"] = s
    return s

held(5, {})
"""
BY_ITSELF = "it is assigned in a loop that Numba compiles by itself, or the compiler removed what assigns it"


def test_in_and_around_a_loop_that_numba_lifts(tmp_path: pathlib.Path) -> None:
    """A variable that the first iteration has not assigned yet is unassigned, and one that only the loop assigns is not
    handed back."""
    program = tmp_path / "lifts.py"
    program.write_text(LIFTED)
    asked = ["jit locals", "jit why v"]
    commands = ["break lifts.py:8", "run", *asked, "continue", *asked, "break lifts.py:11", "delete 1", "continue"]
    shown = harness.run([*commands, *asked], program=program, env={"JITSCOPE_LEVEL": "steps"})
    assert "unused = <unassigned>\nv = <unassigned>" in shown.of("jit locals"), shown.text
    assert shown.of("jit why v").startswith("v is unassigned: no statement on the way here"), shown.text
    assert "unused = 3\nv = 0.0" in shown.of("jit locals", 1), shown.text
    assert "s = 5.0" in shown.of("jit locals", 2), shown.text
    assert shown.of("jit why v", 2) == f"v is optimized out: {BY_ITSELF}", shown.text


def test_a_line_of_a_loop_that_has_been_lifted(tmp_path: pathlib.Path) -> None:
    """After the loop is compiled, the line has no note that it has no code yet."""
    program = tmp_path / "lifts.py"
    program.write_text(LIFTED)
    shown = harness.run(["break lifts.py:8", "run"], program=program, env={"JITSCOPE_LEVEL": "exact"})
    said = [line for line in shown.text.splitlines() if line.startswith("jitscope: breakpoint 1: ")]
    assert len(said) == 2 and said[0].endswith("until then it stops at line 11 (held)"), shown.text
    assert "no code is left of line 8 in held: it stops at line 9 (held); " in said[1], shown.text
    assert "hit Breakpoint 1" in shown.text, shown.text


OVERLOADED = """
from numba import njit
from numba.extending import overload

def helper(v):
    pass

@overload(helper)
def overloads(v):
    def impl(v):
        return v * 3
    return impl

@njit(debug=True)
def calls(x):
    helper(x)
    return x

calls(4)
"""


@pytest.mark.parametrize("location", ["overloaded.py:11", "impl"])
def test_a_function_without_a_decorator_of_which_nothing_is_left(location: str, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "overloaded.py"
    program.write_text(OVERLOADED)
    env = {"JITSCOPE_LEVEL": "exact", "NUMBA_DEBUGINFO": "1"}
    shown = harness.run([f"break {location}", "run"], program=program, env=env)
    said = [line for line in shown.text.splitlines() if line.startswith("jitscope: breakpoint 1: ")]
    gone = "no code is left of impl where it is inlined in calls; run the program with JITSCOPE_STEPS=impl"
    assert said[:1] == [f"jitscope: breakpoint 1: {gone}"], shown.text


CLOSED = """
from numba import njit, prange

@njit(debug=True, parallel=True)
def adder(n):
    def added(z):
        high = z + 1
        return high * 2
    total = 0
    for i in prange(n):
        total += added(i)
    return total

adder(5)
"""


@pytest.mark.parametrize("level", ["0", "3"])
def test_a_line_of_a_closure_of_which_nothing_is_left(level: str, tmp_path: pathlib.Path) -> None:
    """The note comes once, for the closure: not for the function in which it is inlined, and not again at the end."""
    program = tmp_path / "closed.py"
    program.write_text(CLOSED)
    commands = ["break closed.py:10", "run", "break closed.py:8", "disable 1", "continue"]
    shown = harness.run(commands, program=program, env={"JITSCOPE": "0", "NUMBA_OPT": level})
    said = [line for line in shown.text.splitlines() if line.startswith("jitscope: ") and "breakpoint 2" in line]
    assert said == ["jitscope: breakpoint 2: no code is left of line 8 in added, which is inlined in adder"], shown.text


PRUNED = """\
from numba import njit

@njit(debug=True)
def scaled(x, by=None):
    if by is not None:
        x = x * by  # at: pruned
    return x + 1

print(scaled(3))
"""


@pytest.mark.parametrize("opt", ["0", "3"])
def test_advice_for_a_line_without_code(opt: str, tmp_path: pathlib.Path) -> None:
    """Settings that the program has already are not advised."""
    program = tmp_path / "pruned.py"
    program.write_text(PRUNED)
    line = line_of(program, "pruned")
    shown = harness.run([f"break {program}:{line}", "run", f"jit why {line}"], program=program, env={"NUMBA_OPT": opt})
    steps = "jitscope installed and JITSCOPE_LEVEL=steps: every line that runs then stops"
    advice = f"with {steps}" if opt == "0" else f"with NUMBA_OPT=0, or with {steps}"
    assert shown.of(f"jit why {line}") == f"no code is left of line {line} in scaled; run the program {advice}", (
        shown.text
    )
