"""The `jit` commands and the feeding of corrected objects, on real processes and cores."""

from __future__ import annotations

import ast
import json
import pathlib
import re
import shutil
import subprocess
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.harness import JITSCOPE, Transcript
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import first_gdb, newest_python

OPT0 = {"NUMBA_OPT": "0"}

VALUES = """\
import numpy as np
from numba import njit


@njit(debug=True)
def keep(a, n, t, s, flag):
    b = a[0] + n  # at: stop
    c = (b, flag)
    return c


@njit(debug=True)
def calls(a, n, t, s, flag):
    return keep(a, n, t, s, flag)


def main(depth):
    if depth:
        return main(depth - 1)
    return calls(np.arange(6.0), 7, (1, 2.5), "héllo", True)


main(3)
"""

RESULTS = """\
import numpy as np
from numba import njit


@njit(debug=True)
def array_of(n):
    a = np.zeros(n)
    a[0] = 1.5
    return a


@njit(debug=True)
def triple(n):
    return n * 3


@njit(debug=True)
def half(n):
    return n * 0.5


@njit(debug=True)
def is_even(n):
    return n % 2 == 0


@njit(debug=True)
def refuse(n):
    if n > 3:
        raise ValueError("too large")
    return None


@njit(debug=True)
def least(a, b, more):
    return min(a[0], b[0]) + more


array_of(3), triple(4), half(5), is_even(6), least(np.ones(2), np.ones(3), 1.5), refuse(1)
try:
    refuse(5)
except ValueError:
    pass
"""

REGION = """\
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def region(a, one):
    total = 0
    for i in prange(a.shape[0]):  # at: loop
        k = one
        while k > 0:
            k = k + a[i] * one
        total += k
    return total


@njit(debug=True)
def outer(a):
    return region(a, 1)


def main():
    print("ready", flush=True)
    outer(np.arange(1, 9))


main()
"""

CLOSED = """\
import os
import signal
import numba


@numba.njit(debug=True)
def foo(a):
    return a + 1


foo(1)
foo.overloads[(numba.int64,)].library._codegen._engine._ee.close()
print("closed", flush=True)
os.kill(os.getpid(), signal.SIGUSR1)
os._exit(0)
"""


@pytest.fixture
def program(tmp_path: pathlib.Path) -> Any:
    def write(text: str, name: str = "program.py") -> pathlib.Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def parsed(transcript: Transcript, command: str, schema: str) -> Any:
    """Return the JSON that a command printed, which must fit its schema."""
    found = json.loads(transcript.of(command).splitlines()[-1])
    jsonschema.validate(found, json.loads((SCHEMAS / f"{schema}.json").read_text()))
    return found


def fed(transcript: Transcript, command: str) -> list[str]:
    """Return the corrected files that GDB had, as FILES printed them."""
    return re.findall(r"jit-\d+\.o", transcript.of(command))


FILES = "python print([o.filename for o in gdb.objfiles() if 'jitscope-' in (o.filename or '')])"


# Forms of Python that an expression does not have: the text, the column of the mark, the name of the form.
NOT_SUPPORTED = (
    ("f'{n}'", 0, "f-strings are"),
    ("[x for x in a]", 3, "comprehensions are"),
    ("sum(x for x in a)", 6, "generator expressions are"),
    ("max(a, key=lambda x: x)", 11, "lambda is"),
    ("(n := 3)", 3, "':=' is"),
    ("await n", 0, "await is"),
    ("max(*a)", 4, "unpacking with * is"),
    ("{1: n}", 0, "a dictionary or a set is"),
)


@pytest.mark.xdist_group("queries")
class TestQueries:
    @pytest.fixture(scope="class")
    def shown(self, tmp_path_factory: pytest.TempPathFactory) -> Transcript:
        path = tmp_path_factory.mktemp("queries") / "values.py"
        path.write_text(VALUES, encoding="utf-8")
        return harness.run(
            [
                "break keep",
                "run",
                "jit status",
                "jit status -json",
                "jit functions keep",
                "jit functions -json",
                "jit functions -types -json keep",
                "jit functions -all -json",
                "jit functions (",
                "jit args",
                "jit args -json",
                "jit locals -json",
                "jit locals -versions -json",
                "jit why -json c",
                "jit why c",
                "jit why nothing",
                "jit print -json a",
                "jit print a[1:5:2]",
                "jit print t[1]",
                "jit print a[9]",
                "jit print (a > 2).sum() + n",
                "jit print -json a[a > 2][:2] * 2.5",
                "jit print a +* n",
                *(f"jit print {text}" for text, _, _ in NOT_SUPPORTED),
                "jit print -json (a",
                "jit print nothing + 1",
                "jit array a",
                "jit array -json -x -plot -where 'x > 2' -diff 'a * 2' a",
                "jit array -json -slice 1:3 a",
                "jit array -json nothing",
                "jit array -slice '1:*' a",
                "jit array n",
                "jit array a[1:3] * (1 - 0.5j)",
                "jit array -where a",
                "jit array a -slcie 1:3",
                "jit print n -jsno",
                "jit array -save a.xyz a",
                "jit array",
                "jit print -json c + 1",
                "jit print s.upper() if flag else None",
                'print $jit("a.max() + n")',
                'print $jit("a +* n")',
                "print a.shape",
                "print a.data[3]",
                "print a.meminfo",
                "print a.meminfo->refct",
                "print a",
                "print $.data[3] + $.nitems",
                "print a[3]",
                "call a[3]",
                "jit print",
                'print $jit("n") + 1',
                'print $jit("s")',
                'printf "%s|%s|%d\\n", $jit_str("s"), $jit("a[:2]"), $jit("n")',
                'print $jit_str("s")',
                "jit bt",
                "jit bt 2",
                "jit bt -2",
                "jit bt -all",
                "jit bt -full 1",
                "jit bt -json",
                "jit bt -full -all -json",
                "jit bt many",
                "jit bt -wrong",
                "frame 2",
                "jit locals",
                "frame 0",
                "complete jit print ",
                "complete jit why c",
                "complete jit functions -",
                "complete jit f",
                "show jitscope",
                "help jit finish",
            ],
            program=path,
            env=OPT0,
        )

    def test_status(self, shown: Transcript) -> None:
        found = parsed(shown, "jit status -json", "status")
        assert found["jit"] and found["numba"] and found["python"]
        assert found["with_debug_info"] >= 2 and found["missing"] == []
        assert re.search(r"process \d+, CPython 3\.\d+\.\d+, Numba is loaded", shown.of("jit status"))

    def test_functions(self, shown: Transcript) -> None:
        names = {f["name"] for f in parsed(shown, "jit functions -json", "functions")}
        assert {"keep", "calls"} <= names
        typed = parsed(shown, "jit functions -types -json keep", "functions")
        assert {f["name"] for f in typed} == {"keep"}
        assert {"name": "n", "type": "int64"}.items() <= next(
            v for v in typed[0]["variables"] if v["name"] == "n"
        ).items()
        wrappers = {f["kind"] for f in parsed(shown, "jit functions -all -json", "functions")}
        assert "cpython-wrapper" in wrappers
        assert shown.of("jit functions (") == "'(' is no regular expression"
        assert shown.of("jit functions keep").startswith("keep(array(float64, 1d, C), int64, ")

    def test_arguments(self, shown: Transcript) -> None:
        arguments = {v["name"]: v for v in parsed(shown, "jit args -json", "locals")}
        assert list(arguments) == ["a", "n", "t", "s", "flag"]
        assert arguments["n"]["value"] == 7 and arguments["flag"]["value"] is True
        assert arguments["a"]["value"] == {"shape": [6], "data": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]}
        assert arguments["t"]["value"] == {"tuple": [1, 2.5]} and arguments["s"]["value"] == "héllo"

    def test_arguments_as_text(self, shown: Transcript) -> None:
        assert "n = 7" in shown.of("jit args").splitlines()

    def test_a_variable_that_is_assigned_later_is_not_exact(self, shown: Transcript) -> None:
        every = {v["name"]: v for v in parsed(shown, "jit locals -json", "locals")}
        assert every["c"]["state"] != "exact"

    def test_versions_of_variables_fit_their_schema(self, shown: Transcript) -> None:
        parsed(shown, "jit locals -versions -json", "locals")

    def test_why(self, shown: Transcript) -> None:
        found = parsed(shown, "jit why -json c", "why")
        assert found["state"] != "exact" and found["why"]
        assert found["why"] in shown.of("jit why c")
        assert shown.of("jit why nothing").startswith("no variable 'nothing' in this compiled function")

    def test_print(self, shown: Transcript) -> None:
        assert parsed(shown, "jit print -json a", "print")["value"]["shape"] == [6]
        assert shown.of("jit print a[1:5:2]") == "array([1., 3.])"
        assert shown.of("jit print t[1]") == "2.5"
        assert shown.of("jit print a[9]").startswith("IndexError: ")
        assert shown.of("jit print") == "Usage: jit print [-json] [--] EXPR"

    def test_expressions(self, shown: Transcript) -> None:
        assert shown.of("jit print (a > 2).sum() + n") == "10"
        assert shown.of("jit print s.upper() if flag else None") == "'HÉLLO'"

    def test_an_expression_in_json(self, shown: Transcript) -> None:
        found = parsed(shown, "jit print -json a[a > 2][:2] * 2.5", "print")
        assert found["value"] == {"shape": [2], "data": [7.5, 10.0]} and found["type"] == "array(float64, 1d, C)"

    def test_an_expression_that_is_wrong_is_marked(self, shown: Transcript) -> None:
        assert shown.of("jit print a +* n").splitlines() == ["a +* n", "   ^", "SyntaxError: invalid syntax"]

    def test_where_an_expression_is_wrong_in_json(self, shown: Transcript) -> None:
        wrong = parsed(shown, "jit print -json (a", "print")
        assert (wrong["error"], wrong["offset"]) == ("SyntaxError: '(' was never closed", 0)

    def test_an_expression_with_a_name_that_is_not_there(self, shown: Transcript) -> None:
        assert shown.of("jit print nothing + 1") == "NameError: name 'nothing' is not defined"

    def test_an_expression_of_a_variable_without_a_value(self, shown: Transcript) -> None:
        assert parsed(shown, "jit print -json c + 1", "print")["error"] == "`c` is <unassigned>"

    def test_the_function_jit_evaluates_an_expression(self, shown: Transcript) -> None:
        assert shown.of('print $jit("a.max() + n")').endswith("= 12")
        assert shown.of('print $jit("a +* n")') == "SyntaxError: invalid syntax"

    def test_forms_that_are_not_supported(self, shown: Transcript) -> None:
        """The one error line, under the expression and a mark, names the form."""
        for text, mark, form in NOT_SUPPORTED:
            said = f"SyntaxError: {form} not supported in an expression; 'help jit print' lists what is"
            assert shown.of(f"jit print {text}").splitlines() == [text, " " * mark + "^", said]

    def test_array(self, shown: Transcript) -> None:
        text = shown.of("jit array a")
        assert "shape      (6,), 6 elements, 48 bytes" in text and "min, max   0.0, 5.0" in text
        assert re.search(r"owner      0x[0-9a-f]+, [1-9] references?\n", text) and "distinct   6" in text

    @staticmethod
    def array_of(shown: Transcript) -> Any:
        return parsed(shown, "jit array -json -x -plot -where 'x > 2' -diff 'a * 2' a", "array")

    def test_statistics_of_an_array(self, shown: Transcript) -> None:
        found = self.array_of(shown)
        assert found["statistics"]["mean"] == 2.5 and found["order"] == "CF"

    def test_elements_of_an_array_for_which_a_condition_holds(self, shown: Transcript) -> None:
        assert self.array_of(shown)["where"] == {"indices": [[3], [4], [5]], "values": [3.0, 4.0, 5.0], "count": 3}

    def test_the_difference_of_two_arrays(self, shown: Transcript) -> None:
        difference = self.array_of(shown)["difference"]
        assert difference["count"] == 5 and difference["largest_relative_error"] == 0.5

    def test_the_plot_of_an_array(self, shown: Transcript) -> None:
        assert self.array_of(shown)["plot"]["low"] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]

    def test_members_of_an_array(self, shown: Transcript) -> None:
        assert [m["name"] for m in self.array_of(shown)["members"]][-2:] == ["shape", "strides"]

    def test_a_slice_of_an_array(self, shown: Transcript) -> None:
        assert parsed(shown, "jit array -json -slice 1:3 a", "array")["shape"] == [2]
        assert shown.of("jit array -slice '1:*' a").splitlines()[:2] == ["(a)[1:*]", "      ^"]

    def test_an_array_that_an_expression_makes(self, shown: Transcript) -> None:
        assert "min, max   (1-0.5j), (2-1j)" in shown.of("jit array a[1:3] * (1 - 0.5j)"), shown.text

    def test_what_is_no_array(self, shown: Transcript) -> None:
        assert parsed(shown, "jit array -json nothing", "array")["error"] == "NameError: name 'nothing' is not defined"
        assert shown.of("jit array n") == "TypeError: 'int' object is no array"

    @pytest.mark.parametrize("command", ["jit array -where a", "jit array"])
    def test_how_jit_array_is_used_is_told(self, shown: Transcript, command: str) -> None:
        assert shown.of(command).startswith("Usage: jit array")

    def test_an_array_is_saved_in_known_formats(self, shown: Transcript) -> None:
        assert shown.of("jit array -save a.xyz a") == "-save writes .npy and .csv files, and a.xyz is neither"

    def test_gdbs_own_expressions(self, shown: Transcript) -> None:
        """GDB's own expressions are shown as docs/surfaces.md says."""
        assert shown.of("print a.shape").endswith("= (6,)")
        assert shown.of("print a.data[3]").endswith("= 3.0")
        count = shown.of("print a.meminfo->refct").split()[-1]
        assert re.search(rf"= <MemInfo at 0x\w+: refcount {count}, size \d+, data 0x", shown.of("print a.meminfo"))
        assert shown.of("print $.data[3] + $.nitems").endswith("= 9.0")
        assert shown.of("print a[3]").endswith("= 3.0")
        assert not shown.of("call a[3]").startswith("$")

    def test_values_in_gdb(self, shown: Transcript) -> None:
        assert shown.of('print $jit("n") + 1').endswith("= 8")
        assert "héllo" in shown.of('print $jit("s")') or "h\\303\\251llo" in shown.of('print $jit("s")')
        assert "'" not in shown.of('print $jit_str("s")')
        formatted = shown.of('printf "%s|%s|%d\\n", $jit_str("s"), $jit("a[:2]"), $jit("n")')
        assert formatted == "héllo|array([0., 1.])|7", shown.text

    def test_bt(self, shown: Transcript) -> None:
        lines = shown.of("jit bt").splitlines()
        assert re.match(r"#0 +keep \(a=array\(float64, shape=\(6,\)\), n=7, .*\) at .*values\.py:\d+$", lines[0])
        assert re.match(r"#1 +calls \(.*\) at .*values\.py:14", lines[1])
        assert re.match(r"#2 +main \(depth=0\) at .*values\.py:20 \[py\]$", lines[2])
        assert [line for line in lines if " main (depth=" in line] == lines[2:6]
        assert re.match(r"#6 +<module> \(\) at .*values\.py:23 \[py\]$", lines[6]) and len(lines) == 7

    def test_bt_of_the_innermost_frames(self, shown: Transcript) -> None:
        assert len(shown.of("jit bt 2").splitlines()) == 3
        assert shown.of("jit bt 2").endswith("(More stack frames follow...)")

    def test_bt_of_the_outermost_frames(self, shown: Transcript) -> None:
        assert shown.of("jit bt -2").splitlines() == shown.of("jit bt").splitlines()[-2:]

    def test_bt_of_all_frames(self, shown: Transcript) -> None:
        everything = shown.of("jit bt -all")
        assert "calls[cpython-wrapper] ()" in everything and "_PyEval_EvalFrameDefault" in everything

    def test_bt_with_variables(self, shown: Transcript) -> None:
        assert re.search(r"^        b = ", shown.of("jit bt -full 1"), re.M)

    def test_what_bt_does_not_take_is_told(self, shown: Transcript) -> None:
        assert "is no number of frames" in shown.of("jit bt many")
        assert shown.of("jit bt -wrong").startswith("jit bt has no option -wrong. `help jit bt`")

    def test_an_option_with_a_wrong_letter_behind_the_expression(self, shown: Transcript) -> None:
        said = "jit array has no option -slcie; did you mean -slice? `help jit array` has the details"
        assert shown.of("jit array a -slcie 1:3") == said, shown.text
        assert shown.of("jit print n -jsno").startswith("jit print has no option -jsno; did you mean -json? ")

    def test_bt_json(self, shown: Transcript) -> None:
        frames = parsed(shown, "jit bt -json", "bt")["frames"]
        assert [f["kind"] for f in frames] == ["jit"] * 2 + ["python"] * 5
        assert [f["index"] for f in frames] == list(range(7))
        full = parsed(shown, "jit bt -full -all -json", "bt")["frames"]
        assert {"wrapper", "dispatcher", "interpreter", "evaluation"} <= {f["kind"] for f in full}
        assert [v["name"] for v in full[0]["locals"]] == ["b", "c"]

    def test_wrapper_has_no_variables(self, shown: Transcript) -> None:
        assert shown.of("jit locals") == (
            "frame 2 is the compiler's cpython-wrapper of calls; `jit frame N` selects a frame of `jit bt`"
        )

    def test_completion_and_help(self, shown: Transcript) -> None:
        assert "jit print flag" in shown.of("complete jit print ").splitlines()
        assert shown.of("complete jit why c") == "jit why c"
        assert shown.of("complete jit functions -").split() == "jit functions -all jit functions -json".split() + [
            "jit",
            "functions",
            "-types",
        ]
        assert shown.of("complete jit f").splitlines() == ["jit finish", "jit frame", "jit functions"]
        assert "Whether a stop is explained is on." in shown.of("show jitscope")
        assert "Usage: jit finish [-json]" in shown.of("help jit finish")


def test_without_a_process_each_command_says_so_in_one_line() -> None:
    commands = [f"jit {name}" for name in ("bt", "locals", "args", "why x", "print x", "finish", "finish -json", "up")]
    silly = ("jit nothing", "print $jit()", "print $jit(1)", 'print $jit_str("x", 1)')
    shown = harness.run([*commands, "jit functions", "jit status", 'print $jit("x")', *silly])
    for command in (*commands, *silly):
        assert len(shown.of(command).splitlines()) == 1, command
    assert shown.of("jit nothing") == "there is no `jit nothing`; `jit` lists the commands"
    assert shown.of("print $jit(1)") == 'Usage: $jit("EXPR"), in quotes'
    assert shown.of("jit functions") == "No compiled functions."
    assert "missing: no process: run, attach PID, or core-file FILE" in shown.of("jit status")
    assert "Traceback" not in shown.text


RETURNING = """\
import os, signal
from numba import njit


@njit(debug=True)
def nothing(n):
    print(n)


@njit(debug=True)
def bare(n):
    if n > 3:
        return
    return None


@njit(debug=True)
def number(n):
    return n * 2


@njit(debug=True)
def maybe(n):
    if n > 3:
        return n
    return None


@njit(debug=True)
def literal(n):
    return "abc"


@njit(debug=True)
def counted(n):
    for i in range(n):
        yield i


@njit(debug=True)
def total(n):
    s = 0
    for i in counted(n):
        s += i
    return s


nothing(1), bare(1), number(1), maybe(1), literal(1), total(3)
os.kill(os.getpid(), signal.SIGUSR1)
"""


def test_what_functions_return(program: Any) -> None:
    """The type is `none` if the source returns nothing, and is left out if the debug information lacks it."""
    shown = harness.run(["run", "jit functions -types", "jit functions -types -json"], program=program(RETURNING))
    found = {f["name"]: f["returns"] for f in parsed(shown, "jit functions -types -json", "functions")}
    assert found["nothing"] == found["bare"] == "none", shown.text
    assert found["number"] == "i64"
    assert found["literal"] is None
    assert all(found[name] != "none" for name in ("maybe", "counted", "total")), found
    text = shown.of("jit functions -types")
    assert re.search(r"^nothing\(int64\) .*\n +n +: int64 .*\n    returns none$", text, re.M), text
    assert "*" not in text.replace("array", ""), text


def test_finish_shows_what_was_returned_or_raised(program: Any) -> None:
    """GDB's own `finish` shows it, too, after the place where it has stopped."""
    names = ["array_of", "triple", "half", "is_even", "least", "refuse"]
    commands = [f"break {name}" for name in names] + ["run"]
    for own in (True, True, False, True, True, False, True):
        commands += ["jit finish" if own else "finish", "continue"]
    shown = harness.run(commands, program=program(RESULTS))
    said = [shown.of("jit finish", n).splitlines()[-1] for n in range(5)]
    assert said == [
        "array_of returned array([1.5, 0., 0.])",
        "triple returned 12",
        "is_even returned True",
        "least returned 2.5",
        "refuse raised ValueError('too large')",
    ]
    said = [shown.of("finish", n).splitlines()[-1] for n in range(2)]
    assert said == ["half returned 2.5", "refuse returned None"]


def test_finish_that_another_breakpoint_ends(program: Any) -> None:
    commands = ["break calls", "break keep", "run", "jit finish", "jit finish -json", "jit finish -json"]
    shown = harness.run(commands, program=program(VALUES), env=OPT0)
    assert "hit Breakpoint 2" in shown.of("jit finish") and "returned" not in shown.of("jit finish")
    assert parsed(shown, "jit finish -json", "finish")["returned"]["state"] in ("exact", "unknown")


def test_a_thousand_python_frames(program: Any) -> None:
    text = VALUES.replace("main(3)", "import sys\nsys.setrecursionlimit(3000)\nmain(1000)")
    shown = harness.run(["break keep", "run", "jit bt", "jit bt 5"], program=program(text))
    assert re.findall(r" main \(depth=(\d+)\) at ", shown.of("jit bt")) == ["0", "1", "2", "1000"]
    assert "\n… 997 more frames of main\n" in shown.of("jit bt")
    assert len(shown.of("jit bt 5").splitlines()) == 6


class TestFeeding:
    def test_run_twice_and_kill(self) -> None:
        commands = ["break foo", "run", FILES, "run", "bt 1", FILES, "kill", FILES, "info breakpoints", "run", "bt 1"]
        shown = harness.run(commands, program="chk.py")
        assert len(fed(shown, FILES)) == 2
        for occurrence in (0, 1):
            assert "foo (a=123) at " in shown.of("bt 1", occurrence)
        assert shown.of(FILES, 2) == "[]"
        assert re.search(r"1 +breakpoint +keep y +<PENDING> +foo", shown.of("info breakpoints"))
        assert "annot" not in shown.text  # Cannot insert breakpoint, cannot access memory

    def test_two_inferiors_have_their_own_functions(self, program: Any) -> None:
        second = program(VALUES)
        commands = [
            "break foo",
            "run",
            f"add-inferior -exec {newest_python()}",
            "inferior 2",
            f"set args {second}",
            "break keep",
            "run",
            "jit functions -json",
            "jit bt 1",
            "inferior 1",
            "jit functions -json",
            "jit bt 1",
            "kill inferiors 2",
            "jit bt 1",
            "continue",
        ]
        shown = harness.run(commands, program="chk.py")
        names = [{f["name"] for f in json.loads(shown.of("jit functions -json", n))} for n in (0, 1)]
        assert "keep" in names[0] and "foo" not in names[0], shown.text
        assert "foo" in names[1] and "keep" not in names[1]
        assert "keep (" in shown.of("jit bt 1", 0)
        assert "foo (a=123)" in shown.of("jit bt 1", 1) and "foo (a=123)" in shown.of("jit bt 1", 2)
        assert "287.82" in shown.of("continue")

    def test_code_that_was_taken_back_is_forgotten(self, program: Any) -> None:
        commands = ["break foo", "run", "continue", "info breakpoints", "jit functions", FILES, "continue"]
        shown = harness.run(commands, program=program(CLOSED))
        assert "hit Breakpoint 1" in shown.of("run")
        assert "SIGUSR1" in shown.of("continue")
        assert "<PENDING>" in shown.of("info breakpoints")
        assert shown.of("jit functions") == "No compiled functions."
        assert shown.of(FILES) == "[]"

    def test_attach_and_detach(self, program: Any) -> None:
        with harness.target(program(REGION), env={"NUMBA_NUM_THREADS": "2"}) as pid:
            wait_for_compilation(pid)
            shown = harness.run([FILES, "jit functions", "detach", FILES, "jit functions"], pid=pid)
        assert len(fed(shown, FILES)) == 1  # all the objects in one file
        assert "region(" in shown.of("jit functions")
        assert shown.of(FILES, 1) == "[]" and shown.of("jit functions", 1) == "No compiled functions."

    def test_sourced_after_attach_and_twice(self, program: Any) -> None:
        with harness.target(program(REGION), env={"NUMBA_NUM_THREADS": "2"}) as pid:
            wait_for_compilation(pid)
            source = f"source {JITSCOPE}"
            shown = harness.run([source, source, FILES, "jit functions"], pid=pid, jitscope=True)
        assert shown.of(source, -1) == ""
        assert "region(" in shown.of("jit functions")

    def test_each_object_knows_the_file_that_holds_it(self, program: Any) -> None:
        """Kernels are written later than the objects that are registered after them."""
        python = (
            "python from jitscope_shared.base import native; from jitscope_gdb.target import target; "
            "of = target.current(); print([(f['name'], of.feed.objects[f['object']].file, "
            "gdb.execute('info symbol %d' % f['low'], False, True)) "
            "for f in native.json_of('js_program_functions', of.program, None, 0, 1)])"
        )
        shown = harness.run(["break outer", "run", python], program=program(REGION), env={"NUMBA_NUM_THREADS": "2"})
        found = ast.literal_eval(shown.of(python).splitlines()[-1])
        assert {"outer", "region", "region.prange"} <= {name for name, _, _ in found}
        assert len({file for _, file, _ in found}) > 1
        for name, file, symbol in found:
            assert symbol.rstrip().endswith(f" of {file}"), (name, file, symbol)

    def test_off_means_that_gdb_reads_the_objects(self) -> None:
        commands = ["set jitscope enabled off", "break chk.py:8", "run", "bt 1", "jit status", FILES]
        shown = harness.run(commands, program="chk.py")
        assert shown.of(FILES) == "[]"
        assert "set jitscope enabled on" in shown.of("jit status")

    def test_files_are_private_and_go_with_gdb(self) -> None:
        python = (
            "python import os, stat; d = {os.path.dirname(o.filename) for o in gdb.objfiles() "
            "if 'jitscope-' in (o.filename or '')}.pop(); print(d, oct(stat.S_IMODE(os.stat(d).st_mode)))"
        )
        shown = harness.run(["break foo", "run", python], program="chk.py")
        folder, mode = shown.of(python).split()
        assert mode == "0o700"
        assert not pathlib.Path(folder).exists()


def wait_for_compilation(pid: int) -> None:
    """Wait until the program is in its endless loop: two threads run, in several successive looks."""
    import time

    def ticks() -> int:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11])

    # Compilation is single-threaded Python; the loop keeps as many cores busy as there are threads.
    busy = 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and busy < 3:
        states = [
            (task / "stat").read_text().rpartition(")")[2].split()[0]
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
        ]
        busy = busy + 1 if states.count("R") >= 2 else 0
        time.sleep(0.2)


@pytest.mark.parametrize("settings", [harness.QUICK, harness.QUIET], ids=["libc-stripped", "libc-with-its-symbols"])
def test_worker_is_joined_to_the_function_that_started_the_region(program: Any, settings: tuple[str, ...]) -> None:
    path = program(REGION)
    loop = harness.line_of(path, "loop")
    with harness.target(path, env={"NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "workqueue"}) as pid:
        wait_for_compilation(pid)
        find = (
            "python exec('for t in gdb.selected_inferior().threads():\\n t.switch()\\n"
            ' if str(gdb.newest_frame().name()).startswith("region"): break\')'
        )
        shown = harness.run([find, "jit bt", "jit bt -json", "thread 1", "jit bt"], pid=pid, settings=settings)
    lines = shown.of("jit bt").splitlines()
    assert re.match(
        rf"#0 +region\.prange \(.*\) at .*program\.py:\d+, iterations \d\.\.\d of the loop at line {loop}$", lines[0]
    ), shown.text
    assert lines[1] == "--- region started by thread 1 ---"
    assert re.match(rf"#1 +region \(.*\) at .*program\.py:{loop}$", lines[2])
    assert re.match(r"#2 +outer \(.*\) at .*program\.py:18", lines[3])
    assert [re.sub(r"#\d+ +", "", line).split(" ")[0] for line in lines[4:6]] == ["main", "<module>"]
    assert lines[6].startswith("---")  # what the other workers do
    assert {"kind": "region", "thread": 1, "native_id": pid} in parsed(shown, "jit bt -json", "bt")["frames"]
    assert re.search(r"region \(.*\n.*outer \(.*\n.*main \(\) .*\[py\]\n.*<module> ", shown.of("jit bt", 1))


def test_the_inferior_dies_in_the_middle(program: Any) -> None:
    kill = "python import os, signal, time; os.kill(gdb.selected_inferior().pid, signal.SIGKILL); time.sleep(0.5)"
    commands = ["break keep", "run", kill, "jit bt", "jit locals", "jit print a", "jit status", "info threads"]
    shown = harness.run(commands, program=program(VALUES))
    assert not shown.timed_out
    assert "Traceback" not in shown.text
    for command in ("jit print a", "jit locals"):
        assert "internal" not in shown.of(command) and shown.of(command)


def test_core_and_core_without_executable(tmp_path: pathlib.Path) -> None:
    core = tmp_path / "core"
    harness.run(["break chk.py:8", "run", f"generate-core-file {core}", "kill"], program="chk.py", jitscope=False)
    commands = ["jit bt", "jit status", "jit finish"]
    shown = harness.run(commands, core=core)
    assert re.match(r"#0 +foo \(a=123\) at ", shown.of("jit bt"))
    assert "core of process" in shown.of("jit status")
    assert shown.of("jit finish") == "a core cannot run: `run` or `attach` first"
    alone = tmp_path / "alone"
    alone.mkdir()
    gdb = [first_gdb(), "-nx", "-batch", "-q", "-ex", f"source {JITSCOPE}", "-ex", f"core-file {core}"]
    output = subprocess.run(
        [*gdb, "-ex", "jit bt", "-ex", "jit status", "-ex", "jit locals"],
        cwd=alone,
        env=harness.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    text = output.stdout + output.stderr
    assert "Traceback" not in text and "#0" in text


class TestStart:
    def run(self, source: pathlib.Path = JITSCOPE, before: str = "echo", **env: str) -> str:
        return harness.run([before, f"source {source}", "jit status"], jitscope=True, env=env, source="/dev/null").text  # type: ignore[arg-type]

    def test_missing_library(self) -> None:
        text = self.run(JITSCOPE_INSPECT_LIBRARY="/nowhere/lib.so")
        assert "jitscope: JITSCOPE_INSPECT_LIBRARY names /nowhere/lib.so, which is missing" in text
        assert "Traceback" not in text

    def test_checkout_that_is_not_built(self, tmp_path: pathlib.Path) -> None:
        checkout = tmp_path / "a checkout"
        shutil.copytree(JITSCOPE.parent, checkout / "gdbext")
        (checkout / "scripts").mkdir()
        (checkout / "scripts" / "setup").touch()
        text = self.run(checkout / "gdbext" / "jitscope.py", JITSCOPE_INSPECT_LIBRARY="")
        assert f"libjitscope-inspect.so is missing: run scripts/setup in {checkout}" in text
        assert "Traceback" not in text

    def test_library_of_another_version(self) -> None:
        other = next(pathlib.Path("/usr/lib").glob("*/libm.so.6"))
        text = self.run(JITSCOPE_INSPECT_LIBRARY=str(other))
        assert f"jitscope: {other} is of jitscope another version" in text
        assert "Traceback" not in text

    def test_another_reader(self, tmp_path: pathlib.Path) -> None:
        where = "python import jitscope_shared.base.native as n; print(n.path)"
        library = harness.run([where]).of(where).strip()
        other = tmp_path / "other.so"
        shutil.copy(library, other)
        text = self.run(before=f"jit-reader-load {other}")
        assert "another JIT reader is loaded: run jit-reader-unload" in text
        assert "Traceback" not in text


@pytest.mark.xdist_group("printers")
class TestPrinters:
    @pytest.fixture(scope="class")
    def shown(self, tmp_path_factory: pytest.TempPathFactory) -> Transcript:
        path = tmp_path_factory.mktemp("printers") / "values.py"
        path.write_text(VALUES, encoding="utf-8")
        mi = "interpreter-exec mi"
        return harness.run(
            [
                "break keep",
                "run",
                "print a",
                "print/r t",
                "print t",
                "print flag",
                "set print elements 2",
                "print a",
                "set print elements 200",
                f'{mi} "-enable-pretty-printing"',
                f'{mi} "-var-create v @ a"',
                f'{mi} "-var-list-children --all-values v"',
                f'{mi} "-var-create w @ t"',
                f'{mi} "-var-list-children --all-values w"',
                f'{mi} "-stack-list-variables --all-values"',
                "info pretty-printer global jitscope",
            ],
            program=path,
            env=OPT0,
        )

    def test_console(self, shown: Transcript) -> None:
        assert shown.of("print a") == "$1 = array([0., 1., 2., 3., 4., 5.])"
        assert shown.of("print/r t").startswith("$2 = {")
        assert shown.of("print t") == "$3 = (1, 2.5)"
        assert shown.of("print flag") == "$4 = True"
        assert shown.of("print a", 1) == "$5 = array([0., 1., ...])"
        assert "jitscope" in shown.of("info pretty-printer global jitscope")

    def test_machine_interface(self, shown: Transcript) -> None:
        children = shown.of('interpreter-exec mi "-var-list-children --all-values v"')
        assert re.findall(r'exp="(\[\d+\])",numchild="0",value="([^"]*)"', children) == [
            (f"[{n}]", f"{n}.0") for n in range(6)
        ]
        assert 'numchild="2"' in shown.of('interpreter-exec mi "-var-list-children --all-values w"')
        assert 'name="t",arg="1",value="(1, 2.5)"' in shown.of(
            'interpreter-exec mi "-stack-list-variables --all-values"'
        )


INTERRUPTED = """
import os, signal, threading, time
for command in ("jit print a.sum()", "jit array a"):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    try:
        gdb.execute(command, to_string=True)
        said = "nothing"
    except gdb.error as error:
        said = str(error)
    print(said, "soon" if time.monotonic() - started < 10 else "late")
"""

ENDLESS = """
import numpy as np
from numba import njit

@njit(debug=True)
def keep(a):
    return a.shape

keep(np.broadcast_to(np.arange(2.0), (10**12, 2)))
"""


def test_ctrl_c_ends_what_takes_long(tmp_path: pathlib.Path) -> None:
    program, script = tmp_path / "endless.py", tmp_path / "interrupted.py"
    program.write_text(ENDLESS)
    script.write_text(INTERRUPTED)
    shown = harness.run(["break keep", "run", f"source {script}", "jit print a[5] + 1"], program=program, env=OPT0)
    assert shown.of(f"source {script}").splitlines()[-2:] == ["Quit soon", "Quit soon"]
    assert shown.of("jit print a[5] + 1") == "array([1., 2.])"
