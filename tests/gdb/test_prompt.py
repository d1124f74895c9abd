"""What is typed at the prompt: options anywhere, commands without a process, and what was silent or odd."""

from __future__ import annotations

import functools
import json
import re
import sys

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import ROOT

sys.path.append(str(ROOT / "gdbext"))  # last: it holds a jitscope.py

from jitscope_gdb.commands import options  # noqa: E402

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


@pytest.mark.parametrize(
    ("line", "syntax", "said"),
    [
        ("w -where", ARRAY, "-where wants a value, in quotes if it has blanks"),
        ("-bogus w", ARRAY, "unknown option -bogus; `--` ends the options"),
        ("-s 1 w", ARRAY, "-s may be -save or -slice"),
        ("mod.foo -bogus", BREAK, "unknown option -bogus"),
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
    return harness.run(["set trace-commands on", "jit bt", "set trace-commands off", *NO_PROCESS], program=PROGRAM)


@pytest.mark.parametrize("command", NO_PROCESS)
def test_no_process(command: str) -> None:
    assert before_run().of(command) == "no process: run or attach to a program, or open a core"


# -- at steps


@functools.cache
def steps() -> harness.Transcript:
    done = harness.run(
        [
            "set trace-commands on",
            f"break {PROGRAM}:{line_of(PROGRAM, 'lookup')}",
            "run",
            "set trace-commands off",
            "jit array table -where 'x > 2'",
            "jit catch KeyError",
            "continue",
            "jit functions -all -json",
            "info functions _probe",
            "jit finish",
        ],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "steps"},
    )
    assert not done.timed_out, done.text
    return done


def test_traced_commands() -> None:
    """GDB writes `+info symbol …` above what a command says."""
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
