"""GDB's own `print` in compiled Python: an expression means what Python means, and the rest stays GDB's."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "printed.py"
# The typed command, and the interpreter's answer at the line where q is 1.
PYTHON = {
    "print a[1]": "1.0",
    "print a[1:3]": "array([1., 2.])",
    "print a[-1]": "5.0",
    "print box.x": "2.0",
    "print box.count + 1": "4",
    "print table['k']": "7.0",
    "print 'k' in table": "True",
    "print items[1]": "2.5",
    "print len(items)": "2",
    "print a.shape": "(6,)",
    "print a.sum()": "15.0",
    "print i / 2": "3.5",
    "print i // -2": "-4",
    "print -i % 3": "2",
    "print i ** 2": "49",
    "print 2 ** 70": "1180591620717411303424",
    "print not i": "False",
    "print i and q": "1",
    "print i && q": "1",
    "print 10 < i < 12": "False",
    "print i & 1 == 0": "False",
    "print abs(-i)": "7",
    "print pair[1]": "2.5",
    "print pair == (1, 2.5)": "True",
    "print a == 2": "array([False, False, True, False, False, False])",
    "print q if i > 3 else half": "1",
    "print 'abc'": "'abc'",
    # These are no options, because no `--` follows: the names begin like those of GDB's options.
    "print -a + 1": "array([1., 0., -1., -2., -3., -4.])",
    "print -i - q": "-8",
    "p -i + q": "-6",
    "print -i // 2": "-4",
    "print -i if q else 0": "-7",
    "print -items[1] + 1, 3": "(-1.5, 3)",
    "print -i -- 3": "-4",
    "print -elements 2 -- -a + 1": "array([1., 0., ...])",
    "p i / 4": "1.75",
    "inspect i * 2": "14",
    "print -elements 2 -- a[0:5]": "array([0., 1., ...])",
    "print/x i + 1": "0x8",
    # GDB evaluates these itself: a name, whose value has types and parts there, and expressions that are no Python.
    "print i": "7",
    "print/x i": "0x7",
    "print a": "array([0., 1., 2., 3., 4., 5.])",
    "print -elements 2 -- a": "array([0., 1., ...])",
    "print pair": "(1, 2.5)",
    "print (char)i": "7 '\\\\a'",
    "print *a.data@2": "{0.0, 1.0}",
    "print a.data[3]": "3.0",
    "print sizeof(int)": "4",
    "print $unset": "void",
    "print !i": "0",
    "print double": "14",
}
# Expressions that cannot be printed, and the line that says so.
REFUSED = {
    "print nothing": 'No symbol "nothing" in current context.',
    "print nothing + 1": 'No symbol "nothing" in current context.',
    "print nothing + i": "NameError: name 'nothing' is not defined",
    "print show(3)": "NotImplementedError: functions of the program are not called",
    "print box.nothing": "AttributeError: 'Box' object has no field 'nothing' "
    "(its class' properties and methods are not run)",
    "print a[100]": "IndexError: index 100 is out of bounds for axis 0 with size 6",
    "print i = 5": "Left operand of assignment is not an lvalue.",
    "print &i": "Can't take address of \"i\" which isn't an lvalue.",
    "print/x a[1:3]": "a format (/x) is for numbers, and `a[1:3]` is none",
}
COMMANDS = [
    f"break {PROGRAM}:{line_of(PROGRAM, 'body')} if q == 1",
    "run",
    *PYTHON,
    *REFUSED,
    "print i * 10",
    "print $",
    "print $ + 1",
    "print last + 1",
    "print $",
    "complete print -el",
    "complete print -elements 3 -- hal",
    "display i / 2",
    "display half",
    "display a[1]",
    'display $jit("i / 2")',
    "next",
    "undisplay",
    "set jitscope expressions off",
    "print i / 3",
    "set jitscope expressions on",
    "print i / 3",
    "delete",
    "finish",
    "info locals",
    "info args",
    "print items[0]",
    "print table",
    "up",
    "frame 1",
    "print 7 / 2",
]


@pytest.fixture(scope="module")
def session() -> Transcript:
    """Run one session, at the default settings."""
    return harness.run(COMMANDS, program=PROGRAM, env={"JITSCOPE_LEVEL": ""})


@pytest.mark.parametrize("command", PYTHON)
def test_an_expression_means_what_it_means_in_python(session: Transcript, command: str) -> None:
    shown = session.of(command).strip()
    assert re.fullmatch(rf"\$\d+ = {re.escape(PYTHON[command].encode().decode('unicode_escape'))}", shown), session.text


@pytest.mark.parametrize("command", REFUSED)
def test_what_cannot_be_printed_is_refused_in_a_line(session: Transcript, command: str) -> None:
    assert session.of(command).strip().splitlines()[-1] == REFUSED[command], session.text


def test_values_are_in_the_history(session: Transcript) -> None:
    number = int(session.of("print i * 10")[1:].split()[0])
    assert session.of("print $").strip() == f"${number + 1} = 70", session.text
    assert session.of("print $ + 1").strip() == f"${number + 2} = 71", session.text


def test_what_has_no_value_is_labelled(session: Transcript) -> None:
    """It is not in the history either, where it would count as a value."""
    assert session.of("print last + 1").strip() == "`last` is <unassigned>", session.text
    assert session.of("print $", 1).strip().endswith("= 71"), session.text


def test_completion_is_gdbs(session: Transcript) -> None:
    assert session.of("complete print -el").split() == ["print", "-elements"], session.text
    assert "print -elements 3 -- half" in session.of("complete print -elements 3 -- hal").splitlines(), session.text


def test_a_display_that_is_read_as_c_is_said_to_be(session: Transcript) -> None:
    assert 'GDB reads `i / 2` as C; `display $jit("i / 2")` reads Python' in session.of("display i / 2"), session.text
    assert 'GDB reads `a[1]` as C; `display $jit("a[1]")` reads Python' in session.of("display a[1]"), session.text
    assert "reads Python" not in session.of("display half"), session.text
    assert '4: $jit("i / 2") = 3.5' in session.of("next").splitlines(), session.text


def test_the_setting_gives_expressions_to_gdb(session: Transcript) -> None:
    assert re.fullmatch(r"\$\d+ = 2", session.of("print i / 3").strip()), session.text
    assert re.fullmatch(r"\$\d+ = 2\.33333\d+", session.of("print i / 3", 1).strip()), session.text


def test_the_python_frame_that_a_step_out_ends_at_has_its_variables(session: Transcript) -> None:
    line = line_of(PROGRAM, "call")
    shown = session.of("info locals")
    assert re.search(rf"^--- of the Python frame <module> at .*{PROGRAM}:{line} ---$", shown, re.M), session.text
    assert "items = ListType[float64]([1.5, 2.5])" in shown, session.text
    assert session.of("info args").strip().endswith("No arguments."), session.text
    assert re.fullmatch(r"\$\d+ = 1\.5", session.of("print items[0]").strip()), session.text
    assert re.fullmatch(r"\$\d+ = DictType\[.*\{k: 7\.0\}\)", session.of("print table").strip()), session.text


def test_a_frame_of_numbas_dispatcher_is_c(session: Transcript) -> None:
    assert re.fullmatch(r"\$\d+ = 3", session.of("print 7 / 2").strip()), session.text
