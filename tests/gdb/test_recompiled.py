"""Functions of a running program that a debugger has compiled for stepping: no debug=True, and no restart."""

from __future__ import annotations

import pathlib
import re
import time
from collections.abc import Iterator

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "recompiled.py"
NOTE = "compiled for stepping when results() next calls it from Python"


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


def is_ready(report: pathlib.Path) -> dict[str, str]:
    return {"JITSCOPE_LEVEL": "", "JITSCOPE_TEST_REPORT": str(report), "NUMBA_NUM_THREADS": "2"}


def lines_of(report: pathlib.Path) -> list[str]:
    return report.read_text().splitlines() if report.exists() else []


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("recompiled") / "report"


@pytest.fixture(scope="module")
def pid(report: pathlib.Path) -> Iterator[int]:
    with harness.target(PROGRAM, env=is_ready(report), timeout=300) as number:
        yield number


def stops(*marks: str) -> list[str]:
    """Return commands that stop once at each of these lines, in the order of the program's rounds."""
    places = [f"tbreak {at(mark)}" for mark in marks]
    return [*places, *(command for _ in marks for command in ("continue", "jit locals", "jit bt"))]


@pytest.fixture(scope="module")
def first(pid: int, report: pathlib.Path) -> Transcript:
    """A session that has some functions compiled for stepping, and detaches."""
    commands = [
        f"break {at('sum')} if j == 13", "continue", "jit locals", "jit bt", "delete",
        f"break {at('thirteen')}", "continue", "jit locals", "delete",
        "jit level", "jit level scan", "jit functions ^scan$", "detach",
    ]  # fmt: skip
    done = harness.run(commands, pid=pid)
    deadline = time.monotonic() + 60
    while lines_of(report)[-1:] != ["first"] and time.monotonic() < deadline:
        time.sleep(0.05)
    return done


@pytest.fixture(scope="module")
def kinds(pid: int, first: Transcript) -> Transcript:
    """A session about each kind of function, in the order in which the program calls them. At the first stop none of
    the others runs, so that no stop is in code that runs on as it is."""
    return harness.run([*stops("scale"), *stops("signed", "several", "omitted", "body", "itself"), "detach"], pid=pid)


@pytest.fixture(scope="module")
def refused(pid: int, kinds: Transcript) -> Transcript:
    names = ("rebound", "looked_up", "fast")
    asks = [f"jit level {name} steps" for name in names]
    commands = [
        f"tbreak {at('scale')}", "continue", *asks, f"tbreak {at('counted')}", "continue",
        f"tbreak {at('ufunc')}", "continue", *(f"tbreak {at('scale')}", "continue") * 2,
        "jit level", "jit level nothing_such steps", "jit level scan quickly", "detach",
    ]  # fmt: skip
    return harness.run(commands, pid=pid)


@pytest.fixture(scope="module")
def levels(pid: int, refused: Transcript) -> Transcript:
    commands = [
        "tbreak fast", "delete", "jit level scan steps", f"tbreak {at('scale')}", "continue",
        "jit level scan lines", f"tbreak {at('scale')}",
        "continue", "jit level", "jit level -fastmath fast steps", f"tbreak {at('fast')}", "continue", "jit locals",
        "set jitscope recompile off", f"break {at('omitted')} if y == 4", "detach",
    ]  # fmt: skip
    return harness.run(commands, pid=pid)


@pytest.fixture(scope="module")
def running(pid: int, levels: Transcript) -> Transcript:
    """A session about a function that another thread calls again and again, and is in when GDB comes."""
    commands = [
        f"break {at('busy')} if s == -1",
        "condition 1 i == 77",
        "continue",
        "jit locals",
        "info breakpoints",
    ]
    return harness.run([*commands, "detach"], pid=pid)


def test_a_condition_on_any_variable(first: Transcript) -> None:
    """The interpreter's values at this point are written out here: the numbers are sums of doubled elements."""
    assert f"breakpoint 1: scan: {NOTE}" in first.of(f"break {at('sum')} if j == 13"), first.text
    assert "jitscope: compiled for stepping: scan (" in first.of("continue"), first.text
    shown = first.of("jit locals").splitlines()
    total, j = 0.0, 0
    for j in range(13):
        total += j % 11 * 2.0
    assert shown[1:] == ["n = 20", f"total = {total}", "j = 13", "v = 104.0"], first.text


def test_the_frame_is_the_functions(first: Transcript) -> None:
    assert first.of("jit bt").startswith("#0  scan (a=array(float64, shape=(11,)), n=20) at "), first.text


def test_a_line_that_the_compiler_had_inlined_and_removed(first: Transcript) -> None:
    """The callee and its caller are compiled anew; Python calls the caller."""
    note = "compiled for stepping when results() next calls scan from Python"
    assert f"breakpoint 2: double: {note}" in first.of(f"break {at('thirteen')}"), first.text
    assert "jitscope: compiled for stepping: double, scan (" in first.of("continue", 1), first.text
    assert first.of("jit locals", 1).splitlines() == ["x = 2.0", "j = 13", "t = 4.0"], first.text


def test_what_was_asked_for_is_listed(first: Transcript) -> None:
    assert re.fullmatch(
        rf"{re.escape(at('sum'))}  steps  done: scan \(\d+\.\d s\)\n"
        rf"{re.escape(at('thirteen'))}  steps  done: double, scan \(\d+\.\d s\)",
        first.of("jit level"),
    ), first.text
    assert {line.split("  ")[-1] for line in first.of("jit level scan").splitlines()} == {"lines", "steps (debugger)"}


def test_the_first_code_is_called_again_after_detach(first: Transcript, report: pathlib.Path) -> None:
    assert [line for line in lines_of(report) if line in ("first", "other")][:1] == ["other"], lines_of(report)
    assert "first" in lines_of(report), lines_of(report)


def stop_in(session: Transcript, name: str) -> tuple[list[str], str]:
    """Return the variables and the stack at the stop that follows the compilation of this function."""
    reported = f"jitscope: compiled for stepping: {name} ("
    number = next((i for i in range(9) if reported in session.of("continue", i)), None)
    assert number is not None, session.text
    return session.of("jit locals", number).splitlines(), session.of("jit bt", number)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("scaled_by.scaled", ["x = 4", "r = <unassigned>", "scale = 2.5"]),
        ("signed", ["x = 3.0", "s = <unassigned>"]),
        ("several", ["a = 2", "b = 3", "c = <unassigned>"]),
        ("omitted", ["x = 1", "y = 4", "z = <unassigned>"]),
        ("factorial", ["n = 10", "m = <unassigned>"]),
    ],
)
def test_a_kind_of_function(kinds: Transcript, name: str, values: list[str]) -> None:
    """A closure; explicit signatures; an argument that is left out; a function that calls itself."""
    assert stop_in(kinds, name)[0] == values, kinds.text


def test_the_body_of_a_parallel_loop(kinds: Transcript) -> None:
    shown, stack = stop_in(kinds, "rows")
    values = dict(line.split(" = ", 1) for line in shown)
    assert values["w"] == "<unassigned>" and 0 <= int(values["i"]) < 11, kinds.text
    assert stack.startswith("#0  rows.prange ("), kinds.text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("rebound", "rebound would not be the same: `K` has changed since it was compiled"),
        ("looked_up", "looked_up would not be the same: `TABLE` has changed since it was compiled"),
        ("fast", "fast computes with fastmath flags, and its results could differ"),
        ("ufunc", f"{PROGRAM}:LINE is in a ufunc or a callback, which stays as it is"),
    ],
)
def test_what_would_not_be_the_same_is_refused(refused: Transcript, name: str, why: str) -> None:
    line = line_of(PROGRAM, name) if name == "ufunc" else 0
    assert f"jitscope: not compiled for stepping: {why.replace('LINE', str(line))}" in refused.text, refused.text
    assert why.replace("LINE", str(line)) in refused.of("jit level"), refused.text


def test_a_generator_stays_as_it_is(refused: Transcript) -> None:
    assert "counted is a generator function: generators that are there would run on in other code" in refused.text


def test_bad_input_is_one_line(refused: Transcript) -> None:
    assert refused.of("jit level nothing_such steps") == (
        "no compiled function is called nothing_such; `jit functions` lists them"
    )
    assert refused.of("jit level scan quickly").startswith("Usage: jit level"), refused.text


def test_a_level_by_hand(levels: Transcript) -> None:
    assert levels.of("jit level scan steps") == f"scan: {NOTE}"
    assert "jitscope: compiled for stepping: scan (" in levels.of("continue"), levels.text
    assert levels.of("jit level scan lines") == "scan: the first code is called at the next call from Python"
    assert "scan" not in levels.of("jit level"), levels.text


def test_what_to_type_for_fastmath(levels: Transcript) -> None:
    assert (
        "jitscope: fast computes with fastmath flags and is left as Numba makes it, for level steps would change what "
        "it computes; to have steps all the same, type `jit level -fastmath fast steps`"
    ) in levels.of("tbreak fast"), levels.text


def test_fastmath_when_it_is_asked_for(levels: Transcript) -> None:
    assert "jitscope: compiled for stepping: fast (" in levels.of("continue", 2), levels.text
    assert levels.of("jit locals").splitlines()[1:] == ["s = 0.0", "x = 0.0"], levels.text


def test_switched_off(levels: Transcript) -> None:
    assert NOTE not in levels.of(f"break {at('omitted')} if y == 4"), levels.text


def test_the_old_code_runs_on_at_full_speed(running: Transcript) -> None:
    """An evaluation of the condition in each iteration would take hours. The new code has a place that stops."""
    assert running.of("jit locals").splitlines() == [
        "n = 10000000",
        f"s = {sum(i % 7 for i in range(77))}",
        "i = 77",
    ], running.text
    enabled = re.findall(r"^1\.\d+ +([yn]) ", running.of("info breakpoints"), re.M)
    assert {"y", "n"} == set(enabled), running.text


def test_the_results_stay_those_of_the_interpreter(running: Transcript, report: pathlib.Path) -> None:
    assert set(lines_of(report)) <= {"first", "other"}, lines_of(report)
