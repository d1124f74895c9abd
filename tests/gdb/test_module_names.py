"""What a function takes from its module, and records that it is called with, in expressions."""

from __future__ import annotations

import ast
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.zoo import SETTINGS, one_line

PROGRAM = "module_names.py"


@pytest.mark.parametrize("setting", ["stock", "exact"])
def test_as_python_reads_them(setting: str) -> None:
    source = (harness.PROGRAMS / PROGRAM).read_text()
    listed = source[source.index("for text in") : source.index("print(")]
    texts = re.findall(r'"([^"]+)",', listed)
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in ("use", "inner")] + ["run"]
    commands += [f"jit print {text}" for text in texts] + ["info args", 'print $jit("LIMIT")', "jit array TABLE"]
    commands += ["jit print unused", "jit print np", "jit print np.sqrt(LIMIT - 1)", "continue"]
    commands += ["jit print hidden", "jit print LIMIT"]
    seen = harness.run(commands, program=PROGRAM, env=SETTINGS[setting], timeout=200)
    expected = [ast.literal_eval(text) for text in re.findall(r"^EXPECT (.*)$", seen.of("run"), re.M)]
    assert len(expected) == len(texts) > 12, seen.text
    shown = {text: seen.of(f"jit print {text}").splitlines()[-1] for text in texts}
    assert shown == {text: one_line(wanted) for text, wanted in expected}, seen.text
    assert seen.text.count("LIMIT is shown as the module has it now") + seen.text.count("TABLE is shown as") == 1
    assert "row = (4, 2.5, b'ab')" in seen.of("info args")
    assert seen.of('print $jit("LIMIT")').endswith("= 17")
    assert "float64, 2d" in seen.of("jit array TABLE")
    assert seen.of("jit print unused") == "5"  # the function does not use it
    assert "NameError" in seen.of("jit print np")
    assert seen.of("jit print np.sqrt(LIMIT - 1)") == "4.0"
    hidden = seen.of("jit print hidden")  # of the function around it, where the module has another
    assert hidden == "3" or "NameError" in hidden, hidden
    assert seen.of("jit print LIMIT", -1) == "17", seen.text


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
