"""Functions that several threads call while they are compiled for stepping, and requests about one function."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "recompiled_threads.py"
NOTE = "compiled for stepping at the next call from Python"


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


@pytest.fixture(scope="module")
def done() -> Transcript:
    stops = [command for _ in range(12) for command in ("continue", "jit locals")]
    empty = f"{PROGRAM}:{line_of(PROGRAM, 'negative') + 1}"
    commands = [
        f"break {at('return')} if k == 2", f"break {at('once')} if k == 7", "jit level", *stops,
        f"break {empty}", "jit level", "delete",
        f"tbreak {at('paired')}", "continue", "jit locals", "jit level wait steps",
        "break limited", f"tbreak {at('inlined')}", "continue", "jit locals", "jit bt 1", "detach",
    ]  # fmt: skip
    with harness.target(PROGRAM, env={"JITSCOPE_LEVEL": ""}, timeout=300) as pid:
        return harness.run(commands, pid=pid)


def test_no_thread_stops_in_the_code_that_was_there(done: Transcript) -> None:
    """The other threads wait while one compiles."""
    shown = [output for command, output in done.sections if command == "jit locals"][:12]
    assert {text.strip() for text in shown} == {"x = 1.5\nk = 2\ntwice = 3.0\nonce = 1.5"}, done.text


def test_one_request_is_enough_for_a_function(done: Transcript) -> None:
    for mark in ("return", "once"):
        command = next(text for text, _ in done.sections if text.startswith(f"break {at(mark)}"))
        assert f"first: {NOTE}" in done.of(command), done.text
    assert done.of("jit level").strip() == f"{at('return')}  steps  at the next call from Python", done.text
    assert done.text.count("jitscope: compiled for stepping: first") == 1, done.text


def test_a_line_without_code_asks_for_nothing_new(done: Transcript) -> None:
    assert NOTE not in done.of(f"break {PROGRAM}:{line_of(PROGRAM, 'negative') + 1}"), done.text
    assert len(done.of("jit level", 1).strip().splitlines()) == 1, done.text


def test_a_structures_type_is_kept(done: Transcript) -> None:
    assert "compiled for stepping: paired (" in done.of("continue", -2), done.text
    assert "made = array([(0, 0.), (0, 0.25)]" in done.of("jit locals", -2), done.text


def test_the_calls_that_run_are_named(done: Transcript) -> None:
    place = at("rest")
    assert re.fullmatch(
        rf"wait: {NOTE} \(thread \d+, called from {place}, thread \d+, called from {place}, thread \d+, called from "
        rf"{place}, and 1 more are in it now, and go on in the code that they have\)",
        done.of("jit level wait steps").strip(),
    ), done.text


def test_what_numba_writes_into_its_callers(done: Transcript) -> None:
    line = line_of(PROGRAM, "inlined") - 2
    said = f'Numba writes limited into its callers (inline="always"): type `break {PROGRAM}:{line}`'
    assert said in done.of("break limited"), done.text
    note = "limited: compiled for stepping in its callers, at their next call from Python"
    assert note in done.of(f"tbreak {at('inlined')}"), done.text
    assert "compiled for stepping: bounded (" in done.of("continue", -1), done.text
    shown = done.of("jit locals", -1).splitlines()
    assert {"x = 1.5", "got = <unassigned>", "low = 2.0"} <= set(shown), done.text
