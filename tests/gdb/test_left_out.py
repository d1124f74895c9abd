"""Every variable that the source assigns is listed, with a value that is true or with a label, by all commands; those
of an inner function only on its lines, or with a value."""

from __future__ import annotations

import ast
import functools
import pathlib
import re
import tempfile

import pytest

from tests.gdb import harness

PROGRAM = "left_out.py"
NAMES = {
    "unread": "n p z q w i d",
    "unread.prange": "i d j k x t n",
    "alone.prange": "m n",
    "inlining.prange": "u g h s",
    "resumed": "q b",
    "small": "v d e",
}
# Looks at each stop until the program has ended, or has crashed.
LOOK = f"""\
import gdb, json
def text(command):
    try:
        return gdb.execute(command, to_string=True).strip()
    except gdb.error as error:
        return "error: %s" % error
def look():
    frame, found = gdb.selected_frame().name(), {{}}
    known = json.loads(text("jit locals -json"))
    for name in {NAMES!r}.get(frame, "").split():
        listed = [each["text"] for each in known if each["name"] == name]
        found[name] = [listed, *(text(command + name) for command in ("output ", "jit print ", "jit why "))]
    print("STOP", (frame, found))
ran = text("run")
while gdb.selected_inferior().pid:
    look()
    if "SIGSEGV" in ran:
        break
    ran = text("continue")
"""
LABEL = re.compile(r"<(optimized out|unassigned|unknown: .*)>")
VALUES = {  # at the stops, in their order
    "unread": {"n": ["3"]},
    "unread.prange": {"i": ["3", "3", "4", "4"], "j": ["0", "1"] * 2, "n": ["3"] * 4},
    "alone.prange": {"m": ["0", "1"], "n": ["3", "3"]},
    "resumed": {"q": ["0", "1", "2"], "b": ["0", "2", "4"]},
}
KEPT = {"exact": ["i", "j", "m", "n"], "stock": ["n"]}  # by the level: the variables that have a value at each of them
Shown = tuple[str, dict[str, list[str]]]


@functools.lru_cache
def stops(level: str, opt: str) -> list[Shown]:
    """Return for each stop the function, and for each name the output of `jit locals`, `output`, `jit print` and `jit
    why`."""
    env = {"JITSCOPE_LEVEL": level, "NUMBA_OPT": opt, "NUMBA_NUM_THREADS": "1", "NUMBA_BOUNDSCHECK": "0"}
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "look.py")
        script.write_text(LOOK)
        shown = harness.run([f"source {script}"], program=PROGRAM, env=env).text
    found = [ast.literal_eval(text) for text in re.findall(r"^STOP (.*)$", shown, re.M)]
    assert [function for function, _ in found][-1:] == ["small"], shown[-3000:]
    return found


LEVELS = pytest.mark.parametrize(
    ("level", "opt"),
    [
        pytest.param(level, opt, marks=pytest.mark.xdist_group(f"left-out-{level}-{opt}"))  # one GDB for each
        for level, opt in (("exact", "3"), ("stock", "3"), ("stock", "0"))
    ],
)


@LEVELS
def test_nothing_is_left_out(level: str, opt: str) -> None:
    for function, names in stops(level, opt):
        for name, (listed, output, printed, why) in names.items():
            what = function, name, listed, output, printed, why
            is_inner = function == "inlining.prange" and name in ("u", "g")  # at stock the line is the loop's
            assert len(listed) == 1 or (is_inner and not listed and level == "stock"), what
            assert printed in listed or (not listed and LABEL.fullmatch(printed)), what
            assert why.startswith(f"{name} is "), what
            # GDB itself knows nothing of the function that has started a loop.
            is_outside = function.endswith(".prange") and name == "n"
            assert is_outside or not output.startswith("error"), what


@LEVELS
def test_functions_inlined_into_loops(level: str, opt: str) -> None:
    """The variables of a function are listed in the function, on a line of it that a parallel loop's body has."""
    found = [names for function, names in stops(level, opt) if function == "inlining.prange"]
    assert len(found) == 2, found
    for turn, names in enumerate(found):
        for name, value in (("u", turn), ("g", turn + 1)):
            listed, _, _, why = names[name]
            assert listed == [str(value)] or all(map(LABEL.fullmatch, listed)), (name, listed)
            assert "waits for the loop" not in why, (name, why)


@LEVELS
def test_no_value_is_false(level: str, opt: str) -> None:
    """A `prange` index that nothing reads, and variables of a loop in a generator that resumes, are true or
    labelled."""
    for function, values in VALUES.items():
        found = [names for other, names in stops(level, opt) if other == function]
        for name, expected in values.items():
            shown = [names[name][0][0] for names in found]
            is_right = [each == value or LABEL.fullmatch(each) for each, value in zip(shown, expected)]
            assert len(shown) == len(expected) and all(is_right), (function, name, shown)
            assert name not in KEPT[level] or shown == expected, (function, name, shown)


AROUND = """\
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def rows(v, scale):
    a_b = v.sum()
    unused = scale * 3
    out = np.zeros(v.shape[0])
    for i in prange(v.shape[0]):
        t = v[i] * a_b  # at: body
        out[i] = t + scale
    behind = out.sum()
    return behind


print(rows(np.arange(8.0), 3))
"""
AROUND_VALUES = {"a_b": "28.0", "unused": "9", "behind": None, "out": "array("}  # None: it has none yet


@pytest.mark.parametrize(
    ("level", "opt"), [("stock", "0"), ("stock", "3"), ("exact", "3"), ("steps", "3")], ids=lambda each: str(each)
)
def test_of_the_function_around_a_parallel_loop(level: str, opt: str, tmp_path: pathlib.Path) -> None:
    """In the loop's body the function's variables are listed, too, and known to `jit print` and `jit why`: those
    without a value with their label."""
    program = tmp_path / "around.py"
    program.write_text(AROUND)
    each = [f"{command} {name}" for name in AROUND_VALUES for command in ("jit print", "jit why")]
    shown = harness.run(
        [f"tbreak {program}:{harness.line_of(program, 'body')}", "run", "jit locals", *each],
        program=program,
        env={"JITSCOPE_LEVEL": level, "NUMBA_OPT": opt, "NUMBA_NUM_THREADS": "2"},
    )
    listed = dict(line.split(" = ", 1) for line in shown.of("jit locals").splitlines() if " = " in line)
    for name, value in AROUND_VALUES.items():
        has_value = value is not None and listed[name].startswith(value)
        assert has_value or LABEL.fullmatch(listed[name]), (name, shown.text)
        assert has_value or level != "steps" or value is None, (name, shown.text)
        printed, why = shown.of(f"jit print {name}"), shown.of(f"jit why {name}")
        assert printed == (listed[name] if has_value else f"`{name}` is {listed[name]}"), (name, shown.text)
        state = "exact" if has_value else listed[name].strip("<>").split(":")[0]
        assert why.startswith(f"{name} is {state}: "), (name, shown.text)


NAMELESS = """\
from numba import njit
import numpy as np


@njit(debug=True)
def sums(v, k):
    q = [w * 2.0 for w in v]  # at: comprehension
    scaled = lambda m: m * k + 1  # at: lambda
    return q[0] + scaled(2.0)


print(sums(np.arange(3.0), 3))
"""


@pytest.mark.parametrize(
    ("level", "opt"), [("stock", "0"), ("stock", "3"), ("exact", "3"), ("steps", "3")], ids=lambda each: str(each)
)
def test_of_lambdas_and_comprehensions(level: str, opt: str, tmp_path: pathlib.Path) -> None:
    """Each has variables of its own, which are on no other line."""
    program = tmp_path / "nameless.py"
    program.write_text(NAMELESS)
    places = [f"tbreak {program}:{harness.line_of(program, mark)}" for mark in ("comprehension", "lambda")]
    commands = [*places, "run", "jit locals", "jit why w", "jit print w", "continue", "jit locals", "jit why m"]
    shown = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": level, "NUMBA_OPT": opt})
    listed = [
        dict(line.split(" = ", 1) for line in shown.of("jit locals", at).splitlines() if " = " in line) for at in (0, 1)
    ]
    assert listed[0]["w"] == "<optimized out>" and listed[1]["w"] == "<unassigned>", shown.text
    reason = "optimized out: it is a lambda's or a comprehension's, whose variables are not followed"
    assert shown.of("jit why w") == f"w is {reason}", shown.text  # there is no advice, because no setting shows them
    assert shown.of("jit print w") == "<optimized out>", shown.text
    assert "m" not in listed[0], shown.text
    assert LABEL.fullmatch(listed[1]["m"]) or listed[1]["m"] == "2.0", shown.text
    assert shown.of("jit why m").startswith("m is "), shown.text
