"""`jit bt` of an abort in the C library: one frame for the call into it, with the argument that can be proved, whether
GDB has the library's debug symbols or not."""

from __future__ import annotations

import json
import re
import shlex

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.interpreters import ROOT

PROGRAM = "freed.py"


SECOND = f"set args {shlex.quote(str(harness.PROGRAMS / PROGRAM))} through"


SETTINGS = [  # one GDB for each
    pytest.param(settings, id=name, marks=pytest.mark.xdist_group(f"freed-{name}"))
    for name, settings in (("libc-stripped", harness.QUICK), ("libc-with-its-symbols", harness.QUIET))
]


@pytest.fixture(scope="module", params=SETTINGS)
def freed(request: pytest.FixtureRequest) -> Transcript:
    """Run one GDB: the program calls free itself, and then, in a second run, a function of the interpreter does."""
    return harness.run(
        ["run", "jit bt", "jit bt -json", "jit bt -all", "kill", SECOND, "run", "jit bt"],
        program=PROGRAM,
        arguments=["direct"],
        env={"JITSCOPE_LEVEL": "exact"},
        settings=request.param,
    )


def _bad(freed: Transcript, occurrence: int) -> str:
    found = re.search(r"^0x[0-9a-f]+$", freed.of("run", occurrence), re.M)
    assert found and "SIGABRT" in freed.of("run", occurrence), freed.text
    return found.group()


def test_the_call_into_the_library_is_one_frame(freed: Transcript) -> None:
    lines = freed.of("jit bt").splitlines()
    assert re.fullmatch(rf"#0  free \(mem={_bad(freed, 0)}\) (?:from|at) \S+ \[frame \d\]", lines[0]), freed.text
    assert re.match(rf"#1  release \(count=3\) at .*{PROGRAM}:{line_of(PROGRAM, 'bad')}\b", lines[1]), freed.text


def test_json_has_the_argument(freed: Transcript) -> None:
    shown = json.loads(freed.of("jit bt -json"))
    jsonschema.validate(shown, json.loads((ROOT / "docs/schema/bt.json").read_text()))
    (argument,) = shown["frames"][0]["arguments"]
    assert (argument["name"], argument["state"], argument["value"]) == ("mem", "exact", _bad(freed, 0))


def test_all_frames_are_there_when_asked_for(freed: Transcript) -> None:
    lines = freed.of("jit bt -all").splitlines()
    free = next(number for number, line in enumerate(lines) if re.search(r"\bfree \(", line))
    assert free >= 3 and any("abort (" in line for line in lines[:free]), freed.text


def test_nothing_is_claimed_of_a_call_that_was_passed_on(freed: Transcript) -> None:
    _bad(freed, 1)
    lines = freed.of("jit bt", 1).splitlines()
    assert re.match(r"#0  (?:free|PyMem_RawFree) \((?:mem=<optimized out>)?\) ", lines[0]), freed.text
