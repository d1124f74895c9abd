"""`jit catch`: stops where compiled code raises, at each level, and nowhere else."""

from __future__ import annotations

import functools
import json
import pathlib
import re
import subprocess

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT, newest_python
from tests.minutes import MINUTES

PROGRAM = "raises.py"
LEVELS = pytest.mark.parametrize("level", ["steps", "exact"])
THERE = " (in code without debug information that it calls)"
# The exception of each call of the program, its place, and its function.
RAISED = {
    "call": [("ValueError('bad', 7)", "check", "callee")],
    "index": [
        ("IndexError('index is out of bounds')", "index", "index", ": `i` = 3 is outside axis 0 of `a` (3 elements)")
    ],
    "divide": [("ZeroDivisionError('integer division by zero')", "divide", "divide", ": the divisor `b` is 0")],
    "guarded": [("KeyError('even')", "guarded", "guarded")] * 2,
    "drain": [("IndexError('pop from empty list')", "drain", "pop", THERE)],
    "through": [("IndexError('plain')", "through", "through", THERE)],
    "outermost": [("IndexError('plain')", "through", "through", THERE)],
    "own": [("Overdrawn('short of', …)", "own", "own")],
    "asserts": [("AssertionError('too big')", "asserts", "assert")],
    "consume": [("RuntimeError('empty')", "count_down", "generator")],
    "descend": [("OverflowError('bottom')", "descend", "recursion")],
    "spread": [
        (
            "IndexError('index is out of bounds')",
            "spread.prange",
            "worker",
            ": `i` = 8 is outside axis 0 of `a` (8 elements)",
        )
    ],
    "scatter": [("ValueError('bad', 7)", "check", "callee")],
    "ends": [],
}


def run(level: str, *commands: str, arguments: tuple[str, ...] = ()) -> harness.Transcript:
    env = {"JITSCOPE_LEVEL": level, "JITSCOPE_DEBUG": "off"}
    done = harness.run(commands, program=PROGRAM, arguments=arguments, env=env, timeout=180)
    assert not done.timed_out, done.text
    return done


def notes(done: harness.Transcript) -> list[str]:
    return re.findall(r"^Exception .*$", done.text, re.M)


def said(name: str) -> list[str]:
    return [
        f"Exception {what} raised in {function} at {PROGRAM}:{line_of(PROGRAM, mark)}{''.join(more)}"
        for what, function, mark, *more in RAISED[name]
    ]


@functools.cache
def printed() -> list[str]:
    """Return the program's own output, without a debugger and the hook."""
    command = [newest_python(), str(harness.PROGRAMS / PROGRAM)]
    done = subprocess.run(command, env=harness.lean(), stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    return [line for line in done.stdout.splitlines() if line.partition(" ")[0] in RAISED]


@pytest.mark.xdist_group("catch-all")
@LEVELS
def test_all_that_raises_and_nothing_else(level: str) -> None:
    wanted = [line for name in RAISED for line in said(name)]
    done = run(level, "jit catch", "run", *["continue"] * (len(wanted) + 2), "info breakpoints")
    assert notes(done) == wanted, done.text
    assert f"already hit {len(wanted)} times" in done.of("info breakpoints")
    assert "does not stop there" not in done.text  # Numba's own functions are not the user's
    undescribed = r"^jitscope: (.*) has no debug information: `jit catch` does not stop in it;"
    assert re.findall(undescribed, done.text, re.M) == ["plain"], done.text
    assert len(printed()) == len(RAISED)
    assert all(line in done.text for line in printed())


@LEVELS
def test_variables_are_there(level: str) -> None:
    done = run(level, "jit catch", "run", "jit locals", "info locals", "bt 1", arguments=("index",))
    shown = dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals"), re.M))
    assert shown == {"a": "array([0., 1., 2.])", "n": "5", "total": "3.0", "i": "3"}, done.text
    assert "total = 3.0" in done.of("info locals") and "i = 3" in done.of("info locals")
    assert f"index (a=array(float64, shape=(3,)), n=5) at {harness.PROGRAMS / PROGRAM}" in done.of("bt 1")


@LEVELS
def test_callee_that_is_put_in_line(level: str) -> None:
    done = run(level, "jit catch ValueError", "run", "bt 2", "up", "jit locals", arguments=("call",))
    assert re.search(r"#0 .*check \(.*callee|#0 .* check \(.*\) at .*\n#1 .* call \(n=5\)", done.of("bt 2")), done.text
    shown = dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals"), re.M))
    assert shown["n"] == "5"
    if level == "steps":
        assert shown["i"] == "3" and shown["total"] == "6"


@pytest.mark.parametrize(
    ("asked", "stops"),
    [
        ("LookupError", ["index", "guarded"]),
        pytest.param("ArithmeticError", ["divide"], marks=MINUTES),
        pytest.param("Overdrawn", ["own"], marks=MINUTES),
        ("ValueError", ["call", "own"]),
        pytest.param("builtins.KeyError", ["guarded"], marks=MINUTES),
        ("KeyError AssertionError", ["guarded", "asserts"]),
        ("Exception if n == 5", ["asserts"]),
        ("TypeError", []),
    ],
)
def test_types_and_conditions(asked: str, stops: list[str]) -> None:
    names = ("index", "divide", "guarded", "own", "asserts") if "if" not in asked else ("own", "asserts")
    names = ("call", *names) if asked == "ValueError" else names
    wanted = [line for name in stops for line in said(name)]
    done = run("exact", f"jit catch {asked}", "run", *["continue"] * (len(wanted) + 1), arguments=names)
    assert notes(done) == wanted, done.text


def test_condition_without_an_answer() -> None:
    """A variable that the place has and that has no value stops once; a name that no place has is reported at the
    end."""
    done = run(
        "exact", "jit catch ValueError if x > 1", "jit catch if missing > 1", "run", "continue", arguments=("call",)
    )
    at = f"{PROGRAM}:{line_of(PROGRAM, 'callee')}"
    assert f"jitscope: breakpoint 1: `x > 1` fails at {at}, and stops there this once: `x` is <" in done.of("run")
    assert notes(done) == said("call"), done.text
    assert done.of("continue").endswith(
        "jitscope: breakpoint 2: `missing > 1` had no answer where the program came to it: "
        f"NameError: name 'missing' is not defined at {at}"
    ), done.text


GENERATOR = """\
from numba import njit


@njit(debug=True)
def count(n):
    while n:
        if n == 3:
            raise ValueError("three")
        yield n
        n -= 1


@njit(debug=True)
def total(n):
    s = 0
    for v in count(n):
        s += v
    return s


total(4)
"""


def test_a_generator_is_not_said_to_lack_debug_information(tmp_path: pathlib.Path) -> None:
    """The code that only makes the generator has its name, and no debug information."""
    path = tmp_path / "program.py"
    path.write_text(GENERATOR, encoding="utf-8")
    shown = harness.run(["jit catch", "run"], program=path)
    assert "raised in count at program.py:8" in shown.of("run")
    assert "no debug information" not in shown.text


@pytest.fixture(scope="module")
def caught() -> harness.Transcript:
    """Run a session in which one exception is caught each time, and another once."""
    return run(
        "steps", "info breakpoints", "jit catch ValueError", "jit catch -temporary KeyError",
        "info breakpoints", "jit catch -list", "jit catch -list -json", "run", "info breakpoints",
        "output $jit_exception()", "up", "output $_streq($jit_exception(), \"ValueError('bad', 7)\")",
        "continue", "jit catch -list", "delete 1", "jit catch -list", "continue",
        arguments=("call", "guarded", "call"),
    )  # fmt: skip


ONE_SESSION = pytest.mark.xdist_group("caught")


@ONE_SESSION
def test_what_is_caught_has_the_number_of_a_breakpoint(caught: harness.Transcript) -> None:
    assert caught.of("jit catch ValueError") == "Breakpoint 1: where compiled code raises ValueError"
    assert "<PENDING>" in caught.of("info breakpoints", 1)


@ONE_SESSION
def test_what_is_caught_is_listed_as_json(caught: harness.Transcript) -> None:
    entries = json.loads(caught.of("jit catch -list -json"))
    jsonschema.validate(entries, json.loads((ROOT / "docs" / "schema" / "catch.json").read_text()))
    assert [(entry["number"], entry["temporary"]) for entry in entries] == [(1, False), (2, True)]


@ONE_SESSION
def test_gdbs_table_has_its_condition_hits_and_place(caught: harness.Transcript) -> None:
    table = caught.of("info breakpoints", 2)
    assert 'stop only if $jit_raised("ValueError")' in table and "already hit 1 time" in table
    assert re.search(r"in check at .*raises\.py", table), table


@ONE_SESSION
def test_the_exception_is_a_value_in_gdbs_expressions(caught: harness.Transcript) -> None:
    assert caught.of("output $jit_exception()") == "\"ValueError('bad', 7)\""
    assert caught.of("output $_streq($jit_exception(), \"ValueError('bad', 7)\")") == "1"


@ONE_SESSION
def test_a_temporary_one_is_gone_when_it_was_hit(caught: harness.Transcript) -> None:
    assert "Temporary" in caught.of("continue")
    assert caught.of("jit catch -list", 1) == "1  where compiled code raises ValueError, hit 1 time"


@ONE_SESSION
def test_what_is_deleted_is_caught_no_more(caught: harness.Transcript) -> None:
    assert caught.of("jit catch -list", 2).startswith("Nothing is caught")
    assert len(notes(caught)) == 2


def test_a_second_run() -> None:
    done = run("exact", "jit catch IndexError", "run", "continue", "run", "continue", arguments=("index",))
    assert notes(done) == said("index") * 2, done.text


def test_after_attaching() -> None:
    with harness.target(PROGRAM, env={"JITSCOPE_LEVEL": "exact", "RAISES_FOREVER": "1"}) as pid:
        done = harness.run(
            ["jit catch IndexError", "continue", "jit print i", "delete", "detach"], pid=pid, env={}, timeout=60
        )
    assert notes(done) == said("index"), done.text
    assert done.of("jit print i") == "3"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("jit catch 3x", "'3x' is no name of an exception's class"),
        ("jit catch ValueError if", "a condition is missing after `if`"),
        ("jit catch -json", "-json goes with -list"),
        ("jit catch -list ValueError", "Usage: jit catch"),
        ("jit catch -bogus", "jit catch has no option -bogus. `help jit catch` has the details"),
    ],
)
def test_bad_input(command: str, answer: str) -> None:
    said = harness.run([command]).of(command)
    assert answer in said and len(said.splitlines()) == 1, said


def stock(name: str, opt: str) -> list[str]:
    """Return the notes in code of Numba alone: where the exception leaves, if the compiler has merged the places."""
    if name == "guarded" and opt != "0":  # it is caught where it is raised, and no code of it is left
        return []
    if name in ("through", "outermost"):
        return [f"Exception IndexError('plain') leaves through, raised at {PROGRAM}:{line_of(PROGRAM, 'plain')}"]
    if name == "drain" and opt == "0":
        return ["Exception IndexError('pop from empty list') leaves drain, raised at listobject.py:*"]
    if name == "divide":  # a frame of stock code does not show whether the line is that of inlined code
        return [said(name)[0].partition(": the divisor")[0]]
    if name == "index" and opt != "0":  # `i` is not kept
        return [said(name)[0].partition(": ")[0]]
    if name == "spread" and opt != "0":
        return [f"{said(name)[0].partition(' raised')[0]} leaves spread.prange, raised at a line that *"]
    return said(name)


@pytest.mark.parametrize("opt", ["0", "3"])
def test_stock_code(opt: str) -> None:
    """Stock code stops nowhere else, and once at each place: not where a call returns the exception, and not in another
    function."""
    env = {"JITSCOPE_LEVEL": "stock", "NUMBA_OPT": opt}
    wanted = [line for name in RAISED for line in stock(name, opt)]
    steps = ["jit locals", "continue"] * (len(wanted) + 1)
    done = harness.run(["jit catch", "run", *steps], program=PROGRAM, env=env, timeout=180)
    found = notes(done)
    assert len(found) == len(wanted), done.text
    for line, known in zip(found, wanted):
        assert line == known or (known.endswith("*") and line.startswith(known[:-1])), done.text
    assert "does not stop there" not in done.text
    shown = dict(re.findall(r"^(\w+) = (.*)$", done.of("jit locals", 1), re.M))  # in `index`
    told = {"a": "array([0., 1., 2.])", "n": "5", "total": "3.0", "i": "3"}
    assert all(value == told[name] or value.startswith("<") for name, value in shown.items()), done.text
    assert shown["n"] == "5"
    if opt == "0":
        assert shown == told


def test_nothing_that_can_raise(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("from numba import njit\n\n@njit(debug=True)\ndef twice(n):\n    return n * 2\n\ntwice(4)\n")
    shown = harness.run(["jit catch", "run"], program=path)
    why = "nothing that this process has compiled with debug information can raise"
    assert f"breakpoint 1 (`jit catch`) had no place: {why}\n" in f"{shown.text}\n"
