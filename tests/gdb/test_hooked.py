"""Functions compiled with jitscope's hook, through the corrector: the places where they stop, and the values there."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "hooked.py"
KEEP = (
    "python import shutil; "
    "[shutil.copy(o.filename, '{0}') for o in gdb.objfiles() if '/jitscope-' in o.filename and '/jit-' in o.filename]"
)
ENTRY = (
    "python import json; low = json.loads(gdb.execute('jit functions -json ^stroll$', to_string=True))[0]['low']; "
    "gdb.execute(f'tbreak *{low}')"
)
TO_RETURN = (
    'python exec(\'while not gdb.execute("x/i $pc", to_string=True).split()[-1] == "ret": '
    'gdb.execute("nexti", to_string=True)\')'
)


def run(level: str, *commands: str, arguments: tuple[str, ...] = ()) -> harness.Transcript:
    done = harness.run(commands, program=PROGRAM, arguments=arguments, env={"JITSCOPE_LEVEL": level})
    assert not done.timed_out, done.text
    return done


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


def values(text: str) -> dict[str, str]:
    return dict(re.findall(r"^(\w+) = (.*)$", text, re.M))


@pytest.mark.parametrize("level", ["steps", "exact"])
def test_function_stops_once_behind_its_prologue(level: str) -> None:
    done = run(
        level, "break stroll", "run", "info locals", "jit locals", "info args", "jit functions -json ^stroll$", "bt 1"
    )
    place = at("begin")
    assert f"stroll (a=array(float64, shape=(4,)), n=4) at {harness.PROGRAMS / place}" in done.of("run")
    assert set(values(done.of("info locals")).values()) == {"<optimized out>"}
    shown = values(done.of("jit locals"))
    assert shown["a"] == "array([0., 1., 2., 3.])" and shown["n"] == "4"
    assert shown["acc"] == shown["kind"] == "<unassigned>"
    (function,) = json.loads(done.of("jit functions -json ^stroll$"))
    assert function["level"] == level
    assert function["module"] == "__main__" and function["signature"].startswith("stroll(array(float64")


def test_each_line_stops_as_often_as_it_runs() -> None:
    marks = {"begin": 2, "loop": 9, "body": 7, "leaf": 9, "leaf-end": 9, "call": 2, "behind": 2, "changed": 2, "end": 2}
    commands = [f"break {at(mark)}" for mark in marks]
    done = run("steps", *commands, "run", *["continue"] * sum(marks.values()), "info breakpoints")
    table = done.of("info breakpoints")
    hits = dict(re.findall(r"^(\d+) .*\n(?:.*\n)??\s+breakpoint already hit (\d+) time", table, re.M))
    assert [int(hits.get(str(n), 0)) for n in range(1, len(marks) + 1)] == list(marks.values()), table


def test_values_at_steps() -> None:
    done = run(
        "steps", f"break {at('body')} if i == 2", f"break {at('changed')}", f"break {at('end')}",
        "run", "info locals", "jit locals",
        "continue", "print kind", "jit print kind",
        "continue", "print kind", "jit locals", "info locals", "print n",
    )  # fmt: skip
    assert values(done.of("info locals")) == {
        "acc": "2.0",
        "never": "<optimized out>",
        "i": "2",
        "kind": "<optimized out>",
    }
    assert values(done.of("jit locals"))["never"] == "<unassigned>"
    assert done.of("print kind") == "$1 = 4" and done.of("jit print kind") == "4"
    assert done.of("print kind", 1) == "$2 = 38.0"
    assert values(done.of("info locals", 1))["kind"] == "38.0" == values(done.of("jit locals", 1))["kind"]
    assert done.of("print n") == "$3 = 3"


def test_loops_at_exact() -> None:
    done = run(
        "exact", f"break {at('body')}", f"tbreak {at('behind')}", "run",
        "jit locals", "info locals", "jit why i", "jit why -json i",
        "delete 1", "continue", "jit locals",
    )  # fmt: skip
    assert values(done.of("jit locals"))["i"] == "<optimized out>" == values(done.of("info locals"))["i"]
    assert "innermost loop" in done.of("jit why i")
    assert "JITSCOPE_STEPS=__main__.stroll" in done.of("jit why i") and "@jitscope.steps" in done.of("jit why i")
    assert json.loads(done.of("jit why -json i"))["state"] == "optimized-out"
    behind = values(done.of("jit locals", 1))
    assert behind["acc"] == "34.0" and behind["i"] == "3" and behind["never"] == "<unassigned>"


def test_code_in_line_at_steps_has_variables_of_its_own() -> None:
    done = run(
        "steps", f"break {at('leaf')} if w == 2", "run",
        "next", "bt 2", "info locals", "jit locals", "jit print u", "next", "next",
        "up", "jit locals",
    )  # fmt: skip
    assert "leaf (v=2.0, w=2)" in done.of("run")
    assert re.search(r"#0 .*leaf \(v=2.0, w=2\).*\n#1 .*stroll \(a=", done.of("bt 2"))
    assert values(done.of("info locals")) == {"u": "4.0"}
    assert values(done.of("jit locals")) == {"v": "2.0", "w": "2", "u": "4.0"}
    assert done.of("jit print u") == "4.0"
    assert "# at: leaf-end" in done.of("next", 2)
    outer = values(done.of("jit locals", 1))
    assert outer["a"] == "array([0., 1., 2., 3.])" and outer["n"] == "4" and "v" not in outer
    assert outer["acc"] == "2.0" and outer["kind"] == "<unassigned>"


def test_code_in_line_at_exact_says_nothing_false() -> None:
    done = run(
        "exact", f"tbreak {at('call')}", "run", f"break {at('leaf')}", "continue",
        "bt 2", "jit locals", "info locals", "jit why v", "up", "jit locals",
    )  # fmt: skip
    assert re.search(r"#0 .*leaf \(v=<optimized out>.*\n#1 .*stroll \(a=", done.of("bt 2")), done.text
    assert set(values(done.of("jit locals")).values()) == {"<optimized out>"}
    assert "inlined" in done.of("jit why v")
    outer = values(done.of("jit locals", 1))
    assert outer["acc"] == "17.0" and outer["n"] == "4" and outer["kind"] == "<unassigned>"


@pytest.mark.parametrize("level", ["steps", "exact"])
def test_nothing_is_shown_where_the_function_has_not_begun(level: str) -> None:
    done = run(level, "break stroll", "run", ENTRY, "delete 1", "continue", "info locals", "info args", "jit locals")
    labels = values(done.of("info locals")) | values(done.of("info args"))
    assert "n" in labels and set(labels.values()) == {"<optimized out>"}, done.text
    shown = values(done.of("jit locals"))
    assert shown.keys() == labels.keys()
    assert all(text.startswith("<unknown: its function has not begun") for text in shown.values())


def test_nothing_is_shown_where_the_frame_is_left() -> None:
    done = run("steps", f"break {at('end')}", "run", "info locals", TO_RETURN, "x/i $pc", "info locals", "jit locals")
    assert "<optimized out>" != values(done.of("info locals"))["acc"]
    assert "ret" in done.of("x/i $pc")
    assert set(values(done.of("info locals", 1)).values()) == {"<optimized out>"}, done.text
    assert all(text.startswith("<unknown:") for text in values(done.of("jit locals")).values())


def test_a_newer_hook_is_read_as_stock() -> None:
    done = run("steps", "break stroll", "run", "jit functions -json ^stroll$", arguments=("newer",))
    assert json.loads(done.of("jit functions -json ^stroll$"))[0]["level"] == "stock"
    cure = "what it says of variables is read as stock Numba's; source the program's own jitscope here"
    assert done.text.count(f"jitscope: the program's jitscope is newer (format 9): {cure}\n") == 1


@pytest.mark.parametrize("level", ["steps", "exact"])
def test_corrected_objects_are_well_formed(level: str, tmp_path: pathlib.Path) -> None:
    run(level, f"break {at('end')}", "run", KEEP.format(tmp_path))
    objects = sorted(tmp_path.glob("*.o"))
    assert objects
    assert shutil.which("llvm-dwarfdump"), "one of the packages that scripts/setup --tests installs"
    for name in objects:
        done = subprocess.run(["llvm-dwarfdump", "--verify", name], capture_output=True, text=True, check=False)
        wrong = [text for text in done.stdout.split("error: ")[1:] if not re.search(r"<decoding error> a6 \w+", text)]
        assert not wrong, wrong  # LLVM before 19 does not know DW_OP_deref_type


def test_a_function_has_its_arguments_before_code_in_line_begins() -> None:
    """The arguments are there in GDB alone, too, which stops at the first row of either function."""
    done = harness.run(
        ["tbreak outer", "tbreak inner", "run", "bt 1", "continue", "bt 2"],
        program="called_first.py", env={"JITSCOPE_LEVEL": "exact"}, jitscope=False,
    )  # fmt: skip
    line = harness.line_of("called_first.py", "outer")
    arguments = rf"outer \(first=3, flag=true, second=9\) at .*called_first\.py:{line}$"
    assert re.search(rf"^#0 .*{arguments}", done.of("bt 1"), re.M), done.text
    assert re.search(rf"^#0 .*inner \(.*\n#1 .*{arguments}", done.of("bt 2"), re.M), done.text


def test_code_in_line_is_found_by_its_function_in_gdb_alone() -> None:
    """GDB finds it by its function, whatever else it has read of the program."""
    done = harness.run(
        ["tbreak inner", "run", "bt 2"],
        program="called_first.py", env={"JITSCOPE_LEVEL": "exact"}, jitscope=False,
    )  # fmt: skip
    assert re.search(r"^#0 .*inner \(.*\n#1 .*outer \(first=3, flag=true, second=9\)", done.of("bt 2"), re.M), done.text
