"""`next` and `step` at default settings: the lines of the interpreter's trace, and their values."""

from __future__ import annotations

import functools
import pathlib
import re
import time
from typing import Any

import pytest

from tests.gdb import harness, python_lines
from tests.gdb.harness import line_of

CALLS = "stepped/calls.py"
GENERATORS = "stepped/generators.py"
IN_PLACE = "stepped/in_place.py"
COMPREHENDED = "stepped/comprehended.py"
INLINED = "stepped/inlined.py"
MIXED = "stepped/mixed.py"
MAIN = "stepped/main_named.py"
RESHAPED = "stepped/reshaped.py"
# Functions of each program, in the order of their calls; a second row has those that are called within another.
FUNCTIONS = [
    (CALLS, ("outer",)),
    (CALLS, ("several",)),
    (GENERATORS, ("over_plain", "nested")),
    (IN_PLACE, ("ints", "floats", "arrays", "loop")),
    (MAIN, ("main",)),
    (COMPREHENDED, ("tried", "endless", "passed")),
    (INLINED, ("scale",)),
    (INLINED, ("top",)),
    (MIXED, ("top",)),
    (RESHAPED, ("shaped", "joined", "sliced", "spread", "chosen")),
]


@functools.cache
def lines(program: str, functions: tuple[str, ...], command: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return the interpreter's lines, GDB's in one session, and the session."""
    expected = python_lines.in_python(program, functions, command)
    counts = {function: len(places) for function, (places, _) in expected.items()}
    return expected, *python_lines.in_gdb(program, counts, command)


def steps() -> list[Any]:
    cases = []
    for program, functions in FUNCTIONS:
        for command in ("next", "step"):
            session = pathlib.Path(program).stem
            group = pytest.mark.xdist_group(f"steps-{session}-{functions[0]}-{command}")
            for function in functions:
                name = f"{session}-{function}-{command}"
                cases.append(pytest.param(program, functions, function, command, id=name, marks=group))
    return cases


@pytest.mark.parametrize(("program", "functions", "function", "command"), steps())
def test_each_line_as_in_python(program: str, functions: tuple[str, ...], function: str, command: str) -> None:
    expected, found, text = lines(program, functions, command)
    assert found[function][0] == expected[function][0], text
    assert python_lines.false_values(expected[function][1], found[function][1]) == [], text


def test_finish_of_a_recursion_stops_at_the_call() -> None:
    """The last call was inlined, and the next line has code that LLVM has scheduled before it."""
    commands = [
        "tbreak fact",
        "run",
        "tbreak fact if n == 2",
        "continue",
        *["finish"] * 3,
        "jit locals",
        "next",
        "jit why f",
    ]
    done = harness.run(commands, program=CALLS, env={"JITSCOPE_LEVEL": ""})
    assert re.search(rf"^{line_of(CALLS, 'call')}\t", done.of("finish", 2), re.M), done.text
    assert re.search(rf"^{line_of(CALLS, 'list')}\t", done.of("next"), re.M), done.text
    assert done.of("jit why f").startswith("f is exact"), done.text


def test_a_front_end_steps_into_a_generator() -> None:
    """There is one *stopped for each step: at the statement after the yield, where the generator goes on."""
    with harness.machine_interface(GENERATORS, env={"JITSCOPE_LEVEL": ""}) as mi:
        mi.send(f"-break-insert -f -t {GENERATORS}:{line_of(GENERATORS, 'body')}")
        mi.until_stop("-exec-run")
        seen = [mi.until_stop("-exec-step")["frame"] for _ in range(3)]
    marks = [line_of(GENERATORS, "loop"), line_of(GENERATORS, "behind") - 1, line_of(GENERATORS, "behind")]
    assert [int(frame["line"]) for frame in seen] == marks, seen
    assert [frame["func"] for frame in seen] == ["over_plain", "plain", "plain"], seen


def test_a_step_that_ends_with_the_generator_leaves_the_function() -> None:
    """The generator has no line after its yield, and the function ends with it."""
    commands = [f"tbreak {GENERATORS}:{line_of(GENERATORS, 'asked')}", "run", "step", "jit bt"]
    done = harness.run(commands, program=GENERATORS, env={"JITSCOPE_LEVEL": ""})
    assert done.of("step").endswith("asking raised StopIteration()"), done.text
    assert done.of("jit bt").startswith("#0  <module> ("), done.text


def test_a_function_that_is_called_main_is_not_the_last_frame() -> None:
    commands = [f"break {MAIN}:{line_of(MAIN, 'inner')}", f"break {MAIN}:{line_of(MAIN, 'last')}", "run", "bt"]
    commands += ["up", "up", "continue", "next", "kill"]
    done = harness.run([*commands, "show backtrace past-main"], program=MAIN, env={"JITSCOPE_LEVEL": ""})
    assert re.search(r"^#0  inner .*\n#1 .*\bmain \(n=3\).*\n#\d+ +called \(\)", done.of("bt"), re.M), done.text
    assert "called ()" in done.of("up", 1), done.text
    ended = rf"#0  called \(\) at .*:{line_of(MAIN, 'call')} \[py\]\n.*\nmain returned 9"
    assert re.fullmatch(ended, done.of("next")), done.text
    assert done.of("show backtrace past-main").endswith(" is off."), done.text


WAITING = "stepped/waiting.py"
SET = "set var *(double *) flag.data = 1"


def attached(level: str, *commands: str) -> harness.Transcript:
    """Attach GDB to a program in a loop that waits."""
    with harness.target(WAITING, env={"JITSCOPE_LEVEL": level}) as pid:
        time.sleep(1)  # until it waits
        done = harness.run(commands, pid=pid)
    assert not done.timed_out, done.text
    return done


def test_a_loop_that_waits_steps_from_its_next_iteration_on() -> None:
    body, header = (line_of(WAITING, mark) for mark in ("body", "header"))
    to_body = [f"tbreak waiting.py:{body}", "continue"]
    done = attached("steps", *["next"] * 5, "print c", *to_body, SET, "jit next-iteration", "next")
    lines = [int(done.of("next", n).split("\t")[0]) for n in range(5)]
    assert lines[-3:] in ([body, header, body], [header, body, header]), done.text
    assert re.match(r"\$1 = \d+$", done.of("print c")), done.text
    assert done.of("jit next-iteration").startswith(f"{header}\t"), done.text
    assert done.of("next", 5).startswith(f"{line_of(WAITING, 'behind')}\t"), done.text


@pytest.mark.parametrize("command", ["next", "step", "until", "jit next-iteration"])
def test_a_loop_without_end_is_not_stepped(command: str) -> None:
    """LLVM has left, at `exact`, a jump to itself."""
    place = f"waiting.py:{line_of(WAITING, 'header')}, where a step would not come back"
    text = f"the compiler has left a loop without an end and without lines at {place}: "
    done = attached("exact", command)
    assert text in done.of(command) and "@jitscope.steps" in done.of(command), done.text


def test_a_generator_that_is_skipped_is_not_entered() -> None:
    at = f"tbreak {GENERATORS}:{line_of(GENERATORS, 'body')}"
    commands = [at, "run", "skip function plain", "step", "step", "skip disable", "step", "step"]
    done = harness.run(commands, program=GENERATORS, env={"JITSCOPE_LEVEL": ""})
    lines = [int(done.of("step", n).split("\t")[0]) for n in (0, 1, 2)]
    assert lines == [line_of(GENERATORS, mark) for mark in ("loop", "body", "loop")], done.text
    assert re.search(rf"^{line_of(GENERATORS, 'behind') - 1}\t", done.of("step", 3), re.M), done.text
