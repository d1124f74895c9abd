"""Commands typed at the prompt: options anywhere, commands without a process, and cases that were silent or odd."""

from __future__ import annotations

import functools
import json
import pathlib
import re

import pytest
from jitscope_gdb.present import elision
from jitscope_shared.commands import options

from tests.gdb import harness
from tests.gdb.harness import line_of

pytestmark = pytest.mark.xdist_group("prompt")
PROGRAM = "prompt.py"
PRINT = options.Syntax(("-json",), is_expression=True, abbreviates=False)
ARRAY = options.Syntax(("-where", "-save", "-slice", "-x", "-json"), ("-where", "-save", "-slice"), True)
BREAK = options.Syntax(("-temporary", "-list"), tail="if")


@pytest.mark.parametrize(
    ("line", "syntax", "found", "rest"),
    [
        ("a -json", PRINT, {"-json"}, "a"),
        ("-x", PRINT, set(), "-x"),
        ("-j", PRINT, set(), "-j"),
        ("a[1 -json] - b", PRINT, set(), "a[1 -json] - b"),
        ("'a -json' + b -json", PRINT, {"-json"}, "'a -json' + b"),
        ("-- -json", PRINT, set(), "-json"),
        ("w -where 'x < 0' -x", ARRAY, {"-where", "-x"}, "w"),
        ("-wh x<0 w", ARRAY, {"-where"}, "w"),
        ("-- w -x", ARRAY, set(), "w -x"),
        ("mod.foo -temp if a > -list", BREAK, {"-temporary"}, "mod.foo if a > -list"),
    ],
)
def test_options_anywhere(line: str, syntax: options.Syntax, found: set[str], rest: str) -> None:
    parsed = options.parse(line, syntax)
    assert (parsed.options, parsed.rest) == (found, rest)
    assert parsed.values == ({"-where": parsed.values["-where"]} if "-where" in found else {})


@pytest.mark.parametrize(("line", "word"), [("a -slcie 1", "-slcie"), ("a -b", ""), ("a -c", ""), ("a - slcie", "")])
def test_what_may_be_an_option_is_part_of_the_expression(line: str, word: str) -> None:
    parsed = options.parse(line, ARRAY)
    assert (parsed.rest, parsed.misspelled) == (line, word)


@pytest.mark.parametrize(
    ("line", "syntax", "said"),
    [
        ("w -where", ARRAY, "-where wants a value, in quotes if it has blanks"),
        ("-bogus w", ARRAY, "has no option -bogus; `--` ends the options"),
        ("-s 1 w", ARRAY, "-s may be -save or -slice"),
        ("mod.foo -bogus", BREAK, "has no option -bogus"),
        ("-slcie 1 w", ARRAY, "has no option -slcie; did you mean -slice?"),
    ],
)
def test_bad_options(line: str, syntax: options.Syntax, said: str) -> None:
    with pytest.raises(options.Bad, match=re.escape(said)):
        options.parse(line, syntax)


# -- without a process

NO_PROCESS = (
    "jit apply all print 1", "jit args", "jit array a", "jit finish", "jit finish -region", "jit locals",
    "jit next-iteration", "jit print a", "jit region", "jit region -writes", "jit threads", "jit why a",
    "jit why x.py:7", 'print $jit("a")', "print $jit_exception()",
)  # fmt: skip


@functools.cache
def before_run() -> harness.Transcript:
    """Run a session that also catches, at exact, the first raise, which is after a loop without slots."""
    commands = [*NO_PROCESS, "jit catch ValueError if v > 3", "run", "jit locals", "kill"]
    return harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "exact"})


@pytest.mark.parametrize("command", NO_PROCESS)
def test_no_process(command: str) -> None:
    assert before_run().of(command) == "no process: run or attach to a program, or open a core"


# -- before the program runs


@functools.cache
def waited() -> harness.Transcript:
    """Run a session in which a gathering and a recording are requested before `run`."""
    body = f"{PROGRAM}:{line_of(PROGRAM, 'body')}"
    return harness.run(
        [
            *("jit gather -next", "jit gather nowhere", f"jit gather {body} -json", "jit region -record"),
            *("run", "jit region -writes", "jit gather -next -json", "continue"),
        ],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"},
    )


def test_workers_gather_as_asked_before_run() -> None:
    done = waited()
    assert done.of("jit gather -next") == (
        "no workers have gathered yet: `jit gather start`, `breakpoint` or [FILE:]LINE"
    )
    assert done.of("jit gather nowhere").startswith("Usage: jit gather ")
    body = f"{PROGRAM}:{line_of(PROGRAM, 'body')}"
    assert done.of(f"jit gather {body} -json") == (
        f"The workers of the first parallel loop gather at {body}, once the program runs: `run`"
    )
    first, second = (
        json.loads(next(line for line in done.of(command).splitlines() if line.startswith("{")))
        for command in ("run", "jit gather -next -json")
    )
    for found, done_turns in ((first, 0), (second, 1)):
        assert (found["reason"], found["arrived"]) == ("all", 2), done.text
        assert [row["index"]["value"] for row in found["workers"]] == [done_turns, 4 + done_turns], done.text
    assert "14.0" in done.of("continue")


def test_reads_and_writes_are_recorded_as_asked_before_run() -> None:
    done = waited()
    said = "Reads and writes are recorded from the first parallel loop on, once the program runs: functions at `steps` "
    assert done.of("jit region -record").startswith(said)
    assert f"loop, prange at {PROGRAM}" in done.of("jit region -writes"), done.text


# -- at steps


@functools.cache
def steps() -> harness.Transcript:
    done = harness.run(
        [
            "set trace-commands on",
            "set demangle-style gnu-v3",  # LLVM's methods match by their names alone
            f"break {PROGRAM}:{line_of(PROGRAM, 'lookup')}",
            "break lookup",
            "jit break __main__.bare if v > 2",
            "jit break __main__.Account.add if x > 2",
            "jit break __main__.bare",
            "run",
            "set trace-commands off",
            "info breakpoints 2",
            "break runOnMachineFunction",
            "info breakpoints 6",
            "delete 6",
            "jit array table -where 'x > 2'",
            "jit catch ValueError if v > 3",
            "jit catch KeyError",
            "continue",
            *("jit locals -versions", "jit why v", "jit print v + 1", "jit print 1 + 1"),  # in `bare`
            "delete 5",
            *("continue", "info args", "info locals", "continue"),
            "jit functions -all -json",
            "info functions _probe",
            "jit finish",
            "delete",
            *("break scaled", "continue", "jit print factor * x", "jit locals", "print shift", "jit print table"),
            *("set width 100", "break many", "continue", "jit bt 1", "frame", "jit args"),
            *("set print frame-arguments presence", "jit bt 1 ", "set print frame-arguments scalars"),
        ],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "steps", "JITSCOPE_DEBUG": "off"},
    )
    assert not done.timed_out, done.text
    return done


def test_traced_commands() -> None:
    """GDB writes `+info symbol …` above the output of a command."""
    assert "hit Breakpoint 1, lookup (" in steps().of("run"), steps().text
    assert steps().of("run").startswith("+run\n")


def test_an_option_behind_the_array() -> None:
    assert "where      2 of 5" in steps().of("jit array table -where 'x > 2'"), steps().text


def test_functions_of_jitscope_are_in_no_list() -> None:
    functions = json.loads(steps().of("jit functions -all -json"))
    assert {"lookup", "called"} <= {each["name"] for each in functions}
    assert not [each["name"] for each in functions if each["module"].startswith("jitscope")]
    assert steps().of("info functions _probe") == 'All functions matching regular expression "_probe":'


def test_finish_says_what_an_inlined_function_raised() -> None:
    said = steps().of("jit finish")
    assert said.endswith("called raised KeyError('too big'), which has left calls too"), steps().text


def test_the_users_function_comes_before_llvms() -> None:
    """`break lookup` would be in 26 methods and more of LLVM; if Python has no function of the name they stay."""
    places = steps().of("info breakpoints 2")
    assert len(re.findall(r" n +0x\w+ .*llvm", places)) > 20 and not re.search(r" y +0x\w+ .*llvm", places), places
    assert re.search(r" y +0x\w+ in lookup at ", places), places
    said = (
        r"^jitscope: breakpoint 2: \d+ places of lookup in .*libllvmlite.so.* are off, "
        "since compiled Python comes first: "
    )
    assert len(re.findall(said + r"`enable 2.1-\d+` turns them on$", steps().text, re.M)) == 1, steps().text
    assert not re.search(r" n +0x", steps().of("info breakpoints 6")), steps().of("info breakpoints 6")


def test_a_condition_without_debug_information() -> None:
    """The condition cannot be evaluated, and the breakpoint would never stop."""
    cure = "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
    for number, name, text in ((3, "bare", "v > 2"), (4, "Account.add", "x > 2")):
        why = f"so `{text}` cannot be evaluated and it never stops: run the program with NUMBA_DEBUGINFO=1"
        assert f"jitscope: breakpoint {number}: {name} has no debug information, {why}" in steps().text
    said = f"bare has no debug information: it stops at calls, and not where bare was inlined; {cure}"
    assert f"jitscope: breakpoint 5: {said}\n" in steps().text
    said = f"bare has no debug information, so its variables are not known: {cure}"
    for command in ("jit locals -versions", "jit why v", "jit print v + 1"):
        assert steps().of(command) == said, steps().text
    assert steps().of("jit print 1 + 1") == "2"
    assert f"jitscope: bare has no debug information: `jit catch` does not stop in it; {cure}" in steps().text


def test_a_raise_in_a_function_that_numba_inlines() -> None:
    """The function's variables are there, and a condition reads them."""
    assert "Exception ValueError('too big') raised in sums at " in steps().of("continue", 1), steps().text
    assert steps().of("info args") == "n = 9"
    told = ["total = 12", "i = 4", "v = 4", "limit = 6", "w = 8"]
    assert steps().of("info locals").splitlines() == told
    assert before_run().of("jit locals", -1).splitlines() == ["n = 9", *told], before_run().text


def test_constants_of_a_closure() -> None:
    """Numba takes them as constants, with the values that the interpreter has when it compiles."""
    done = steps()
    assert done.of("jit print factor * x") == "12", done.text
    assert done.of("print shift").endswith(" = 4")
    told = ["x = 4", "y = <unassigned>", "factor = 3", "offsets = (10, 20)", "shift = 4", "table = <optimized out>"]
    assert done.of("jit locals").splitlines() == told
    assert done.of("jit print table") == "<optimized out>"


def test_a_frame_of_many_arguments_is_a_short_line() -> None:
    """GDB's own line has the names and the numbers; `jit bt` is no wider than the terminal."""
    done = steps()
    stop = next(line for line in done.of("continue", -1).splitlines() if "many (" in line)
    assert "a0=..., " in stop and "b7=7, c0=..., " in stop and "d1=1.5) at " in stop and len(stop) < 400, stop
    assert done.of("frame").splitlines()[0].startswith("#0  many (a0=..., a1=..., ")
    assert re.fullmatch(r"#0  many \(a0=\.\.\., .*, \.\.\.\) at \S+", done.of("jit bt 1").splitlines()[0]), done.text
    assert len(done.of("jit bt 1").splitlines()[0]) <= max(100, 70 + len(str(harness.PROGRAMS)))
    assert done.of("jit bt 1 ").startswith("#0  many (...) at ")
    assert "c7 = 'a text of some length'" in done.of("jit args") and "a7 = array([[0., 1., 2." in done.of("jit args")


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("array(float64, shape=(8, 5))", 28, "array(float64, shape=(8, 5))"),
        ("array(float64, shape=(8, 5))", 12, "array(...)"),
        ("array(float64, shape=(8, 5))", 6, "..."),
        ("(1, 2, 3, 4)", 8, "(...)"),
        ("'a long text'", 10, "'a lon'..."),
        ("1234567890123", 9, "..."),
    ],
)
def test_a_text_in_a_frame_line(text: str, room: int, short: str) -> None:
    assert elision.shortened(text, room) == short


def test_a_frame_line_without_arguments() -> None:
    """The number of columns may be less than zero."""
    assert elision.listed([], -4) == ""


def test_step_at_the_prompt_passes_over_c(tmp_path: pathlib.Path) -> None:
    """GDB at a prompt runs a hook after `step` as soon as the program runs."""
    program = tmp_path / "filled.py"
    program.write_text(
        "import numpy as np\nfrom numba import njit\n\n\n@njit(debug=True)\ndef f(n):\n    a = np.ones(n)\n"
        "    a[0] = 2\n    return a.sum()\n\n\nprint(f(4))\n"
    )
    with harness.interactive(program, env={"JITSCOPE_LEVEL": "steps"}) as gdb:
        gdb.sendline("info skip")
        gdb.expect_exact("(gdb) ")
        skips = gdb.before
        gdb.sendline("break f")
        gdb.expect_exact("(gdb) ")
        gdb.sendline("run")
        gdb.expect_exact("(gdb) ")
        for line in (8, 9):
            gdb.sendline("step")
            gdb.expect_exact("(gdb) ")
            assert re.search(rf"^{line}\t", gdb.before, re.M), gdb.before
        gdb.sendline("info skip")
        gdb.expect_exact("(gdb) ")
        assert gdb.before == skips


COLOURED = """
from numba import njit


@njit(debug=True)
def twice(x):
    y = x * 2  # at: callee
    return y + 1


@njit(debug=True)
def total(n):
    found = 0
    for i in range(n):
        found += twice(i)
    return found


print(total(4))
"""


def test_source_lines_on_a_terminal_with_colours(tmp_path: pathlib.Path) -> None:
    """GDB keeps a source line with its colours once it has shown it with them."""
    program = tmp_path / "coloured.py"
    program.write_text(COLOURED)
    commands = ["break coloured.py:7", "run", "jit finish", "delete", "jit next-iteration", "jit next-iteration"]
    commands += ["break coloured.py:7", "jit finish -json", "set style enabled off", "jit finish", "jit next-iteration"]
    said = []
    with harness.interactive(program, env={"JITSCOPE_LEVEL": "steps"}, is_coloured=True) as gdb:
        for command in commands:
            gdb.sendline(command)
            gdb.expect_exact("(gdb) ")
            said.append(gdb.before)
    text = "".join(said)
    assert "x1b" not in text and "u001b" not in text, text
    assert "\x1b[" in said[1] and "found += twice(i)" in _bare(said[2]), said
    assert "for i in range(n):" in _bare(said[5]) and "for i in range(n):" in said[-1], said


def _bare(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
