"""Steps out of a compiled function that Python has called: its line and the returned value are shown, and no
wrapper."""

from __future__ import annotations

import functools
import json
import pathlib
import re

import pytest

from tests.gdb import dap, harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs

pytestmark = pytest.mark.xdist_group("step_out")
PROGRAM = "step_out.py"
REFUSED = "main is interpreted Python, which only `next`, `step` and `finish` step through"


def at(mark: str) -> str:
    return f"tbreak {PROGRAM}:{line_of(PROGRAM, mark)}"


@functools.cache
def stepped(level: str) -> harness.Transcript:
    commands = [at("return"), "run", "next", "jit locals", "until", "jit bt"]
    commands += [at("return"), "continue", "finish", at("return"), "continue", "delete", at("last"), "continue", "step"]
    commands += [at("raise"), "continue", "next", at("half"), "continue", "next 3", "next", "next", at("return")]
    commands += ["continue", "next 5", at("compare"), "continue", "next", "kill"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": level, "NUMBA_DEBUGINFO": "1"})
    assert not done.timed_out, done.text
    return done


def frame(name: str, mark: str, number: int = 0) -> str:
    place = rf"{re.escape(str(harness.PROGRAMS / PROGRAM))}:{line_of(PROGRAM, mark)}"
    return rf"#{number}  {re.escape(name)} \(.*\) at {place} \[py\]\n{line_of(PROGRAM, mark)}\s.*\n"


@pytest.fixture(params=["steps", "stock"])
def level(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_nothing_of_a_wrapper_is_shown(level: str) -> None:
    done = stepped(level)
    for command, text in done.sections:
        assert "wrapper" not in text and "_dispatcher.cpp" not in text, (command, text, done.text)


def test_a_step_ends_in_the_caller(level: str) -> None:
    done = stepped(level)
    assert re.fullmatch(frame("main", "call") + "twice returned 1", done.of("next")), done.text
    assert "i = 0" in done.of("jit locals"), done.text
    assert done.of("until") == REFUSED, done.text
    assert done.of("jit bt").startswith("#0  main ("), done.text
    assert re.fullmatch(frame("middle", "middle") + "twice returned 7", done.of("next 5")), done.text


def test_finish_ends_in_the_caller(level: str) -> None:
    assert re.search(frame("main", "call") + "twice returned 3$", stepped(level).of("finish")), stepped(level).text


def test_what_was_returned_and_raised(level: str) -> None:
    done = stepped(level)
    assert re.fullmatch(frame("main", "outer") + "outer returned 14", done.of("step")), done.text
    assert re.fullmatch(frame("main", "fails") + r"fails raised ValueError\('too big'\)", done.of("next", 1)), done.text


def test_a_ufunc_goes_on_with_the_next_element(level: str) -> None:
    done = stepped(level)
    first, last = (line_of(PROGRAM, "half") - 1, line_of(PROGRAM, "half"))
    assert re.match(rf"({first}|{last})\t", done.of("next 3").splitlines()[-1]), done.text
    ended = frame("main", "ufunc", 3) + r"half returned 0\.5"
    assert any(re.fullmatch(ended, done.of("next", number)) for number in (2, 3)), done.text


def test_finish_leaves_one_call_of_a_recursion() -> None:
    """Each call is left by itself: a function's own calls, and the one that was inlined into its caller."""
    place = f"recursive.py:{line_of('recursive.py', 'test')}"
    commands = [f"tbreak {place} if n == 1", "run", *(["finish", "print n"] * 4), "finish", "jit bt"]
    done = harness.run(commands, program="recursive.py", env={"JITSCOPE_LEVEL": ""})
    left = [(done.of("finish", i).splitlines()[-1], done.of("print n", i).split()[-1]) for i in range(4)]
    assert left == [(f"factorial returned {r}", str(n)) for r, n in ((1, 2), (2, 3), (6, 4), (24, 5))], done.text
    assert f"recursive.py:{line_of('recursive.py', 'outer')}" in done.of("finish", 4), done.text
    assert [line.split()[1] for line in done.of("jit bt").splitlines()] == ["top", "<module>"], done.text


def test_jit_finish_ends_in_the_caller() -> None:
    commands = [at("return"), "run", "jit finish", at("last"), "continue", "jit finish -json", "jit bt"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "steps"})
    assert re.fullmatch(frame("main", "call") + "twice returned 1", done.of("jit finish")), done.text
    found = json.loads(done.of("jit finish -json"))
    assert (found["finished"], found["text"], found["output"]) == (True, "outer returned 14", ""), found
    assert done.of("jit bt").startswith("#0  main ("), done.text


INLINED = "inlined_calls.py"


@functools.cache
def finished() -> harness.Transcript:
    commands = []
    for mark, several in (("one", 3), ("turn", 0), ("raise", 1)):
        commands += ["delete", f"tbreak {INLINED}:{line_of(INLINED, mark)}", "continue" if commands else "run"]
        commands += ["display 2 + 3"] if several else ["step"]
        commands += [*(["finish"] * max(several, 1)), "jit bt"]
    commands += ["delete", f"tbreak {INLINED}:{line_of(INLINED, 'one')}", "run", *["jit finish"] * 3]
    done = harness.run(commands, program=INLINED, env={"JITSCOPE_LEVEL": ""})
    assert not done.timed_out, done.text
    return done


@pytest.mark.parametrize(("at", "name", "mark"), [(2, "last", "last"), (3, "turns", "turn"), (4, "passes", "passes")])
def test_finish_of_an_inlined_function_stops_in_its_caller(at: int, name: str, mark: str) -> None:
    """The stop is in the caller also if the call is the last thing that the caller does."""
    done, line = finished(), line_of(INLINED, mark)
    said = done.of("finish", at)
    assert re.search(rf"{name} \(n=3\) at \S+/{INLINED}:{line}\n{line}\t", said), done.text
    ended = r"^(factorial|refuses) has ended; it was inlined, and what it returned or raised is not known$"
    assert re.search(ended, said, re.M), done.text
    assert re.match(rf"#0  {name} \(n=3\) at \S+:{line}\n#1  <module> ", done.of("jit bt", at - 2)), done.text


def test_jit_finish_of_an_inlined_function_stops_there_too() -> None:
    line = line_of(INLINED, "last")
    # The display is that of the run before.
    shown = rf"0x\w+ in last \(n=3\) at \S+:{line}\n{line}\t.*\n\d: 2 \+ 3 = 5\nfactorial has ended; .*"
    assert re.fullmatch(shown, finished().of("jit finish", 2)), finished().text


CAUGHT = """from numba import njit


@njit
def refuses(n):
    if n > 2:
        raise ValueError("too big")
    return n


@njit
def catches(n):
    try:
        total = refuses(n)
        total += 5
    except Exception:
        total = -1
    return total + 2


@njit
def counts(n):
    return n if n < 1 else counts(n - 1) + 1


print(catches(2), catches(5), counts(3))
"""


def test_all_stops_after_finish_are_written_alike(tmp_path: pathlib.Path) -> None:
    """GDB writes the stop if a line of the caller begins, jitscope if none does; neither gives the frame a number."""
    program = tmp_path / "caught.py"
    program.write_text(CAUGHT)
    commands = ["break caught.py:6", "run", "jit finish", "delete", "break caught.py:7", "continue", "jit finish"]
    commands += ["delete", "break counts if n == 1", "continue", "jit finish"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "steps"})
    place = r"(?:0x\w+ in )?{}\.py:{}\n{}\t.*\n{}"
    for number, (line, frame, text) in enumerate(
        [
            (14, r"catches \(n=2\)", "refuses has ended; .*"),
            (16, r"catches \(n=5\)", "refuses has ended; .*"),
            (23, r"counts \(n=2\)", "counts (?:returned 1|has ended; .*)"),
        ]
    ):
        said = done.of("jit finish", number)
        assert re.fullmatch(place.format(rf"{frame} at \S+/caught", line, line, text), said), done.text


def test_no_line_is_shown_ahead_of_its_turn() -> None:
    """The optimiser has code of the line after the call at a place where that line does not run."""
    commands = [f"tbreak {INLINED}:{line_of(INLINED, 'if')}", "run", "step", "finish", "print total"]
    done = harness.run(commands, program=INLINED, env={"JITSCOPE_LEVEL": "steps"})
    lines = {line_of(INLINED, mark) for mark in ("if", "loop")}
    assert int(re.search(r"^(\d+)\t", done.of("finish"), re.M)[1]) in lines, done.text  # type: ignore[index]
    assert done.of("print total") == "$1 = 0.0", done.text


def test_a_display_is_shown_there() -> None:
    assert re.search(r"^1: 2 \+ 3 = 5$", finished().of("finish", 2), re.M), finished().text


def test_a_front_end_is_told_the_caller() -> None:
    with harness.machine_interface(INLINED, env={"JITSCOPE_LEVEL": "steps"}) as session:
        session.send(f"-break-insert -t -f {INLINED}:{line_of(INLINED, 'one')}")
        session.until_stop("-exec-run")
        stops = [session.until_stop("-exec-finish") for _ in range(3)]
    assert [stop["frame"]["func"] for stop in stops] == ["factorial", "factorial", "last"], stops
    assert stops[2]["frame"]["line"] == str(line_of(INLINED, "last")), stops
    assert "factorial has ended; it was inlined" in session.console, session.console


LOCALS = {"i": "0", "r": "<unassigned>", "error": "<unassigned>", "array": "<unassigned>"}


def test_a_front_end_is_told_the_python_line() -> None:
    """GDB/MI has the frame that the thread is in: the wrapper's frame is shown as the Python function meanwhile."""
    with harness.machine_interface(PROGRAM, env={"JITSCOPE_LEVEL": "steps"}) as session:
        session.send("-enable-pretty-printing")
        session.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'return')}")
        session.until_stop("-exec-run")
        stepped = session.until_stop("-exec-next")["frame"]
        shown = session.send("-stack-list-variables --all-values")["payload"]["variables"]
        number = session.send("-data-evaluate-expression i+1")["payload"]
        refused = session.send("-exec-next")["payload"]
        session.send('-interpreter-exec console "info locals"')
        session.until_stop("-exec-continue")
        inside = session.send("-stack-list-frames 0 1")["payload"]["stack"]
        finished = session.until_stop("-exec-finish")["frame"]
        session.until_stop("-exec-continue")
        outside = session.send("-stack-list-frames 2 2")["payload"]["stack"]
    for frame_of in (stepped, finished):
        assert (frame_of["func"], frame_of["line"]) == ("main [py]", str(line_of(PROGRAM, "call"))), frame_of
        assert frame_of["fullname"].endswith(f"/{PROGRAM}"), frame_of
    assert {each["name"]: each["value"] for each in shown} == LOCALS
    assert number == {"value": "1"}
    assert refused["msg"] == (
        "main is interpreted Python, and cannot be stepped here: a front end that speaks MI would be told of two stops"
    )
    assert session.console.count("array = <unassigned>") == 1, session.console
    called = [each["func"] for each in (*inside, *outside)]
    assert called == ["twice", "twice[cpython-wrapper]", "outer[cpython-wrapper]"], called
    assert "location number not found" not in session.said, session.said


@pytest.mark.parametrize("gdb", [pytest.param(path, id=major) for major, path in gdbs().items()])
def test_a_client_of_dap_is_told_the_python_line(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no DAP")
    env = {"JITSCOPE_LEVEL": "steps"}
    with dap.DapClient(gdb, True, env) as client:
        client.start(PROGRAM, env, line_of(PROGRAM, "return"))
        assert client.stop() is not None
        stepped = client.go_on("next")
        assert stepped is not None
        assert (stepped["name"], stepped["line"]) == ("main", line_of(PROGRAM, "call")), stepped
        scopes = client.request("scopes", {"frameId": stepped["id"]})["scopes"]
        reference = next(each for each in scopes if each["name"] == "Locals")["variablesReference"]
        found = client.request("variables", {"variablesReference": reference})["variables"]
        assert {each["name"]: each["value"] for each in found} == LOCALS
