"""Commands of a newcomer that cannot be done as typed: one line says why, and what to type."""

from __future__ import annotations

import functools

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "stumbles.py"
CURE = "run the program with NUMBA_DEBUGINFO=1"
NJIT = f"{CURE}, or write debug=True in its @njit"


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


@functools.cache
def shown() -> harness.Transcript:
    """Return a session in which the program has run for a while; the first two breakpoints are made before it runs."""
    commands = [
        *(f"break {at('bare')}", f"break {at('method')}", "jit catch ValueEror", "jit catch KeyError", "break checked"),
        *("run", f"break {harness.PROGRAMS}/{at('bare')}", f"break {at('closure')}", "break Account.add"),
        *("jit catch Refused", "jit catch Nonsense", "delete", f"jit gather {at('body')}"),
        *("thread 1", "jit up 20", "jit up", "thread 3", "jit bt", "jit up 20", "jit up"),
    ]
    env = {"JITSCOPE_LEVEL": "steps", "JITSCOPE_DEBUG": "off"}
    env |= {"NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "omp"}
    done = harness.run(commands, program=PROGRAM, env=env)
    assert not done.timed_out, done.text
    return done


def test_a_line_without_debug_information() -> None:
    """The breakpoint is made before any function with lines has come, and after."""
    done = shown()
    said = "has no debug information, so it has no lines and this never stops"
    for number, name, cure in ((1, "bare", NJIT), (2, "Account.add", CURE)):
        told = f"jitscope: breakpoint {number}: {name} {said}; {cure}\n"
        assert done.text.count(told) == 1, done.text
    assert f"bare {said}; {NJIT}" in done.of(f"break {harness.PROGRAMS}/{at('bare')}"), done.text
    assert f"outer.<locals>.closure {said}; {NJIT}" in done.of(f"break {at('closure')}"), done.text


def test_a_method_has_no_njit() -> None:
    said = shown().of("break Account.add")
    assert said.endswith(f"Account.add has no debug information: it stops at calls, and not where Account.add was "
                         f"inlined; {CURE}"), shown().text  # fmt: skip


def test_a_name_that_is_no_exception() -> None:
    done = shown()
    said = "is no built-in exception: it stops only if the program has an exception class of this name"
    assert f"ValueEror {said}; did you mean ValueError" in done.of("jit catch ValueEror"), done.text
    assert f"Nonsense {said}" in done.of("jit catch Nonsense"), done.text
    for command in ("jit catch KeyError", "jit catch Refused"):
        assert "is no built-in" not in done.of(command), done.text


def test_out_of_a_worker() -> None:
    """A worker's own frames end where another thread has started the loop."""
    done = shown()
    told = [text for command, text in done.sections if command == "jit up"]
    said = "thread 1 has started the loop, and its frames follow: `thread 1`"
    assert told == ["Initial frame selected; you can't go up.", said], done.text
    assert "--- region started by thread 1 ---" in done.of("jit bt"), done.text


def test_a_line_in_no_parallel_loop() -> None:
    """The program would run to its end: before `run`, and before the loop's function is compiled."""
    refused = [f"jit gather {at(mark)}" for mark in ("constant", "behind", "module")]
    commands = [*refused, "break checked", "run", *refused, f"jit gather {at('body')}"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"})
    loops = f"is in no parallel loop's body; spread begins parallel loops at line {line_of(PROGRAM, 'header')}"
    for occurrence in (0, 1):
        for mark, why in (("constant", loops), ("behind", loops), ("module", "is no statement of a function")):
            assert done.of(f"jit gather {at(mark)}", occurrence) == f"{at(mark)} {why}", done.text
    assert "2 workers are here:" in done.of(f"jit gather {at('body')}"), done.text
