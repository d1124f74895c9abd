"""Names that C has, too: the user's functions and variables come first, and C's are not shown for them."""

from __future__ import annotations

import functools
import pathlib
import re
import subprocess

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "c_names.py"
NOT_SUPPORTED = {
    "[x for x in v]": "comprehensions are",
    "f'{v}'": "f-strings are",
    "(lambda x: x)(v)": "lambda is",
    "{1: v}": "a dictionary or a set is",
}


@functools.cache
def conditions() -> harness.Transcript:
    """Run conditions at names that libc and libstdc++ have: before the program runs, and at a stop."""
    done = harness.run(
        [
            *("break poll if limit ==", "break poll if [x for x in codes]", "break later if limit =="),
            "break later if (x",
            *("break later if [x for x in codes]", "break unknown if x->y == 3 && (later_t *)z"),
            *("break poll if limit > 3 and limit < 60", "break compare if v == 9", "tbreak insert", "run"),
            *("break insert if v in (9, 10)", "jit break poll if limit in (9, 10)", "condition 3 v ==", "continue"),
            *("print limit", "continue", "print limit", "delete 2", "continue", "continue", "print v"),
            *("info breakpoints", "continue"),
        ],
        program=PROGRAM,
        settings=harness.QUIET,
    )  # fmt: skip
    assert not done.timed_out, done.text
    return done


def test_a_condition_at_a_name_that_c_has_is_pythons() -> None:
    done = conditions()
    assert re.search(r"hit Temporary breakpoint 4(\.\d+)?, insert \(v=1\) at ", done.of("run")), done.text
    assert re.search(r"hit Breakpoint 2(\.\d+)?, poll \(limit=50\)", done.of("continue")), done.text
    assert done.of("print limit").endswith(" = 50") and done.of("print limit", 1).endswith(" = 9"), done.text
    assert done.of("print v").endswith(" = 9"), done.text
    assert "exited normally" in done.of("continue", -1), done.text


def test_places_in_c_are_off_in_one_line_a_breakpoint() -> None:
    done = conditions()
    assert "failed to validate" not in done.text and "does not stop" not in done.text, done.text
    table = done.of("info breakpoints")
    on = [line for line in table.splitlines() if re.match(r"\d+\.\d+ +y ", line)]
    assert on and all(PROGRAM in line for line in on), table
    for number in (2, 3, 4, 5, 6):
        said = re.findall(rf"^jitscope: breakpoint {number}: .*", done.text, re.M)
        assert len(said) == 1 and "since compiled Python comes first: `enable " in said[0], done.text


def test_what_no_language_can_read_is_refused_when_it_is_typed() -> None:
    done = conditions()
    for condition in ("limit ==", "[x for x in codes]", "(x"):
        command = f"break later if {condition}"
        assert "SyntaxError: " in done.of(command) and "pending" not in done.of(command), done.text
    assert "SyntaxError: " in done.of("condition 3 v =="), done.text
    assert "rror" in done.of("break poll if limit ==") and "rror" in done.of("break poll if [x for x in codes]")
    assert done.of("break unknown if x->y == 3 && (later_t *)z").endswith("pending."), done.text


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Build a C library with debug information that has static variables."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "kept.c").write_text(
        "static int two = 2;\nstatic const double three = 3;\nint kept(void)\n{\n    return (int)three * two++;\n}\n"
    )
    path = folder / "libkept.so"
    subprocess.run(["cc", "-g", "-O2", "-shared", "-fPIC", "-o", str(path), str(folder / "kept.c")], check=True)
    return path


@functools.cache
def refused() -> harness.Transcript:
    commands = [f"print {expression}" for expression in NOT_SUPPORTED]
    return harness.run(["break insert", "run", *commands, "print (char)v", "print v = 3"], program=PROGRAM)


@pytest.mark.parametrize("expression", NOT_SUPPORTED)
def test_print_refuses_as_a_condition_does(expression: str) -> None:
    assert f"SyntaxError: {NOT_SUPPORTED[expression]} not supported" in refused().of(f"print {expression}")


def test_print_leaves_c_to_gdb() -> None:
    assert refused().of("print (char)v").startswith("$1 = 1 "), refused().text
    assert refused().of("print v = 3") == "Left operand of assignment is not an lvalue.", refused().text


def test_a_variable_of_c_is_not_shown_for_one_that_python_lacks(library: pathlib.Path) -> None:
    lacks = "insert has no variable `two`; it has v, w"
    done = harness.run(
        [
            *(
                "break insert",
                "break bare",
                "run",
                "print two",
                "print two + v",
                "display two",
                "watch two",
                "print v",
                "print three",
            ),
            *("print 'kept.c'::two", "set jitscope expressions off", "print two", "set jitscope expressions on"),
            *("continue", "info display", "print  two", "print  three", "display three", "info display"),
        ],
        program=PROGRAM,
        arguments=[str(library)],
    )
    assert not done.timed_out, done.text
    for command in ("print two", "print two + v", "watch two"):
        assert done.of(command) == lacks, done.text
    assert done.of("display two").endswith(f"is deleted, for it shows a C library's `two`: {lacks}"), done.text
    assert done.of("print three") == lacks.replace("two", "three"), done.text
    assert done.of("print v").endswith(" = 1") and done.of("print 'kept.c'::two").endswith(" = 2"), done.text
    assert done.of("print two", 1).endswith(" = 2"), done.text
    assert done.of("info display").startswith("There are no "), done.text
    for command in ("print  two", "print  three"):
        assert done.of(command).startswith("bare has no debug information"), done.text
    assert done.of("info display", 1).startswith("There are no "), done.text


def test_a_variable_of_c_is_not_shown_for_one_of_the_function_that_a_frame_is_inlined_in(library: pathlib.Path) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'inner')}", "run", "print two", "print value", "up", "print two"]
    done = harness.run(commands, program=PROGRAM, arguments=[str(library)], env={"JITSCOPE_LEVEL": "steps"})
    assert done.of("print two") == "inner has no variable `two`; it has doubled, value", done.text
    assert done.of("print value").endswith(" = 3") and done.of("print two", 1).endswith(" = 3"), done.text


def test_completion_says_nothing_of_python() -> None:
    """GDB first asks at which characters a word ends."""
    commands = ["break insert", "complete condition ", "complete print -pre", "complete print v0"]
    done = harness.run(commands, program=PROGRAM)
    assert done.of("complete condition ") == "condition 1" and "Python" not in done.text, done.text
    assert done.of("complete print -pre") == "print -pretty", done.text


def test_in_a_c_function_a_line_says_how_to_select_its_compiled_caller() -> None:
    """Commands of jitscope are about the caller, and say so."""
    commands = ["break numba_fmod", "run", "print v[:1]", "jit locals", "frame 1", "print v + 1"]
    done = harness.run(commands, program="c_helper.py", env={"JITSCOPE_LEVEL": "steps"})
    assert done.of("print v[:1]").endswith("`frame 1` selects modulo, which has called it"), done.text
    said = r"in numba_fmod, called from modulo at c_helper\.py:\d+: the variables are those of modulo\n"
    assert re.match(said, done.of("jit locals")) and "\nv = " in done.of("jit locals"), done.text
    assert done.of("print v + 1").endswith(" = 8.5"), done.text


def test_variables_that_have_names_of_types() -> None:
    """GDB reads such names as C's in an expression, and shows `signed` of C as `int`."""
    at = f"c_words.py:{line_of('c_words.py', 'words')}"
    done = harness.run(
        [
            *(f"break {at} if short == 1", f"break {at} if union == 5", f"break {at}", "condition 3 unsigned < short"),
            *("run", "bt 1", "info args", "info locals", "jit locals", "print short"),
            *("print long", "continue", "print union", "continue", "info args", "info breakpoints"),
        ],
        program="c_words.py",
        env={"JITSCOPE_LEVEL": "steps"},
    )
    assert not done.timed_out, done.text
    known = "short = 1\nunsigned = 2.5\nunion = 6"
    assert re.search(r"^#0 +(0x\w+ in )?signed \(short=1, unsigned=2.5, union=6\) at ", done.of("bt 1")), done.text
    assert done.of("info args") == known and done.of("info locals").startswith("long = 2\n"), done.text
    assert done.of("jit locals").startswith(f"{known}\nlong = 2\n"), done.text
    assert done.of("print short").endswith(" = 1") and done.of("print long").endswith(" = 2"), done.text
    assert done.of("print union").endswith(" = 5"), done.text
    assert done.of("info args", 1) == "short = 3\nunsigned = 2.5\nunion = 4", done.text
    assert re.search(r" in signed at .*c_words\.py:", done.of("info breakpoints")), done.text
