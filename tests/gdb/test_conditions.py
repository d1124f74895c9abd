"""Conditions of breakpoints in compiled Python mean what Python means, however they are given."""

from __future__ import annotations

import functools
import re
import runpy
import sys
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs

PROGRAM = "conditional.py"
LINE, NEXT = line_of(PROGRAM, "line"), line_of(PROGRAM, "next")
DEFAULT = {"JITSCOPE_LEVEL": ""}

# Conditions as people type them, including some that C reads differently.
TYPED = (
    "i & 1 == 0", "10 < i < 12", "i > 5 and k > 1", "not (i < 9)", "i // 3 == 4", "i in (4, 9)", "i in {4, 9}",
    "k == n ** 2 + n", "a.size / 2 != i", "abs(k) == 2", "round(f) == 0", "i > 5 && (k < 1 || s == 9)",
    "i in range(3, 30, 5)", "i not in range(39)", "a[i % 7] > 5", "text[i % 3] == 'c'",
    "text == \"abc\" and i == 8", "len(a) == i + 1",
    "a[1:4].sum() == i", "i == OFFSET", "-k // 2 == -2", "i % -7 == -1", "(i, k) == (8, 1)", "f < 0.01 or i == 2",
    "i == 3", "k != i", "min(k, i) == 4", "i ^ 1 == 0", "~i == -5", "None is None and i == 3", "i if k else i == 21",
)  # fmt: skip


@functools.cache
def moments(line: int) -> list[dict[str, Any]]:
    """Return the names and their values each time that the interpreter reaches the line."""
    found: list[dict[str, Any]] = []
    path = str(harness.PROGRAMS / PROGRAM)

    def trace(frame: Any, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename == path and frame.f_code.co_name == "looped":
            if event == "line" and frame.f_lineno == line:
                found.append({**frame.f_globals, **frame.f_locals})
            return trace
        return trace if event == "call" else None

    import numba

    njit, numba.njit = numba.njit, lambda **_: lambda function: function
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        runpy.run_path(path)
    finally:
        sys.settrace(before)
        numba.njit = njit
    return found


def expected(condition: str, line: int) -> int:
    """Return how often Python finds the condition true; a condition that raises does not count."""
    text = condition.replace("&&", " and ").replace("||", " or ")
    count = 0
    for names in moments(line):
        try:
            count += bool(eval(text, names))
        except NameError:
            pass
    return count


# Forms of Python that conditions do not have, and their names in the error.
NOT_SUPPORTED = {
    "text == f'{i}'": "f-strings are",
    "i in [x for x in a]": "comprehensions are",
    "any(x > i for x in a)": "generator expressions are",
    "max(a, key=lambda x: x) > i": "lambda is",
    "(last := i) > 3": "':=' is",
    "await i": "await is",
    "max(*a) > i": "unpacking with * is",
    "i in {1: 2}": "a dictionary is",
    "i = 3": "assignment (=) is",
}


def hits(table: str) -> dict[int, int]:
    """Return the hits of each breakpoint in `info breakpoints`."""
    found = {}
    for part in re.split(r"^(?=\d+ )", table, flags=re.M):
        number = re.match(r"\d+", part)
        times = re.search(r"already hit (\d+) time", part)
        if number:
            found[int(number[0])] = int(times[1]) if times else 0
    return found


def silent(number: int) -> str:
    """Return a command that has breakpoint `number` go on by itself, as `commands` does."""
    return f"python next(b for b in gdb.breakpoints() if b.number == {number}).commands = 'silent\\ncontinue'"


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
@pytest.mark.parametrize("line", [LINE, NEXT])
def test_stops_are_those_of_python(gdb: str, line: int) -> None:
    """Each condition is typed before the program runs, with `commands` that go on."""
    numbers = range(1, len(TYPED) + 1)
    commands = [f"break {PROGRAM}:{line} if {text}" for text in TYPED]
    commands += [silent(number) for number in numbers]
    end = f"tbreak {PROGRAM}:{line_of(PROGRAM, 'end')}"
    done = harness.run([*commands, end, "run", "info breakpoints"], program=PROGRAM, env=DEFAULT, gdb=gdb)
    assert "Temporary breakpoint" in done.of("run"), done.text
    found = hits(done.of("info breakpoints"))
    assert {TYPED[n - 1]: found[n] for n in numbers} == {text: expected(text, line) for text in TYPED}, done.text


@functools.cache
def session(gdb: str) -> harness.Transcript:
    """Run one GDB session with conditions given before the program runs and when it has stopped, and with refused
    ones."""
    return harness.run(
        [
            "break nosuch if", f"break {PROGRAM}:{NEXT} if i ==", f"break {PROGRAM}:{NEXT} if looped(i)",
            f"break {PROGRAM}:{NEXT}", "condition 1 i in (4, 5)", f"tbreak {PROGRAM}:{LINE} if i // 3 == 4",
            "break looped if n > 3 and n < 30", f"break {PROGRAM}:{NEXT} if nosuch > 3 or i < 3",
            f"break {PROGRAM}:{LINE} if late > 3", "run", "info breakpoints", "continue", "print i", "continue",
            "print i", "continue", "print i", "condition 1", "condition 1 n == 20",
            "info breakpoints 1", "condition 1 i == 20", "continue", "print i",
            "condition 1 10 < i < 12", "condition 1 i // 2 == 11 and k == 1", "continue", "print i",
            f"hbreak {PROGRAM}:{LINE} thread 1 if 25 <= i <= 26", "continue", "print i", "condition 77 i",
            "condition 1 i ===", "watch s if i > 30 and k in range(7)", "watch s if i >",
            *(f"break {PROGRAM}:{NEXT} if {text}" for text in NOT_SUPPORTED), "condition 1 n == f'{i}'",
            "delete 1 6", "continue", "continue", "print i", "catch fork",
            "condition 8 1 == 2", "info breakpoints 8", 'break free if $rdi == 1', "info breakpoints 9", "help break",
        ],
        program=PROGRAM,
        env=DEFAULT,
        gdb=gdb,
    )  # fmt: skip


@pytest.fixture(scope="module", params=gdbs().values(), ids=gdbs())
def played(request: pytest.FixtureRequest) -> harness.Transcript:
    return session(request.param)


def test_a_bad_condition_is_refused_when_it_is_typed(played: harness.Transcript) -> None:
    assert "missing after `if`" in played.of("break nosuch if")
    assert "SyntaxError" in played.of(f"break {PROGRAM}:{NEXT} if i ==")
    assert "looped() is not known here" in played.of(f"break {PROGRAM}:{NEXT} if looped(i)")
    assert "No breakpoint number 77" in played.of("condition 77 i")
    assert "SyntaxError" in played.of("condition 1 i ===")
    assert "SyntaxError" in played.of("watch s if i >")
    assert not re.search(r"Traceback|Error occurred|Python Exception", played.text), played.text


def test_a_form_that_conditions_do_not_have_is_refused_by_its_name(played: harness.Transcript) -> None:
    said = "not supported in an expression; 'help jit print' lists what is"
    for text, form in NOT_SUPPORTED.items():
        assert f"SyntaxError: {form} {said}" in played.of(f"break {PROGRAM}:{NEXT} if {text}").splitlines()
    assert f"SyntaxError: f-strings are {said}" in played.of("condition 1 n == f'{i}'")


def test_a_condition_given_while_pending_is_not_lost(played: harness.Transcript) -> None:
    assert [played.of("print i", n) for n in range(2)] == ["$1 = 4", "$2 = 5"], played.text


def test_tbreak_and_a_function(played: harness.Transcript) -> None:
    assert "looped (n=20" in played.of("run")
    assert played.of("print i", 2) == "$3 = 12", played.text


def test_conditions_are_shown_as_typed(played: harness.Transcript) -> None:
    table = played.of("info breakpoints")
    for text in ("i in (4, 5)", "i // 3 == 4", "n > 3 and n < 30"):
        assert f"stop only if {text}\n" in f"{table}\n"
    assert "stop only if n == 20" in played.of("info breakpoints 1")  # C and Python read it alike


def test_conditions_are_changed(played: harness.Transcript) -> None:
    assert "now unconditional" in played.of("condition 1")
    assert [played.of("print i", n) for n in (3, 4, 5)] == ["$4 = 20", "$5 = 22", "$6 = 25"], played.text


def test_a_condition_that_cannot_hold_is_said_before_the_program_runs_on(played: harness.Transcript) -> None:
    said = played.of("run")
    assert said.count("has no variable `nosuch`") == 1, played.text
    assert played.text.count(f"`late` is not assigned yet at {PROGRAM}:{LINE}") == 1, played.text
    assert played.text.count("has no variable `nosuch`") == 1


def test_watchpoints_have_conditions(played: harness.Transcript) -> None:
    assert played.of("print i", 6) in ("$7 = 31", "$7 = 32"), played.text


def test_other_breakpoints_have_their_conditions_from_gdb(played: harness.Transcript) -> None:
    assert "stop only if 1 == 2" in played.of("info breakpoints 8")
    assert "stop only if $rdi == 1" in played.of("info breakpoints 9")
    assert "CONDITION is a Python expression" in played.of("help break")


def test_c_stays_c() -> None:
    """In code that is no Python, GDB evaluates the text, with its meaning and its errors."""
    done = harness.run(
        ["break PyLong_FromLong if 7 / 2 == 3", "break PyLong_FromLong if 1 and 1", "run", "info breakpoints"],
        program=PROGRAM,
        env=DEFAULT,
    )
    assert re.search(r"Breakpoint 1(\.\d)?, (0x\w+ in )?PyLong_FromLong", done.of("run")), done.text
    assert "stop only if 7 / 2 == 3" in done.of("info breakpoints"), done.text
    assert "A syntax error in expression, near `and 1'" in done.text


def test_an_error_stops_once() -> None:
    """An error at run time is reported with its reason, and does not stop at each of a million hits."""
    done = harness.run(
        [f"break {PROGRAM}:{NEXT} if a[i] > 100", "run", "print i", "continue"], program=PROGRAM, env=DEFAULT
    )
    assert done.of("print i") == "$1 = 7", done.text
    assert done.text.count("IndexError: index 7 is out of bounds for axis 0 with size 7") == 1, done.text
    assert "exited normally" in done.of("continue"), done.text


def test_a_value_that_is_optimized_out_is_said_once() -> None:
    done = harness.run(
        [f"break {PROGRAM}:{NEXT} if s == 7 and k", "run", "continue"],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "exact"},
    )
    assert done.text.count("`s` is <optimized out>") == 1, done.text
    assert "@jitscope.steps" in done.of("run")
    assert "exited normally" in done.of("continue"), done.text


def test_a_front_end_that_sets_it_later() -> None:
    """With MI the breakpoint waits for its code, and gets its condition before the code comes; GDB alone disables
    it."""
    with harness.machine_interface(PROGRAM, env=DEFAULT) as session:
        session.send(f"-break-insert -f {PROGRAM}:{NEXT}")
        session.send('-break-condition 1 "i in (4, 9)"')
        session.send(f'-break-insert -f -c "10 < i < 12" {PROGRAM}:{NEXT}')
        seen = []
        for command in ("-exec-run", "-exec-continue", "-exec-continue"):
            session.until_stop(command)
            seen.append(session.send("-data-evaluate-expression i")["payload"]["value"])
        assert seen == ["4", "9", "11"], session.console
        session.send('-break-condition 2 "i & 1 == 0"')
        session.until_stop("-exec-continue")
        assert session.send("-data-evaluate-expression i")["payload"]["value"] == "12"


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_dprintf(gdb: str) -> None:
    """A dprintf's expressions and condition are Python, typed before the program runs."""
    done = harness.run(
        [
            f'dprintf {PROGRAM}:{LINE},"i=%d half=%.1f %s\\n", i, i / 2, a[i % 3:i % 3 + 2]', "condition 1 i // 3 == 1",
            f"break {PROGRAM}:{NEXT} if i in (4, 5)", "info breakpoints", "delete 2", "run",
        ],
        program=PROGRAM,
        env=DEFAULT,
        gdb=gdb,
    )  # fmt: skip
    said = [line for line in done.of("run").splitlines() if line.startswith("i=")]
    assert said == ["i=3 half=1.5 array([0., 1.])", "i=4 half=2.0 array([1., 2.])", "i=5 half=2.5 array([2., 3.])"]
    assert "2\tstop only if i in (4, 5), once it is compiled" in done.of("info breakpoints"), done.text


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_a_dprintf_is_made_where_its_text_is_asked_for(gdb: str) -> None:
    """GDB/MI's answer then goes to the caller."""
    asked = f'python made = gdb.execute(r"""dprintf {PROGRAM}:{LINE} if i == 1,"i=%d\\n", i""", to_string=True)'
    done = harness.run([asked, "python print(repr(made))", "run"], program=PROGRAM, env=DEFAULT, gdb=gdb)
    assert f"Dprintf 1 ({PROGRAM}:{LINE} if i == 1) pending." in done.of("python print(repr(made))"), done.text
    assert done.text.splitlines().count("i=1") == 1, done.text


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_a_dprintf_whose_condition_fails_prints_nothing(gdb: str) -> None:
    """The dprintf cannot stop, so a line says that, and a breakpoint with the condition stops there once."""
    place, fails = f"{PROGRAM}:{LINE}", "7 // (i - 3) >= 0 and i < 5"
    done = harness.run(
        [
            f'dprintf {place} if {fails},"one %d\\n", i', f'dprintf {place},"two %d\\n", i', "condition 2 nosuch == i",
            'dprintf looped,"three\\n"', "condition 3 7 / (n - 20) > 1", f'dprintf {place} if late,"four\\n"',
            f"break {place} if {fails}", "run", "continue",
        ],
        program=PROGRAM,
        env=DEFAULT,
        gdb=gdb,
    )  # fmt: skip
    said = done.of("run") + "\n" + done.of("continue")
    assert re.findall(r"^(?:one|two|three|four).*$", said, re.M) == ["one 4"], done.text
    for number, text, error in (
        (1, fails, "ZeroDivisionError"),
        (2, "nosuch == i", "NameError"),
        (3, "7 / (n - 20) > 1", "Zero"),
    ):
        (line,) = [line for line in said.splitlines() if line.startswith(f"jitscope: dprintf {number}: ")]
        assert f"`{text}` fails at" in line and f", and prints nothing: {error}" in line, done.text
    assert f"jitscope: breakpoint 5: `{fails}` fails at {place}, and stops there this once: ZeroDivisionError" in said
    assert "jitscope: dprintf 4: `late` is not assigned yet" in said, done.text


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_a_dprintf_of_what_has_no_value_says_so(gdb: str) -> None:
    """An error would end the command that runs the program, with its threads running."""
    given = "i, late, a, 1 / i, nosuch, f, 1 << 40, -i, $_thread, text"
    form = "i=%d late=%d a=%d div=%.2f no=%d f=%3d big=%d neg=%lx th=%d t=%5s 100%%\\n"
    done = harness.run(
        [f'dprintf {PROGRAM}:{line_of(PROGRAM, "header")} if i is None or i < 2,"{form}", {given}']
        + [
            f'dprintf {PROGRAM}:{LINE} if i < 2,"{form}", {given}',
            f"tbreak {PROGRAM}:{line_of(PROGRAM, 'end')}",
            "run",
        ],
        program=PROGRAM,
        env=DEFAULT,
        gdb=gdb,
    )
    array = "array([0., 1., 2., 3., 4., 5., 6.])"
    rest = "no=<NameError: name 'nosuch' is not defined>"
    first = f"i=0 late=<unassigned> a={array} div=<ZeroDivisionError: division by zero> {rest} f=  3 big=1099511627776 "
    second = f"i=1 late=<unassigned> a={array} div=1.00 {rest} f=  1 big=1099511627776 "
    assert first + "neg=0 th=1 t=  abc 100%" in done.of("run"), done.text
    assert second + "neg=ffffffffffffffff th=1 t=  abc 100%" in done.of("run"), done.text
    assert "hit Temporary breakpoint 3" in done.of("run"), done.text


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_a_dprintf_in_a_function_that_is_compiled_behind_a_later_one(gdb: str) -> None:
    """GDB first sets it in the later function, where it is held; a loop's header has two places at once."""
    program = "compiled_later.py"
    commands = [f'dprintf {program}:{line_of(program, "b-run")} if m > 2,"m is %d\\n", m']
    commands += [f'dprintf {program}:{line_of(program, "looped")} if n == 3,"t is %d\\n", t', "run"]
    done = harness.run(commands, program=program, env=DEFAULT, gdb=gdb)
    assert re.findall(r"^[mt] is .*$", done.of("run"), re.M) == ["m is 5", *(f"t is {t}" for t in (0, 0, 1, 5))], (
        done.text
    )


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_dprintf_with_a_condition_of_its_own(gdb: str) -> None:
    """The dprintf is made before its code comes and after that; with commas that separate nothing, and for one
    thread."""
    place = f"dprintf {PROGRAM}:{LINE}"
    bad = [f'{place} if i ==,"x"', f'{place} if,"x"', f'{place} if looped(i),"x"', f'{place} thread 99,"x"']
    done = harness.run(
        [
            f'{place} if i==1,"one %d\\n", i',
            f'{place} if i in (2, 3) and text == "abc","in %d %s\\n", i, "x, \\"y"[3:]',
            'dprintf nosuch if i == 1,"never"', f'{place},"six %d\\n", i', "condition 4 i // 3 == 2 and i % 4 == 2",
            'dprintf Py_RunMain if 7 / 2 == 3,"in C\\n"', *bad[:3],
            "info breakpoints", f"tbreak {PROGRAM}:{LINE}", "run",
            f'{place} thread 1 if i in (4, 5) and k != 5,"first thread %d\\n", i', *bad[3:],
            f"tbreak {PROGRAM}:{line_of(PROGRAM, 'end')}", "continue",
        ],
        program=PROGRAM,
        env=DEFAULT,
        gdb=gdb,
    )  # fmt: skip
    assert "1\tprint only if i==1; enabled once it is compiled" in done.of("info breakpoints"), done.text
    said = re.findall(r"^(?:in C|(?:one|in|six|first thread) .*)$", done.of("run") + "\n" + done.of("continue"), re.M)
    assert said == ["in C", "one 1", 'in 2 "y', 'in 3 "y', "first thread 4", "six 6"], done.text
    refused = ("SyntaxError", "missing after `if`", "looped() is not known here", "Unknown thread 99.")
    assert all(text in done.of(command) for text, command in zip(refused, bad)), done.text
    assert not re.search(r"Error in re-setting|internal|Traceback", done.text), done.text
