"""Functions that are compiled without debug information have their lines, the frames of inlined functions and their
arguments, and the code that Numba makes without jitscope."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "lines_only.py"
# otherwise the program's own functions would be compiled for stepping where GDB starts it
LINES = {"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines", "NUMBA_NUM_THREADS": "2"}
LOOK = ["bt", "bt -no-filters", "jit bt", "jit locals", "up", "jit locals"]


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


def frames(text: str) -> list[str]:
    """Return the frames of `jit bt` without their folders."""
    return [re.sub(r"/\S*/", "", line) for line in text.splitlines() if line.startswith("#")]


def crashed(where: str, *more: str, **env: str) -> Transcript:
    return harness.run(["run", *LOOK, *more], program=PROGRAM, arguments=[where], env={**LINES, **env})


@pytest.fixture(scope="module")
def direct() -> Transcript:
    return crashed("direct", "jit functions -json", "jit status", "info source")


@pytest.fixture(scope="module")
def inlined() -> Transcript:
    return crashed("inlined", "frame 0", "jit why k", "jit print k", "frame 1", "jit why whole")


@pytest.fixture(scope="module")
def worker() -> Transcript:
    return crashed("worker")


def test_a_fault_in_a_function_that_python_calls(direct: Transcript) -> None:
    """LLVM has inlined the function in the wrapper by which Python calls it, or calls it there."""
    assert f"{line_of(PROGRAM, 'write')}\t    values[place] = values[0] + k" in direct.of("run"), direct.text
    assert "is outside axis 0 of `values` (10 elements)" in direct.of("run"), direct.text
    assert frames(direct.of("jit bt"))[0] == (
        f"#0  write (values=array(float64, shape=(10,)), k=99999) at {at('write')}"
    ), direct.text


def test_arguments_have_values_and_other_variables_a_label(direct: Transcript) -> None:
    shown = direct.of("jit locals").splitlines()
    assert shown == ["values = array([0., 1., 2., 3., 4., 5., 6., 7., 8., 9.])", "k = 99999", "place = <optimized out>"]


def test_the_level_is_listed(direct: Transcript) -> None:
    functions = [each for each in json.loads(direct.of("jit functions -json")) if each["module"] == "__main__"]
    assert {each["level"] for each in functions} == {"lines"}, functions
    assert {each["chosen_by"] for each in functions} == {"default"}, functions
    assert "lines" in direct.of("jit status"), direct.text


def test_an_inlined_function_has_a_frame(inlined: Transcript) -> None:
    first, second = frames(inlined.of("jit bt"))[:2]
    assert re.fullmatch(rf"#0  write \(.*\) at {at('write')}", first), inlined.text
    assert second == (f"#1  total (cells=array(float64, shape=(10,)), low=0.0, high=5.0, k=99999) at {at('call')}"), (
        inlined.text
    )


def test_an_argument_of_an_inlined_function_is_the_variable_that_is_passed(inlined: Transcript) -> None:
    """So the fault in it is explained, too. Nothing says where the statements of inlined code begin."""
    assert inlined.of("jit locals").splitlines()[0] == (
        "values = array([0., 1., 2., 3., 4., 5., 6., 7., 8., 9.]) <elements may be older or newer: the statement at "
        f"{at('write')} may be moved where it is inlined>"
    )
    assert "(`place`) is outside axis 0 of `values` (10 elements)" in inlined.of("run"), inlined.text


def test_an_inlined_function_has_its_own_variables(inlined: Transcript) -> None:
    """The names of the function around it are none of its own: both have a `k`."""
    assert {line.split(" = ")[0] for line in inlined.of("jit locals").splitlines()} == {"values", "k", "place"}
    assert {"cells", "whole"} <= {line.split(" = ")[0] for line in inlined.of("jit locals", 1).splitlines()}


def test_what_to_type_for_more(inlined: Transcript) -> None:
    """After a fault there is no next call that `jit level` could have compiled."""
    assert inlined.of("jit why whole").splitlines()[-1] == (
        "start the program with `jitscope run --all-code`: its functions are then compiled for stepping"
    ), inlined.text


def test_the_body_of_a_parallel_loop_has_a_frame(worker: Transcript) -> None:
    found = frames(worker.of("jit bt"))
    assert [line.split()[1] for line in found[:4]] == ["write", "total", "rows.prange", "rows"], worker.text
    assert f" at {at('body')}" in found[2] and f" at {at('header')}" in found[3], worker.text


def test_gdbs_own_stack_names_them(worker: Transcript) -> None:
    wrapper = r"#\d +0x[0-9a-f]+ in rows\.prange\[gufunc-wrapper\] \(\)"
    assert re.search(wrapper, worker.of("bt -no-filters")) and "rows.prange ()" in worker.of("bt"), worker.text


def test_a_condition_on_an_argument() -> None:
    commands = ["set breakpoint pending on", f"break {at('write')} if k == 99999", "run", "print k", "continue"]
    done = harness.run(commands, program=PROGRAM, arguments=["direct"], env=LINES)
    assert done.of("print k").endswith("= 99999"), done.text
    assert "SIGSEGV" in done.of("continue"), done.text


def test_a_process_that_nobody_prepared() -> None:
    """The default: no debugger is there when the functions are compiled."""
    with harness.target(PROGRAM, env={**LINES, "JITSCOPE_DEBUG": ""}) as pid:
        done = harness.run(["jit bt", "jit locals", "detach"], pid=pid, env=LINES)
    assert frames(done.of("jit bt"))[0].split(" at ")[0].endswith("spin (cells=array(float64, shape=(10,)), n=7)"), (
        done.text
    )
    assert "n = 7" in done.of("jit locals").splitlines(), done.text


AROUND = "lines_around.py"


@pytest.fixture(scope="module")
def around() -> Transcript:
    """Stops in inlined functions whose arguments are not the variables at the call."""
    places = [(AROUND, "narrow"), (AROUND, "element"), ("lines_around_other.py", "leaf")]
    commands = ["set breakpoint pending on"]
    for file, mark in places:
        commands += [f"tbreak {file}:{line_of(file, mark)}"]
    commands += ["run", "jit bt", "continue", "jit bt", "continue", "jit bt"]
    return harness.run(commands, program=AROUND, env=LINES)


@pytest.mark.parametrize(("stop", "name"), [(0, "narrow"), (1, "element"), (2, "leaf")])
def test_an_argument_that_the_call_converts_or_takes_apart_is_not_shown(
    around: Transcript, stop: int, name: str
) -> None:
    """The variable is an int64 for an int32, or an array for its elements; or the line is of another file."""
    first, second = frames(around.of("jit bt", stop))[:2]
    assert first.startswith(f"#0  {name} (") and "array" not in first and "=4294967297" not in first, around.text
    assert "__numba" not in second, around.text


def test_off() -> None:
    done = crashed("direct", "jit functions", JITSCOPE_DEBUG="off")
    assert "write(array(float64, 1d, C), int64)  no debug info" in done.of("jit functions"), done.text


# Writes what is asked of the source: the line, and the name that is asked for there.
QUESTIONS = """python
from jitscope_gdb.target import sources
find = sources.flow
def asked(debuggee, path, line, name):
    print("asked for", line, name)
    return find(debuggee, path, line, name)
sources.flow = asked
"""


def test_wrappers_are_not_taken_for_classes(tmp_path: pathlib.Path) -> None:
    """They have no line, and a question about line 0 is one about a class, for which GDB goes through the program's
    modules at each object."""
    script = tmp_path / "questions.gdb"
    script.write_text(QUESTIONS + "end\n")
    said = harness.run([f"source {script}", "run"], program=PROGRAM, arguments=["direct"], env=LINES).of("run")
    assert re.search(r"^asked for [1-9]\d* write\(", said, re.M), said
    assert "asked for 0 " not in said, said
