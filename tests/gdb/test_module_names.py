"""Names that a function takes from its module, and records that are its arguments, in expressions."""

from __future__ import annotations

import ast
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of
from tests.gdb.zoo import SETTINGS, one_line

PROGRAM = "module_names.py"


def texts() -> list[str]:
    """Return the expressions that the program lists."""
    source = (harness.PROGRAMS / PROGRAM).read_text()
    return re.findall(r'"([^"]+)",', source[source.index("for text in") : source.index("print(")])


@pytest.fixture(scope="module")
def seen(request: pytest.FixtureRequest) -> Transcript:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in ("use", "inner")] + ["run"]
    commands += [f"jit print {text}" for text in texts()] + ["info args", 'print $jit("LIMIT")', "jit array TABLE"]
    commands += ["jit print unused", "jit print np", "jit print np.sqrt(LIMIT - 1)", "continue"]
    commands += ["jit print hidden", "jit print LIMIT"]
    return harness.run(commands, program=PROGRAM, env=SETTINGS[request.param], timeout=200)


AT_EACH_LEVEL = pytest.mark.parametrize(
    "seen",
    [pytest.param(name, marks=pytest.mark.xdist_group(f"module-names-{name}")) for name in ("stock", "exact")],
    indirect=True,
)


@AT_EACH_LEVEL
def test_expressions_are_as_python_reads_them(seen: Transcript) -> None:
    expected = [ast.literal_eval(text) for text in re.findall(r"^EXPECT (.*)$", seen.of("run"), re.M)]
    assert len(expected) == len(texts()) > 12, seen.text
    shown = {text: seen.of(f"jit print {text}").splitlines()[-1] for text in texts()}
    assert shown == {text: one_line(wanted) for text, wanted in expected}, seen.text


@AT_EACH_LEVEL
def test_that_a_name_is_shown_as_the_module_has_it_is_told_once_where_the_program_does_not_keep_it(
    seen: Transcript, request: pytest.FixtureRequest
) -> None:
    is_stock = "[stock]" in request.node.name
    assert [seen.text.count(f"{name} is shown as the module has it now") for name in ("LIMIT", "TABLE")] == (
        [1, 1] if is_stock else [0, 0]
    ), seen.text
    assert "unused is shown" not in seen.text


@AT_EACH_LEVEL
def test_a_record_that_a_function_is_called_with(seen: Transcript) -> None:
    assert "row = (4, 2.5, b'ab')" in seen.of("info args")


@AT_EACH_LEVEL
def test_gdbs_own_expressions_read_a_name_of_the_module(seen: Transcript) -> None:
    assert seen.of('print $jit("LIMIT")').endswith("= 17")


@AT_EACH_LEVEL
def test_an_array_of_the_module(seen: Transcript) -> None:
    assert "float64, 2d" in seen.of("jit array TABLE")


@AT_EACH_LEVEL
def test_a_name_that_the_function_does_not_use(seen: Transcript) -> None:
    assert seen.of("jit print unused") == "5"


@AT_EACH_LEVEL
def test_numpy_is_no_value_but_its_functions_are_called(seen: Transcript) -> None:
    assert "NameError" in seen.of("jit print np")
    assert seen.of("jit print np.sqrt(LIMIT - 1)") == "4.0"


@AT_EACH_LEVEL
def test_a_name_of_the_function_around_hides_the_modules(seen: Transcript) -> None:
    hidden = seen.of("jit print hidden")
    assert hidden == "3" or "NameError" in hidden, hidden


@AT_EACH_LEVEL
def test_an_inner_function_reads_a_name_of_the_module(seen: Transcript) -> None:
    assert seen.of("jit print LIMIT", -1) == "17", seen.text


def test_a_function_of_the_module_is_not_called(tmp_path: pathlib.Path) -> None:
    """No value of the module is shown, and that of compiled code is the module's, so that no line says whose value is
    shown."""
    program = tmp_path / "calls.py"
    program.write_text(CALLS)
    commands = ["break calls.py:12", "run", "print twice(1)", "jit print twice(1)", "print LIMIT + 0"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "steps"})
    refused = "NotImplementedError: functions of the program are not called"
    assert [done.of(command) for command in commands[2:4]] == [refused] * 2, done.text
    assert done.of("print LIMIT + 0") == "$1 = 3", done.text


CALLS = """from numba import njit
LIMIT = 3

@njit(debug=True)
def twice(x):
    return x * 2

@njit(debug=True)
def f(n):
    m = n + LIMIT
    m = twice(m)
    return m

print(f(4))
"""


def test_names_that_c_libraries_have_too() -> None:
    """`display` shows Python's, `watch` says why it cannot, and conditions read Python's."""
    program = "c_globals.py"
    body = f"{program}:{line_of(program, 'body')}"
    names = ("limit", "errno", "environ")
    displayed = [*names, "limit + n"]
    commands = [f"break {body} if limit == 40 and errno + i == 8 and environ[0] == 3", "run"]
    commands += [f"print {name}" for name in names] + [f"display {text}" for text in displayed]
    commands += [f"watch {name}" for name in (*names, "plain")] + ["display stdout", "info display", "next"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""})
    assert f"hit Breakpoint 1, work (n=6) at {harness.PROGRAMS / program}:" in done.of("run"), done.text
    shown = ["40", "7", "(3, 4.5)"]
    assert [done.of(f"print {name}").splitlines()[-1].partition(" = ")[2] for name in names] == shown, done.text
    for text, value in zip(displayed, ["40", "7", '"(3, 4.5)"', "46"]):
        assert f'`$jit("{text}")` is displayed instead of display' in done.of(f"display {text}"), done.text
        assert re.search(rf'^\d+: \$jit\("{re.escape(text)}"\) = {re.escape(value)}$', done.of("next"), re.M), done.text
    for name in (*names, "plain"):
        assert f"`{name}` is a global of the module: compiled code has what it was" in done.of(f"watch {name}")
    assert "work has no variable `stdout`" in done.of("display stdout") and "stdout" not in done.of("info display")


def test_names_of_a_function_that_is_put_in_line() -> None:
    program = "inlined_globals.py"
    place = f"{program}:{line_of(program, 'moved')}"
    commands = [
        f"break {place} if v == limit + step",
        f'dprintf {place} if v > limit + 4 * step,"v is %d\\n", v - limit',
    ]
    commands += ["run", "jit print limit, step", "up", "jit print limit", "continue"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""})
    assert "hit Breakpoint 1" in done.of("run") and "moved (v=43)" in done.of("run"), done.text
    assert done.of("jit print limit, step").endswith("(40, 3)"), done.text
    assert done.of("jit print limit") == "40", done.text
    assert re.findall(r"^v is (\d+)$", done.of("continue"), re.M) == ["15"], done.text
    assert "has no variable" not in done.text, done.text


def test_names_of_the_module_in_the_body_of_a_parallel_loop() -> None:
    program = "module_names_parallel.py"
    commands = [f"break {program}:{line_of(program, 'body')} if i == LIMIT + 2", "run", "print i"]
    commands += ["jit print LIMIT", "jit print y == SCALE * a[i] + 1", "print LIMIT + i", "watch LIMIT"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "steps", "NUMBA_NUM_THREADS": "2"})
    assert done.of("print i").endswith("= 7"), done.text
    assert done.of("jit print LIMIT").splitlines()[-1] == "5", done.text
    assert done.of("jit print y == SCALE * a[i] + 1") == "True", done.text
    assert done.of("print LIMIT + i").endswith("= 12"), done.text
    assert "`LIMIT` is a global of the module" in done.of("watch LIMIT"), done.text
