"""`finish` and `jit finish` out of compiled functions: what is said is what the program computes."""

from __future__ import annotations

import functools
import re

import pytest

from tests.gdb.dap import Client
from tests.gdb.harness import line_of
from tests.interpreters import lldb_adapter
from tests.lldb.adapter import started
from tests.lldb.session import LLDBS, Said, run
from tests.programs import results_at_lines

NAMES = [function.__name__ for function in results_at_lines.FUNCTIONS]
NOT_NAMED = {"day"}  # the debugger does not know which 64 bits are a date
PROGRAM = "lldb_finish.py"
DEEPEST = line_of(PROGRAM, "deepest")


@functools.cache
def results(lldb: str) -> Said:
    breaks = [f"jit tbreak {name}" for name in NAMES]
    leaves = [word for name in NAMES for word in ("jit finish" if len(name) % 2 else "finish", "continue")]
    return run(lldb, "results_at_lines.py", "steps", (*breaks, "run", *leaves))


@LLDBS
@pytest.mark.parametrize("name", NAMES)
def test_the_result_is_the_programs(lldb: str, name: str) -> None:
    text = results(lldb).text
    (returned,) = re.findall(rf"^{name} returned (.*)$", text, re.M)
    (expected,) = re.findall(rf"^result {name} (.*)$", text, re.M)
    if name in NOT_NAMED:
        assert returned == "<unknown: the debug information does not name its type>"
    else:
        assert returned.replace(" ", "") == expected.replace(" ", "")


@LLDBS
def test_lldb_itself_says_no_value(lldb: str) -> None:
    """A compiled function returns a status to its caller, which is no value."""
    assert "Return value" not in results(lldb).text


@LLDBS
def test_the_line_of_python_that_has_called(lldb: str) -> None:
    place = r"pair returned \(10\.0, True\)\n<module> \(\) at .*/results_at_lines\.py:(\d+) \[py\]\n\1 +result = "
    assert re.search(place, results(lldb).text)


@functools.cache
def ways(lldb: str) -> Said:
    commands = (
        f"breakpoint set -f {PROGRAM} -l {DEEPEST}",
        "run",
        *("finish", "jit finish"),  # the innermost call, then the one that has called it
        *("frame select 1", "jit finish"),
        "jit tbreak refuses",
        *("continue", "finish", "finish"),
        f"breakpoint set -f {PROGRAM} -l {line_of(PROGRAM, 'inlined')}",
        *("continue", "finish", "jit finish"),
        f"breakpoint set -f {PROGRAM} -l {line_of(PROGRAM, 'block')}",
        *("continue", "finish", "finish"),
    )
    return run(lldb, PROGRAM, "steps", commands)


@LLDBS
def test_an_inlined_function_is_left_without_a_value(lldb: str) -> None:
    """The program prints 35.0: what is said of `halved`, if it is inlined, is nothing false."""
    said = re.findall(r"^(halved|around) returned (.*)$", ways(lldb).text, re.M)
    assert ("around", "35.0") in said and set(said) <= {("halved", "3.5"), ("around", "35.0")}


@LLDBS
def test_a_block_in_object_mode(lldb: str) -> None:
    said = re.findall(r"^with_block .*$", ways(lldb).text, re.M)
    assert set(said) <= {
        "with_block has left its block in object mode, and goes on behind it",
        "with_block returned 16",
    }


@LLDBS
def test_calls_within_compiled_code(lldb: str) -> None:
    said = re.findall(r"^factorial returned .*$", ways(lldb).text, re.M)
    assert said == ["factorial returned 1", "factorial returned 2", "factorial returned 24"]


@LLDBS
def test_an_exception(lldb: str) -> None:
    said = re.findall(r"^\w+ raised .*$", ways(lldb).text, re.M)
    text = "raised ValueError('too great', …)"  # the number is not in the exception's structure
    assert said[-1:] == [f"passes_on {text}"]
    assert set(said) <= {f"refuses {text}", said[-1]}


@LLDBS
def test_debug_adapter(lldb: str) -> None:
    with Client([lldb_adapter(lldb)]) as client:
        frame = started(client, PROGRAM, {"JITSCOPE_LEVEL": "steps"}, [DEEPEST])
        assert frame is not None and frame["line"] == DEEPEST
        client.go_on("stepOut")
        shown = ""
        while "factorial returned 1\n" not in shown:
            shown += str(client.event("output")["output"])
