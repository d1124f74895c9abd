"""The `jit` commands in LLDB, at stops of one program, and its fault."""

from __future__ import annotations

import json
import re

from tests.gdb.harness import line_of
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "lldb_calls.py"
TOTAL = [0.0, 0.0, 3.0, 9.0, 18.0]  # the sums of x[k] * 2 + k before each k


def at_helper(lldb: str) -> Said:
    commands = (
        "jit break helper if x[k] > 3",
        "run",
        "jit bt",
        "jit bt -json",
        "jit locals",
        "jit locals -json",
        "jit args",
        "jit print x[k] * SCALE",
        "jit array -where 'x > 3' x",
        "jit why z",
        "jit threads",
        "jit status",
        "jit functions work",
        "up",
        "jit locals",
        "frame select 3",
        "jit print name + '!'",
        "jit print (",
    )
    return run(lldb, PROGRAM, "steps", commands)


@LLDBS
def test_stop_by_name_with_a_python_condition(lldb: str) -> None:
    said = at_helper(lldb)
    assert said.of("jit break helper if x[k] > 3")[0].startswith("Breakpoint 3 at helper: pending")
    values = {each["name"]: each["value"] for each in json.loads(said.of("jit locals -json")[0])}
    assert values == {"x": {"shape": [6], "data": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]}, "k": 4, "y": None, "z": None}


@LLDBS
def test_stack(lldb: str) -> None:
    said = at_helper(lldb)
    frames = json.loads(said.of("jit bt -json")[0])["frames"]
    assert [(each["kind"], each["name"]) for each in frames] == [
        ("jit", "helper"), ("jit", "work"), ("python", "main"), ("python", "<module>"),
    ]  # fmt: skip
    assert frames[1]["line"] == line_of(PROGRAM, "call")
    assert said.of("jit bt")[0].splitlines()[0].startswith("#0  helper (x=array(float64, shape=(6,)), k=4) at ")


@LLDBS
def test_variables_and_expressions(lldb: str) -> None:
    said = at_helper(lldb)
    inner, outer = said.of("jit locals")
    assert "y = <unassigned>" in inner.splitlines()
    assert f"total = {TOTAL[4]}" in outer.splitlines()
    assert said.of("jit args") == ["x = array([0., 1., 2., 3., 4., 5.])\nk = 4"]
    assert said.of("jit print x[k] * SCALE") == ["12.0"]
    assert said.of("jit print name + '!'") == ["'hello!'"]
    assert said.of("jit print (")[0].endswith("SyntaxError: invalid syntax")
    assert "where      2 of 6\n  [4] = 4.0\n  [5] = 5.0" in said.of("jit array -where 'x > 3' x")[0]
    assert said.of("jit why z")[0].startswith("z is unassigned: ")


@LLDBS
def test_what_is_known(lldb: str) -> None:
    said = at_helper(lldb)
    assert re.search(
        r"^work\(array\(float64, 1d, C\), int64\)  lldb_calls.py:\d+  steps", said.of("jit functions work")[0]
    )
    assert re.search(r"process \d+, CPython 3\.\d+\.\d+", said.of("jit status")[0])
    assert re.search(
        r"^\* 1 +Python thread: helper \(\) at lldb_calls.py:\d+, holds the GIL$", said.of("jit threads")[0], re.M
    )


@LLDBS
def test_parallel_loop(lldb: str) -> None:
    body = line_of(PROGRAM, "body")
    commands = (f"jit break {PROGRAM}:{body} if i == 5", "run", "frame variable half", "jit threads", "jit bt")
    said = run(lldb, PROGRAM, "steps", commands)
    assert said.of("frame variable half") == ["(float64) half = 2.5"]
    assert re.search(
        rf"^\* \d+ +worker \d of \w+.*: shared, prange at lldb_calls.py:\d+, i = 5 of .*, line {body}, ",
        said.of("jit threads")[0],
        re.M,
    )
    assert said.of("jit bt")[0].startswith("#0  shared.prange (")


@LLDBS
def test_fault(lldb: str) -> None:
    said = run(lldb, PROGRAM, "steps", ("settings append target.run-args fault", "run"))
    assert "`i` = 1099511627776 is outside axis 0 of `x` (6 elements): " in said.text
    assert f"at {PROGRAM}:{line_of(PROGRAM, 'fault')}" in said.text


@LLDBS
def test_help(lldb: str) -> None:
    said = run(
        lldb, PROGRAM, "steps", ("jit help", "jit help print", "help jit locals", "jit locals", "jit help nothing")
    )
    assert "  jit print " in said.of("jit help")[0] and "  jit why " in said.of("jit help")[0]
    for name in ("print", "locals"):
        assert f"Usage: jit {name} " in said.text
    assert "error: no process: run or attach to a program, or open a core" in said.text


@LLDBS
def test_a_breakpoint_that_stops_once(lldb: str) -> None:
    said = run(lldb, PROGRAM, "steps", ("jit tbreak helper", "run", "jit args", "breakpoint list", "continue"))
    assert said.of("jit args") == ["x = array([0., 1., 2., 3., 4., 5.])\nk = 0"]
    assert "\n3: " not in said.of("breakpoint list")[0]
    assert "exited with status = 0" in said.text


OF_GDB = ("apply", "frame", "gather", "level", "next-iteration", "trap")


@LLDBS
def test_commands_of_gdb_say_so_in_one_line(lldb: str) -> None:
    tried = [f"script lldb.debugger.HandleCommand('jit {name} x')" for name in OF_GDB]
    said = run(lldb, PROGRAM, "steps", tuple(tried))
    for name in OF_GDB:
        assert len(re.findall(rf"^error: `jit {name}` is GDB's alone: .+$", said.text, re.M)) == 1
