"""`display` in an inlined function that has a variable of the same name as its caller."""

from __future__ import annotations

import re

from tests.gdb import harness
from tests.gdb.harness import line_of

STEPS = {"JITSCOPE_LEVEL": "steps"}
LINE = "jitscope: display 1 shows `acc` of outer; inc has a variable of this name, which `display acc` shows"


def test_a_display_of_the_caller_is_said_to_be_that() -> None:
    commands = ["set breakpoint pending on", f"tbreak displayed.py:{line_of('displayed.py', 'call')} if i == 2"]
    commands += ["run", "display acc", "step", "print acc", "display acc", "step", "undisplay 1", "next"]
    done = harness.run(commands, program="displayed.py", env=STEPS)
    value = re.search(r"^1: acc = (\d+)$", done.of("step"), re.M)
    assert value is not None, done.text
    assert f"$1 = {2 * int(value[1])}" == done.of("print acc"), done.text
    assert LINE in done.of("step"), done.text
    assert re.search(rf"^2: acc = {2 * int(value[1]) + 3}$", done.of("step", 1), re.M), done.text
    assert done.text.count("shows `acc` of outer") == 1, done.text


def test_a_display_of_the_function_itself_has_no_line() -> None:
    commands = ["set breakpoint pending on", f"tbreak displayed.py:{line_of('displayed.py', 'inside')}"]
    commands += ["run", "display acc", "next"]
    done = harness.run(commands, program="displayed.py", env=STEPS)
    assert re.search(r"^1: acc = 3$", done.of("next"), re.M), done.text
    assert "shows `acc`" not in done.text, done.text


def test_a_display_of_another_function_is_named_without_gdbs_remark() -> None:
    """After a display of another block, `info display` says that it cannot be evaluated here."""
    program = "inlined_calls.py"
    commands = ["set breakpoint pending on", f"tbreak {program}:{line_of(program, 'one')}", "run", "display n"]
    commands += [f"tbreak {program}:{line_of(program, 'raise')}", "continue"]
    done = harness.run(commands, program=program, env=STEPS)
    line = "display 1 shows `n` of factorial; refuses has a variable of this name, which `display n` shows"
    assert line in done.of("continue"), done.text


def test_displays_are_there_in_the_next_run() -> None:
    """GDB deletes all displays when compiled code is taken from it."""
    commands = ["break foo", "run", "display a", "display/x a", "display b", "disable display 2", "next", "run"]
    commands += ["info display", "undisplay 4", "next", "info display", "kill"]
    done = harness.run(commands, program="chk.py", env=STEPS)
    shown = re.findall(r"^\d+: .*", done.of("run", 1), re.M)
    assert shown == ["4: a = 123", "6: b = <optimized out>"], done.text
    assert re.findall(r"^\d+: .*", done.of("info display"), re.M) == ["4:   y  a", "5:   n  /x a", "6:   y  b"]
    assert re.findall(r"^\d+: .*", done.of("next", 1), re.M) == ["6: b = 124"], done.text
    assert re.findall(r"^\d+: .*", done.of("info display", 1), re.M) == ["5:   n  /x a", "6:   y  b"]


def test_what_is_said_of_a_display_on_a_terminal() -> None:
    """On a terminal GDB runs no hook after `display`."""
    with harness.interactive("chk.py", env=STEPS) as child:
        for command in ("break foo", "run", "next"):
            child.sendline(command)
            child.expect_exact("(gdb) ")
        child.sendline("display a / 2")
        child.expect_exact("(gdb) ")
        said = child.before.replace("\r", "")
        assert 'GDB reads `a / 2` as C; `display $jit("a / 2")` reads Python' in said, said
        child.sendline("call a // 2")
        child.expect_exact("(gdb) ")
        assert child.before.endswith("jitscope: `call` reads C; `print` reads Python\r\n"), child.before
        child.sendline("print b // zz")
        child.expect_exact("(gdb) ")
        assert "reads C" not in child.before
