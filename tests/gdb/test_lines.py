"""Notes on a breakpoint at a line: none if it stops once each time the line runs, and otherwise one line."""

from __future__ import annotations

import functools
import json
import pathlib
import re

import jsonschema
import pytest

from tests.gdb import dap, harness
from tests.gdb.dap import DapClient
from tests.gdb.harness import line_of
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import first_gdb, gdbs, newest_python, numba_pythons, with_hook
from tests.minutes import MINUTES

PROGRAM = "lines.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
OPTS = pytest.mark.parametrize("opt", [pytest.param("1", marks=MINUTES), "3"])
PYTHONS = pytest.mark.parametrize("python", numba_pythons().values(), ids=list(numba_pythons()))
STEPS = "run the program with JITSCOPE_STEPS=__main__.{0}, or write @jitscope.steps above its @njit"
UNKEPT = ", and level exact keeps no variables there"
STOCK = "NUMBA_OPT=0, or with jitscope installed and JITSCOPE_LEVEL=steps"


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


def notes(text: str) -> list[str]:
    return re.findall(r"^jitscope: (.*)$", text, re.M)


MARKS = (
    *("comment", "vectorised-loop", "vectorised", "first", "unrolled", "after"),
    *("gone", "odd", "even", "each", "read-behind"),
)
TOGETHER = pytest.mark.xdist_group("lines")


@functools.cache
def noted(env: frozenset[tuple[str, str]], gdb: str | None, python: str | None) -> dict[str, str]:
    """Return the notes of breakpoints at all marks: set before the program runs, and never hit."""
    commands = [f"break {at(mark)} if 0" for mark in MARKS]
    done = harness.run([*commands, "run"], program=PROGRAM, env=dict(env), gdb=gdb, python=python)
    assert "exited normally" in done.of("run"), done.text
    found = dict(re.findall(r"^jitscope: breakpoint (\d+): (.*)$", done.of("run"), re.M))
    assert len(notes(done.text)) == len(found), done.text  # once each
    return {mark: found.get(str(number), "") for number, mark in enumerate(MARKS, 1)}


def said(env: dict[str, str], *marks: str, gdb: str | None = None, python: str | None = None) -> list[str]:
    """Return the notes of these marks; one GDB runs for all tests of an environment."""
    found = noted(frozenset(env.items()), gdb or first_gdb(), python or newest_python())
    return [found[mark] for mark in marks]


@TOGETHER
@GDBS
def test_at_exact(gdb: str) -> None:
    marks = ("vectorised", "vectorised-loop", "unrolled", "gone", "comment", "read-behind")
    vectorised, loop, unrolled, gone, comment, behind = said({"JITSCOPE_LEVEL": "exact"}, *marks, gdb=gdb)
    assert not behind  # it is no line of the loop, though the variables that the loop has assigned are restored there
    assert re.fullmatch(
        rf"line {line_of(PROGRAM, 'vectorised')} is vectorised in scale: a stop there may be several iterations "
        rf"\(up to \d+\){UNKEPT}; {re.escape(STEPS.format('scale'))}",
        vectorised,
    )
    assert f"line {line_of(PROGRAM, 'vectorised-loop')} is vectorised in scale" in loop
    assert re.fullmatch(
        rf"line {line_of(PROGRAM, 'unrolled')} is unrolled \d+ times in total: it need not stop once an iteration"
        rf"{UNKEPT}; {re.escape(STEPS.format('total'))}",
        unrolled,
    )
    stops = f"it stops at line {line_of(PROGRAM, 'behind')} (closed)"
    assert gone == f"no code is left of line {line_of(PROGRAM, 'gone')} in closed: {stops}; {STEPS.format('closed')}"
    there = line_of(PROGRAM, "vectorised-loop")
    assert comment == f"{at('comment')} is no statement of a compiled function: it stops at line {there} (scale)"


@TOGETHER
@PYTHONS
@OPTS
def test_every_llvm_says_what_it_unrolls(python: str, opt: str) -> None:
    env = {
        "JITSCOPE_LEVEL": "exact",
        **({} if opt == "3" else {"NUMBA_OPT": opt}),
        **({} if python == newest_python() else with_hook()),
    }
    vectorised, unrolled, gone = said(env, "vectorised", "unrolled", "gone", python=python)
    assert "is vectorised in scale" in vectorised and "is unrolled" in unrolled and "no code is left" in gone


@TOGETHER
@PYTHONS
@OPTS
def test_stock(python: str, opt: str) -> None:
    env = {"JITSCOPE": "0", "NUMBA_OPT": opt}
    vectorised, unrolled, gone = said(env, "vectorised", "unrolled", "gone", python=python)
    assert f"line {line_of(PROGRAM, 'vectorised')} is vectorised in scale" in vectorised and STOCK in vectorised
    assert (
        f"line {line_of(PROGRAM, 'unrolled')} is in a loop of total that takes several elements at a time" in unrolled
    )
    assert STOCK in unrolled
    assert f"no code is left of line {line_of(PROGRAM, 'gone')} in closed" in gone and STOCK in gone


@TOGETHER
@pytest.mark.parametrize(
    "env", [{"JITSCOPE_LEVEL": "steps"}, pytest.param({"JITSCOPE": "0", "NUMBA_OPT": "0"}, marks=MINUTES)]
)
def test_nothing_is_said_where_each_line_stops(env: dict[str, str]) -> None:
    marks = ("vectorised", "vectorised-loop", "unrolled", "first", "gone", "odd", "even", "each")
    assert said(env, *marks) == [""] * len(marks)


@TOGETHER
@pytest.mark.parametrize(("level", "marks"), [("exact", ("first", "after")), ("stock", ("each",))])
def test_nothing_is_said_of_a_loop_that_is_as_it_was_written(level: str, marks: tuple[str, ...]) -> None:
    assert said({"JITSCOPE_LEVEL": level}, *marks) == [""] * len(marks)


@TOGETHER
def test_a_loop_that_keeps_nothing() -> None:
    (each,) = said({"JITSCOPE_LEVEL": "exact"}, "each")
    line = line_of(PROGRAM, "each")
    assert each == f"line {line} is in an innermost loop of collatz{UNKEPT}; {STEPS.format('collatz')}"


@pytest.mark.parametrize("level", ["exact", "steps"])
def test_callees_of_which_nothing_is_left(level: str) -> None:
    """`break` reports such functions, whose result the compiler has computed, and no others."""
    program = "computed_callees.py"
    line = line_of(program, "fixed")
    names = ("fixed", f"{program}:{line}", "__main__.middle", "moving", "deep", "caller")
    commands = [f"{'jit break' if '__main__' in name else 'break'} {name} if 0" for name in names]
    done = harness.run([*commands, "run"], program=program, env={"JITSCOPE_LEVEL": level})
    assert "exited normally" in done.of("run"), done.text
    found = dict(re.findall(r"^jitscope: breakpoint (\d+): (.*)$", done.of("run"), re.M))
    gone = "no code is left of {0} where it is inlined in {1}; run the program with JITSCOPE_STEPS={0}, or write "
    gone += "@jitscope.steps above its @njit"
    if level == "steps":
        assert "no code is left" not in done.text
        return
    assert " is unrolled " in found.pop("4")
    assert found == {
        "1": gone.format("fixed", "middle"),
        "2": gone.format("fixed", "middle"),
        "3": gone.format("middle", "caller"),
    }, done.text


@GDBS
def test_of_a_function_in_an_unrolled_loop(gdb: str) -> None:
    """GDB sets the breakpoint in one copy; if the function has code of its own, or has been inlined once, nothing is
    reported."""
    commands = ["break mixed if 0", "break rolling if 0", "break total if 0", f"break {at('in-line')} if 0", "run"]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "exact"}, gdb=gdb)
    assert "exited normally" in done.of("run"), done.text
    found = dict(re.findall(r"^jitscope: breakpoint (\d+): (.*)$", done.of("run"), re.M))
    assert found.keys() == {"1", "4"} and done.text.count("breakpoint 1: ") == 1, done.text
    assert re.match(rf"line {line_of(PROGRAM, 'in-line')} is unrolled \d+ times in mixed: ", found["1"])
    assert found["1"] == f"{found['4']}; `break {at('in-line')}` stops in each piece of the line"


@GDBS
def test_as_a_user_sets_them(gdb: str) -> None:
    """The notes come at a stop, for `break`, `tbreak` and with a condition; they are not repeated when code comes or
    the breakpoints are hit, and `set jitscope notes off` suppresses them."""
    done = harness.run(
        [
            f"tbreak {at('first')}", "run",
            f"break {at('unrolled')}", f"tbreak {at('def')}", f"break {at('late')}", f"break {at('gone')} if n == 0",
            "continue", "ignore 2 1000000", "continue",
            f"break {at('vectorised')} if s > 99", f"jit break {at('vectorised')}",
            "set jitscope notes off", f"break {at('unrolled')}",
        ],
        program=PROGRAM, env={"JITSCOPE_LEVEL": "exact"}, gdb=gdb,
    )  # fmt: skip
    assert "breakpoint 2: line" in done.of(f"break {at('unrolled')}") and "Breakpoint 2 at" in done.text
    first = line_of(PROGRAM, "first")
    assert notes(done.of(f"tbreak {at('def')}")) == [
        f"breakpoint 3: {at('def')} is no statement of a compiled function: it stops at line {first} (total)"
    ]
    assert done.of(f"break {at('unrolled')}", 1) and not notes(done.of(f"break {at('unrolled')}", 1))
    for command, number in ((f"break {at('vectorised')} if s > 99", 6), (f"jit break {at('vectorised')}", 7)):
        (said,) = notes(done.of(command))
        assert said.startswith(f"breakpoint {number}: line ") and "is vectorised" in said, done.text
    late = notes(done.of(f"break {at('late')}"))
    assert late == [] or late[0].startswith("breakpoint 4: late is not compiled yet: it stops there")
    assert len([note for note in notes(done.text) if note.startswith("breakpoint 5: no code is left")]) == 1
    assert len([note for note in notes(done.text) if note.startswith("breakpoint 2:")]) == 1, done.text


def test_in_the_machine_interface() -> None:
    with harness.machine_interface(PROGRAM, env={"JITSCOPE_LEVEL": "exact"}) as session:
        session.send(f"-break-insert -f -t {at('first')}")
        session.until_stop("-exec-run")
        session.send(f"-break-insert {at('unrolled')}")
        session.send("-break-disable 2")
        session.send(f"-break-insert -f {at('gone')}")
        session.send(f"-break-insert -t -f {at('behind')}")
        session.until_stop("-exec-continue")
        text = session.console
    assert f"breakpoint 2: line {line_of(PROGRAM, 'unrolled')} is unrolled" in text
    assert f"breakpoint 3: no code is left of line {line_of(PROGRAM, 'gone')} in closed" in text


@GDBS
def test_why_a_line(gdb: str) -> None:
    lines = {mark: line_of(PROGRAM, mark) for mark in ("unrolled", "first", "gone", "comment", "vectorised")}
    done = harness.run(
        [f"tbreak {at('behind')}", "run", f"jit why {lines['gone']}", f"jit why {at('unrolled')}",
         f"jit why {at('first')}", f"jit why -json {at('vectorised')}", f"jit why {at('comment')}", "jit why x.py:1",
         "jit why 0", "jit why 99999999999999999999"],
        program=PROGRAM, env={"JITSCOPE_LEVEL": "exact"}, gdb=gdb,
    )  # fmt: skip
    assert done.of(f"jit why {lines['gone']}").startswith(f"no code is left of line {lines['gone']} in closed")
    assert f"line {lines['unrolled']} is unrolled" in done.of(f"jit why {at('unrolled')}")
    assert done.of(f"jit why {at('first')}") == f"line {lines['first']} stops each time it runs in total"
    found = json.loads(done.of(f"jit why -json {at('vectorised')}"))
    jsonschema.validate(found, json.loads((SCHEMAS / "why.json").read_text()))
    assert found["line"] == lines["vectorised"] and found["functions"][0]["state"] == "vectorised"
    assert done.of(f"jit why {at('comment')}") == f"{at('comment')} is no statement of a compiled function"
    for line in ("0", "99999999999999999999"):
        assert done.of(f"jit why {line}") == f"{PROGRAM}:{line} is no statement of a compiled function"
    assert done.of("jit why x.py:1") == "x.py:1 is no statement of a compiled function"


@GDBS
def test_in_the_debug_adapter_protocol(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    env = {"JITSCOPE_LEVEL": "exact"}
    with DapClient(gdb, True, env) as client:
        client.launch(PROGRAM, line_of(PROGRAM, "unrolled"), env)
        told = ""
        while f"line {line_of(PROGRAM, 'unrolled')} is unrolled" not in told:
            told += client.event("output")["output"]


@GDBS
def test_a_client_has_the_note_as_the_breakpoints_message(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    env = {"JITSCOPE_LEVEL": "exact"}
    with DapClient(gdb, True, env) as client:
        lines = [line_of(PROGRAM, "unrolled"), line_of(PROGRAM, "def") - 2]
        assert (harness.PROGRAMS / PROGRAM).read_text().splitlines()[lines[1] - 1] == ""
        client.launch(PROGRAM, lines, env)
        said = {}
        while len(said) < len(lines):
            event = client.event("breakpoint")["breakpoint"]
            if "message" in event:
                said[event["id"]] = event
        unrolled, between = (said[number] for number in sorted(said))
        assert "is unrolled" in unrolled["message"] and unrolled["verified"] and unrolled["line"] == lines[0]
        assert between["message"] == f"{PROGRAM}:{lines[1]} is no statement of a function: nothing stops there"
        assert not between["verified"] and "line" not in between


@GDBS
@pytest.mark.parametrize("level", ["stock", "steps"])
def test_a_function_that_is_compiled_later(gdb: str, level: str) -> None:
    """GDB has no line for the function, and takes the next function's until it comes: nothing stops there."""
    program = "compiled_later.py"
    places = [f"{program}:{line_of(program, mark)}" for mark in ("a-run", "b-run")]
    env = {"JITSCOPE": "0", "NUMBA_OPT": "0"} if level == "stock" else {"JITSCOPE_LEVEL": level}
    done = harness.run(
        [*(f"break {place}" for place in places), "run", *["continue"] * 3], program=program, env=env, gdb=gdb
    )
    said = "breakpoint 1: run is not compiled yet"
    assert said in done.of("run") or gdb != "/usr/bin/gdb", done.text  # GDB 16 itself knows where functions end
    assert re.findall(r"^\d+\t.*# at: (.*)$", done.text, re.M) == ["b-run", "a-run", "a-run"], done.text
    assert "exited normally" in done.of("continue", 2), done.text


@GDBS
def test_a_client_never_sees_the_line_of_another_function(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    program, env = "compiled_later.py", {"JITSCOPE_LEVEL": "steps"}
    lines = [line_of(program, mark) for mark in ("a-run", "b-run")]
    with DapClient(gdb, True, env) as client:
        thread = client.launch(program, lines, env)
        stops = 1
        while client.go_on():
            stops += 1
        told = [each["body"]["breakpoint"] for each in client.waiting if each.get("event") == "breakpoint"]
    assert thread and stops == 3 and told
    for number, line in enumerate(lines, 1):
        assert {each.get("line", line) for each in told if each["id"] == number} == {line}, told


LATER = "left_lines.py"


@pytest.fixture(scope="module")
def later(request: pytest.FixtureRequest) -> harness.Transcript:
    """Run a session in which the lines of the breakpoints have no code before the program runs."""
    breaks = [f"break {LATER}:{line_of(LATER, mark)}" for mark in ("inlined", "lifted", "later")]
    return harness.run(
        [
            *breaks,
            "disable 1",
            "run",
            "delete",
            "break calling",
            "continue",
            "step",
            "info skip",
            "break climbing",
            "continue",
            "info breakpoints",
            "continue",
        ],
        program=LATER,
        env={"JITSCOPE_LEVEL": request.param},
    )


def later_at(*levels: str) -> pytest.MarkDecorator:
    cases = [pytest.param(level, marks=pytest.mark.xdist_group(f"left-lines-{level}")) for level in levels]
    return pytest.mark.parametrize("later", cases, indirect=True)


AT_BOTH = later_at("exact", "steps")


def notes_of(later: harness.Transcript, number: int) -> list[str]:
    return [note for note in notes(later.text) if note.startswith(f"breakpoint {number}:")]


def is_at_steps(request: pytest.FixtureRequest) -> bool:
    return bool(request.node.callspec.params["later"] == "steps")


@AT_BOTH
def test_a_caller_that_has_inlined_the_function_has_nothing_of_the_line(
    later: harness.Transcript, request: pytest.FixtureRequest
) -> None:
    gone = f"breakpoint 1: no code is left of line {line_of(LATER, 'inlined')} in scaled where it is inlined in caller"
    advice = "run the program with JITSCOPE_STEPS=scaled, or write @jitscope.steps above its @njit"
    assert notes_of(later, 1) == ([] if is_at_steps(request) else [f"{gone}; {advice}"]), later.text


@AT_BOTH
def test_a_loop_of_object_mode_has_code_when_it_runs(later: harness.Transcript) -> None:
    late = "in object mode a loop is compiled when it first runs; until then it stops at line"
    lifted, behind = line_of(LATER, "lifted"), line_of(LATER, "behind")
    assert f"breakpoint 2: line {lifted} of lift has no code yet: {late} {behind} (lift)" in notes(later.text)


@AT_BOTH
def test_at_steps_a_loop_of_object_mode_stops_at_its_line(
    later: harness.Transcript, request: pytest.FixtureRequest
) -> None:
    stop = line_of(LATER, "lifted" if is_at_steps(request) else "behind")
    assert re.search(rf"^{stop}\t", later.of("run"), re.M), later.text


@AT_BOTH
def test_nothing_is_said_of_a_line_whose_code_comes(later: harness.Transcript) -> None:
    assert notes_of(later, 3) == [], later.text


@AT_BOTH
def test_a_step_from_a_line_that_calls_c_stays_in_python(later: harness.Transcript) -> None:
    """Numba's library has lines for the code that calls C's sin."""
    assert re.search(rf"^{line_of(LATER, 'calls') + 1}\t", later.of("step"), re.M), later.text


@AT_BOTH
def test_a_generator_begins_where_it_is_entered_first(later: harness.Transcript) -> None:
    """A generator's first place is where it is entered first, and not where it resumes."""
    assert re.search(rf"^{line_of(LATER, 'begins')}\t", later.of("continue", 1), re.M), later.text


@AT_BOTH
def test_the_program_ends_as_it_would_without(later: harness.Transcript) -> None:
    assert "exited normally" in later.of("continue", 2), later.text


@AT_BOTH
def test_the_users_list_of_skipped_functions_stays_as_it_was(later: harness.Transcript) -> None:
    assert later.of("info skip") == "Not skipping any files or functions.", later.text


@pytest.mark.parametrize("condition", ["", " if by > 2"])
def test_a_line_that_is_never_reached(condition: str) -> None:
    """Numba leaves out a branch that it knows not to be taken: the breakpoint does not stop after the branch
    instead."""
    program = "never_reached.py"
    constant, given = line_of(program, "constant"), line_of(program, "given")
    commands = [f"break {program}:{constant}", f"break {program}:{given}{condition}", "run", "print by", "continue"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""})
    said = "breakpoint {}: line {} of scaled is never reached as it is called so far: it does not stop there until it "
    said += "is"
    assert [note for note in notes(done.text) if "never reached" in note] == [
        said.format(1, constant),
        said.format(2, given),
    ]
    assert "hit Breakpoint 2, scaled (n=4, by=2.5)" in done.of("run"), done.text
    assert done.text.count("hit Breakpoint") == (2 if not condition else 1), done.text
    assert "fails at" not in done.text, done.text


def test_nothing_is_said_of_code_that_is_taken_back_at_the_end(tmp_path: pathlib.Path) -> None:
    """The interpreter frees the function before the kernel that follows the line."""
    program = tmp_path / "counted.py"
    program.write_text(
        "from numba import njit, prange\n\n\n@njit(parallel=True, debug=True)\ndef count(n):\n    hits = 0\n"
        "    for i in prange(n):\n        if i % 3 == 0:\n            hits += 1\n    return hits\n\n\nprint(count(6))\n"
    )
    for _ in range(2):  # in some runs the kernel is freed first
        shown = harness.run(["break counted.py:6", "run", "continue"], program=program, env={"JITSCOPE_LEVEL": "steps"})
        assert "hit Breakpoint 1, count (n=6)" in shown.of("run"), shown.text
        assert "jitscope:" not in shown.of("continue") and "exited normally" in shown.of("continue"), shown.text


def test_a_raise_behind_a_loop_is_not_said_to_be_in_it(tmp_path: pathlib.Path) -> None:
    """LLVM puts its code where the loop is left: the note says where the code is, and not that the line is there."""
    program = tmp_path / "behind.py"
    program.write_text(
        "import math\n\nfrom numba import njit\n\n\n@njit(debug=True)\ndef solve(m, tol):\n    e = m\n    steps = 0\n"
        "    while steps < 50:\n        d = (e - 1.2 * math.sin(e) - m) / (1 - 1.2 * math.cos(e))\n        e -= d\n"
        "        steps += 1\n        if abs(d) < tol:\n            break\n    if steps == 50:\n"
        "        raise ValueError('no convergence')\n    return e\n\n\n"
        "@njit(debug=True)\ndef sweep(n):\n    s = 0.0\n    for i in range(n):\n"
        "        s += solve(i * 0.1 if i < 3 else math.nan, 1e-10)\n    return s\n\n\n"
        "try:\n    sweep(5)\nexcept ValueError:\n    pass\n"
    )
    shown = harness.run(["break behind.py:17", "run"], program=program, env={"JITSCOPE_LEVEL": "exact"})
    said = "the code of line 17 lies in an innermost loop of solve" + UNKEPT
    assert [note for note in notes(shown.text) if note.startswith(f"breakpoint 1: {said}")], shown.text
    assert "line 17 is in an innermost loop" not in shown.text, shown.text


INLINED = """
import numpy as np
from numba import njit

@njit(debug=True)
def biggest(a):
    best = a[0]
    for x in a:
        if x > best:
            best = x
    return best

@njit(debug=True)
def outer(a, n):
    tot = 0.0
    for i in range(n):
        tot += biggest(a) * i
    return tot

outer(np.arange(6.0), 4)
"""


def test_a_line_that_moves_in_one_function_is_said_not_to_stop_where_that_is_inlined(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "inlined.py"
    program.write_text(INLINED)
    done = harness.run(["break inlined.py:10", "run"], program=program, env={"JITSCOPE_LEVEL": "exact"})
    assert "no code is left of line 10 in biggest: it stops at line 11 (biggest); run" in done.of("run"), done.text
    inlined = "no code is left of line 10 in biggest where it is inlined in outer: it does not stop there; run"
    assert inlined in done.of("run") and "exited normally" in done.of("run"), done.text


FAST_MEAN = """
import numpy
from numba import njit

@njit(fastmath=True, debug=True)
def mean_of(x):
    total = 0.0
    count = 0
    for v in x:
        if v == v:
            total += v
            count += 1
    mean = total / count
    return mean

mean_of(numpy.ones(4))
"""


def test_a_statement_that_raises_elsewhere(tmp_path: pathlib.Path) -> None:
    """The statement does more than store its exception: it begins where it computes, too."""
    program = tmp_path / "fast_mean.py"
    program.write_text(FAST_MEAN)
    shown = harness.run(["break fast_mean.py:13", "run"], program=program, env={"JITSCOPE": "0", "NUMBA_OPT": "3"})
    assert re.search(r"hit Breakpoint 1.*fast_mean\.py:13", shown.text), shown.text
