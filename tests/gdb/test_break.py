"""`jit break` by Python's full names, and GDB's `break` where several functions share a name or a file."""

from __future__ import annotations

import functools
import json
import re

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT

FOLDER = harness.PROGRAMS / "named"
LEVELS = pytest.mark.parametrize("level", ["steps", "exact", "stock"])
ENV = {"NUMBA_DEBUGINFO": "1"}  # methods have no option for it


def place(mark: str, file: str = "parts.py") -> str:
    return f"{FOLDER / file}:{line_of(FOLDER / file, mark)}"


def stops(done: harness.Transcript) -> list[str]:
    """Return the stops as NUMBER FUNCTION FILE:LINE; arguments are left out."""
    found = re.findall(
        r"hit (?:Temporary b|B)reakpoint (\d+)(?:\.\d+)?, (?:0x\w+ in )?(\S+) \(.*\) at (\S+)", done.text
    )
    return [" ".join(stop) for stop in found]


# Number and function of each breakpoint by its name, and the place where it stops.
NAMED = (
    ("__main__.foo", "foo", place("own", "main.py")),
    ("parts.foo if a == 5", "foo", place("foo")),
    ("parts.outer.<locals>.inner", "inner", place("inner")),
    ("-temporary parts.Counter.add", "Counter.add", place("add")),
    ("parts.counting", "counting", place("counting")),
    ("parts.wrapped", "wrapped", place("wrapped")),
    ("second.same.shared", "shared", f"{FOLDER}/second/same.py:6"),
)


NAMED_AT = {level: pytest.mark.xdist_group(f"named-{level}") for level in ("steps", "exact")}  # one GDB for each


@functools.cache
def named(level: str) -> harness.Transcript:
    commands = [
        *(f"jit break {name}" for name, *_ in NAMED), "jit break -list", "run", "jit break -list -json",
        "info symbol $pc", *["continue"] * 8, "jit break -list", "info breakpoints", "complete jit break parts.",
        "continue", "jit break -list",
    ]  # fmt: skip
    return harness.run(commands, program="named/main.py", env={**ENV, "JITSCOPE_LEVEL": level}, timeout=180)


@pytest.mark.parametrize("level", [pytest.param(level, marks=mark) for level, mark in NAMED_AT.items()])
def test_full_names(level: str) -> None:
    done = named(level)
    own, parts, inner, add, counting, wrapped, shared = (
        f"{number} {function} {at}" for number, (_, function, at) in enumerate(NAMED, 1)
    )
    expected = [own, parts, inner, add, *([counting] * 2), wrapped, shared, f"1 foo {place('again', 'main.py')}"]
    # the consumer's loop is plain arithmetic, in which breakpoints stop only at the code that LLVM has left
    if level == "exact":
        found = [stop for stop in stops(done) if not stop.startswith("5 ")]
        assert found == [stop for stop in expected if stop != counting], done.text
        assert counting in stops(done)
    else:
        assert stops(done) == expected, done.text
    assert done.of("jit break parts.foo if a == 5") == "Breakpoint 2: parts.foo, once it is compiled, if a == 5"
    assert done.of("jit break -list").splitlines()[0] == "1  __main__.foo, once it is compiled, hit 0 times"


@NAMED_AT["steps"]
def test_it_is_the_users_breakpoint() -> None:
    done = named("steps")
    entries = json.loads(done.of("jit break -list -json"))
    jsonschema.validate(entries, json.loads((ROOT / "docs" / "schema" / "break.json").read_text()))
    assert [entry["number"] for entry in entries] == list(range(1, 8))
    assert entries[0]["hits"] == 1 and entries[0]["places"][0]["file"] == str(FOLDER / "main.py")
    assert [entry["temporary"] for entry in entries] == [False] * 3 + [True] + [False] * 3
    assert entries[1]["places"] == [] and entries[1]["condition"] in ("", "a == 5")
    assert done.of("info symbol $pc").startswith("foo + ")
    own, again = line_of(FOLDER / "main.py", "own"), line_of(FOLDER / "main.py", "again")
    assert f"1  __main__.foo at main.py:{own}, main.py:{again}, hit 2 times" in done.of("jit break -list", 1), done.text
    assert "Counter.add" not in done.of("jit break -list", 1)
    assert "stop only if a == 5" in done.of("info breakpoints")
    assert "jit break parts.foo" in done.of("complete jit break parts.").splitlines()
    assert "1  __main__.foo, once it is compiled, hit 2 times" in done.of("jit break -list", 2)


@LEVELS
def test_gdbs_own_break(level: str) -> None:
    """Two functions have one name, two files have one name, and a line is in a generator's body."""
    done = harness.run(
        ["break foo", "break first/same.py:7", "break shared", "break counting", "break wrapped", "run",
         *["continue"] * 20, "info breakpoints"],
        program="named/main.py", env={**ENV, "JITSCOPE_LEVEL": level}, timeout=180,
    )  # fmt: skip
    hit = stops(done)
    for file, mark in (("main.py", "own"), ("parts.py", "foo"), ("main.py", "again")):
        if level != "stock":
            assert f"1 foo {place(mark, file)}" in hit, done.text
    assert f"2 shared {FOLDER}/first/same.py:7" in hit, done.text
    assert not [stop for stop in hit if stop.startswith("2 ") and "second" in stop]
    assert re.search(r"^3 .*\n\s+breakpoint already hit 2 times", done.of("info breakpoints"), re.M), done.text
    assert [stop for stop in hit if stop.startswith("4 counting ")], done.text
    if level == "steps":
        assert [stop for stop in hit if stop.startswith("4 ")] == [f"4 counting {place('counting')}"] * 2
    assert f"5 wrapped {place('wrapped')}" in hit or level == "stock"
    assert "again 9" in done.text


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("jit break x y", "'x y' is no function's name in Python and no FILE:LINE"),
        ("jit break", "Usage: jit break"),
        ("jit break mod.foo if", "a condition is missing after `if`"),
        ("jit break -json", "-json goes with -list"),
        ("jit break -list foo", "Usage: jit break"),
    ],
)
def test_bad_input(command: str, answer: str) -> None:
    said = harness.run([command]).of(command)
    assert answer in said and len(said.splitlines()) == 1, said


NAMES = {"outer": "break", "run": "break", "lookup": "break", "find": "jit break", "reset": "tbreak", "main": "break"}


@pytest.mark.parametrize("is_running", [False, True])
def test_common_names_mean_the_programs_functions(is_running: bool) -> None:
    """libjitscope.so has static functions of such names, with debug information; they never get a breakpoint."""
    program = "common_names.py"
    asked = [f"{command} {name}" for name, command in NAMES.items()]
    before = ["break first", "run", "delete"] if is_running else []
    last = [] if is_running else ["run"]
    done = harness.run([*before, *asked, *last, *["continue"] * len(NAMES)], program=program)
    stops = re.findall(r"^Thread 1 .* hit (?:Temporary b|B)reakpoint \S+, (\S+) \(.*:(\d+)$", done.text, re.M)
    stops = stops[is_running:]
    assert stops == [(name, str(line_of(program, name))) for name in NAMES], done.text
    for command in asked if is_running else ():
        assert not re.search(r"\.c\b", done.of(command)), done.text
    assert "Breakpoint 2 (outer) pending." in done.of("break outer") or not is_running, done.text
