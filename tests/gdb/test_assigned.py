"""Assignments by the user: the program uses the new value, or the request fails and the old value is shown."""

from __future__ import annotations

import contextlib
import re

import pytest

from tests.gdb import dap, harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs

PROGRAM = "assigned.py"
STOP = line_of(PROGRAM, "stop")
REFUSED = "Left operand of assignment is not an lvalue."
LEVELS = pytest.mark.parametrize("level", ["steps", "exact", "stock"])
COUNTS = ("set var a.data[1] = 77", "set var points.data[0].x = 2.5")


def mi(command: str) -> str:
    return f'interpreter-exec mi "{command}"'


@LEVELS
def test_what_does_not_count_fails(level: str) -> None:
    names = ("n", "total", "i")
    refused = [f"{command} {name} = 4" for name in names for command in ("set var", "print")]
    refused += ["print a.nitems = 3", "print kind = 4", "print $other = n = 4"]
    refused += ["print pair = t", "print t.f0 = 3", "set var t.f0 = 3", "print pair[0] = 3", "set variable pair[1]+=3"]
    machine = [mi('-data-evaluate-expression \\"n = 4\\"'), mi("-var-assign v 4"), mi("-var-assign u.f0 4")]
    commands = [
        f"break {PROGRAM}:{STOP}", "run", mi("-enable-pretty-printing"), mi("-var-create v * n"),
        mi("-var-create u * t"), mi("-var-list-children u"), mi("-var-create w * a"), mi("-var-list-children w"),
        mi("-var-show-attributes v"), "jit locals", *refused, *machine, "jit locals", "info locals",
        mi("-var-assign w.[2] 55"), *COUNTS, "jit print (a[1], a[2], points[0].x)", "print point.x = 3.5", "continue",
    ]  # fmt: skip
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": level, "NUMBA_OPT": "3"}, timeout=90)
    for command in refused:
        assert done.of(command).strip() in (REFUSED, "Invalid cast."), (command, done.text)
    for command in machine:
        assert "^error" in done.of(command), done.text
    assert "noneditable" in done.of(mi("-var-show-attributes v"))
    assert done.of("jit locals") == done.of("jit locals", 1) and done.of("jit locals"), done.text
    if level != "stock":
        assert "pair = (10, 11)" in done.of("info locals") and "kind = 19.0" in done.of("info locals"), done.text
    assert 'value="55.0"' in done.of(mi("-var-assign w.[2] 55"))
    assert done.of("jit print (a[1], a[2], points[0].x)").strip() == "(77.0, 55.0, 2.5)", done.text
    assert re.search(r"^42\.5 77\.0 1\.0 ", done.of("continue"), re.M), done.text
    assert re.search(r"^10$", done.of("continue"), re.M), done.text


def test_a_computed_argument_is_not_assigned() -> None:
    name = "computed_argument.py"
    commands = [f"break {name}:{harness.line_of(name, 'stop')}", "run", mi("-var-create v * n")]
    commands += ["call n = 2", "print n = 2", mi("-var-assign v 2"), mi('-data-evaluate-expression \\"n = 2\\"')]
    done = harness.run([*commands, "print n", "continue"], program=name, env={"JITSCOPE": "0", "NUMBA_OPT": "3"})
    for command in commands[3:5]:
        assert done.of(command).strip() == REFUSED, done.text
    for command in commands[5:]:
        assert "^error" in done.of(command), done.text
    assert done.of("print n").endswith("= 4"), done.text
    assert "163.5" in done.of("continue"), done.text


KEPT = (
    "jitscope: kind cannot be assigned, and keeps its value: the program computes in registers, and never reads what a "
    "debugger is shown"
)


def test_a_part_of_a_variable_of_several_types_keeps_its_value() -> None:
    """GDB finds such a variable only in memory, and writes there."""
    writes = [
        "print kind.float64 = 3",
        "set var kind.float64 = 4",
        mi('-data-evaluate-expression \\"kind.float64 = 5\\"'),
    ]
    commands = [f"break {PROGRAM}:{STOP}", "run", "up", "down"]
    commands += [each for write in writes for each in (write, "print kind", "jit print kind")]
    done = harness.run([*commands, "continue"], program=PROGRAM, env={"JITSCOPE_LEVEL": "steps"}, timeout=90)
    for number, write in enumerate(writes):
        assert KEPT in done.of(write), done.text
        assert done.of("print kind", number).endswith("= 19.0"), done.text
        assert done.of("jit print kind", number).strip() == "19.0", done.text
    assert re.search(r"^42\.5 1\.0 1\.0 ", done.of("continue"), re.M), done.text


def test_set_variable_is_gdbs_else() -> None:
    commands = [
        "help set variable",
        "set var $x = 1 << 2",
        "print $x",
        "set var",
        "set var 3 == 4",
        "set var nosuch = 3",
    ]
    ours, gdbs_own = (harness.run(commands, jitscope=jitscope) for jitscope in (True, False))
    assert [ours.of(each) for each in commands] == [gdbs_own.of(each) for each in commands], ours.text


def test_at_opt_0_a_variable_is_set() -> None:
    sets = (
        "set var n = 4",
        "set var total = 3",
        "set var pair[0] = 7",
        "set var t.f0 = 9",
        "print items",
        "set var i = 5",
    )
    commands = [f"break {PROGRAM}:{STOP}", "run", *sets, "print n", "jit print (n, total, pair, t)", "continue"]
    done = harness.run(commands, program=PROGRAM, env={"NUMBA_OPT": "0"}, timeout=90)
    assert not any(done.of(command).strip() for command in sets[:4]), done.text
    assert done.of("jit print (n, total, pair, t)").strip() == "(4, 3.0, (7, 11), (9, 5.5))", done.text
    assert done.of("set var i = 5").strip() == REFUSED, done.text  # the range has the value, and the loop is over
    assert re.search(r"^38\.0 1\.0 1\.0 0\.0\n4$", done.of("continue"), re.M), done.text


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_debug_adapter_protocol(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    for level in ("steps", "stock"):
        with dap.DapClient(gdb, jitscope=True) as client:
            thread = client.launch(PROGRAM, STOP, {"JITSCOPE_LEVEL": level})
            frame = client.request("stackTrace", {"threadId": thread, "levels": 1})["stackFrames"][0]
            scopes = client.request("scopes", {"frameId": frame["id"]})["scopes"]
            inside = {"variablesReference": next(s for s in scopes if s["name"] == "Arguments")["variablesReference"]}
            shown = {row["name"]: row for row in client.request("variables", inside)["variables"]}
            for name in ("n", "t"):
                with pytest.raises(RuntimeError, match="not an lvalue|only single values can be written"):
                    client.request("setVariable", {**inside, "name": name, "value": "4"})
            parts = {"variablesReference": shown["t"]["variablesReference"]}
            names = [row["name"] for row in client.request("variables", parts)["variables"]]
            with pytest.raises(RuntimeError, match="not an lvalue"):
                client.request("setVariable", {**parts, "name": names[0], "value": "4"})
            with contextlib.suppress(RuntimeError):
                client.request("setExpression", {"expression": "n", "value": "4", "frameId": frame["id"]})
            again = {row["name"]: row["value"] for row in client.request("variables", inside)["variables"]}
            assert again["n"] == "10" and again["t"] == "(4, 5.5)", again
            array = {"variablesReference": shown["a"]["variablesReference"]}
            client.request("variables", array)
            assert client.request("setVariable", {**array, "name": "[1]", "value": "77"})["value"] == "77.0"
            assert client.evaluate("a[1]", frame) == "77.0"


def test_python_s_places_are_named_in_the_form_of_c() -> None:
    """The form of C that is named assigns."""
    forms = {"box.n": "box.data->n", "m[0, 1]": "m.data[1]", "m[-1, 0]": "m.data[2]"}
    refused = [
        command for place in forms for command in (f"set var {place} = 7", f"print {place} = 7", f"watch {place}")
    ]
    assigned = [f"set var {form} = 7" for form in forms.values()]
    commands = ["break use", "run", *refused, "set var items[0] = 5", *assigned, "print m", "print box", "continue"]
    done = harness.run(commands, program="c_forms.py", env={"JITSCOPE_LEVEL": "steps"})
    for command in refused:
        place = next(each for each in forms if each in command)
        said = f"GDB reads `{place}` as C here, where `{forms[place]}` is its form"
        assert done.of(command) == said, done.text
    assert done.of("set var items[0] = 5").startswith("`items[0]` has no form in C"), done.text
    assert done.of("print m").endswith("array([[1., 7.], [7., 1.]])") and done.of("print box").endswith("Box(n=7)")
    assert "15.0" in done.of("continue"), done.text
