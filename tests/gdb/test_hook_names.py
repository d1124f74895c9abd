"""Names of code that was compiled with the hook: as the user wrote them, and once each."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs

PROGRAM = "hook_names.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
STEPS = {"JITSCOPE_LEVEL": "steps"}


@GDBS
@pytest.mark.parametrize("name", ["multiplied", "adder", "Counter.add"])
def test_break_by_name_stops_once(gdb: str, name: str) -> None:
    commands = [f"break '{name}'" if "." in name else f"break {name}", "run", "bt 1", "finish", "continue"]
    env = {**STEPS, "NUMBA_DEBUGINFO": "1"} if name == "Counter.add" else STEPS  # a jitclass has no option for it
    seen = harness.run(commands, program=PROGRAM, gdb=gdb, jitscope=False, env=env, timeout=180)
    line = line_of(PROGRAM, name.rpartition(".")[2])
    assert re.search(rf"^#0 +{re.escape(name)} \(.*\) at .*{PROGRAM}:{line}$", seen.of("bt 1"), re.M), seen.text
    assert "Value returned" not in seen.of("finish")
    assert "hit Breakpoint" not in seen.of("finish") + seen.of("continue"), seen.text
    assert "exited normally" in seen.of("continue")


@GDBS
def test_stop_line_and_breakpoint_table(gdb: str) -> None:
    commands = [
        f"break {PROGRAM}:{line_of(PROGRAM, 'multiplied')}",
        "run",
        "info breakpoints",
        "info symbol $pc",
        "ptype multiplied",
    ]
    seen = harness.run(commands, program=PROGRAM, gdb=gdb, jitscope=False, env=STEPS, timeout=180)
    assert re.search(rf"hit Breakpoint 1(\.\d+)?, multiplied \(a=\.\.\., k=2\) at .*{PROGRAM}:", seen.of("run")), (
        seen.text
    )
    assert re.search(
        rf" in multiplied at .*{PROGRAM}:{line_of(PROGRAM, 'multiplied')}$", seen.of("info breakpoints"), re.M
    )
    assert seen.of("ptype multiplied").startswith("type = void (")


@GDBS
@pytest.mark.parametrize("jitscope", [False, True], ids=["plain", "jitscope"])
def test_a_generator(gdb: str, jitscope: bool) -> None:
    """The body is found by its name; the values that it yields are no results of a C function."""
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'yield')}", "run", "bt 1", "print i", "continue", "print i"]
    seen = harness.run(commands, program=PROGRAM, gdb=gdb, jitscope=jitscope, env=STEPS, timeout=180)
    assert re.search(r"^#0 +(0x\w+ in )?counting \(", seen.of("bt 1"), re.M), seen.text
    assert (seen.of("print i"), seen.of("print i", 1)) == ("$1 = 0", "$2 = 1")
