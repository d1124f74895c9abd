"""Every variable that the source assigns is listed, with a value that is true or with a label, by all commands."""

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
VALUES = {  # at each stop in turn
    "unread": {"n": ["3"]},
    "unread.prange": {"i": ["3", "3", "4", "4"], "j": ["0", "1"] * 2, "n": ["3"] * 4},
    "alone.prange": {"m": ["0", "1"], "n": ["3", "3"]},
    "resumed": {"q": ["0", "1", "2"], "b": ["0", "2", "4"]},
}
KEPT = {"exact": ["i", "j", "m", "n"], "stock": ["n"]}  # by the level, what has a value at each of them
Shown = tuple[str, dict[str, list[str]]]


@functools.lru_cache
def stops(level: str, opt: str) -> list[Shown]:
    """At each stop the function, and of each name what `jit locals`, `output`, `jit print` and `jit why` say."""
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
            assert len(listed) == 1 and printed == listed[0] and why.startswith(f"{name} is "), what
            # GDB itself knows nothing of the function that has started a loop.
            is_outside = function.endswith(".prange") and name == "n"
            assert is_outside or not output.startswith("error"), what


@LEVELS
def test_functions_inlined_into_loops(level: str, opt: str) -> None:
    """The variables of a function in the function, on a line of it that a parallel loop's body has."""
    found = [names for function, names in stops(level, opt) if function == "inlining.prange"]
    assert len(found) == 2, found
    for turn, names in enumerate(found):
        for name, value in (("u", turn), ("g", turn + 1)):
            listed, _, _, why = names[name]
            assert listed == [str(value)] or LABEL.fullmatch(*listed), (name, listed)
            assert "waits for the loop" not in why, (name, why)


@LEVELS
def test_no_value_is_false(level: str, opt: str) -> None:
    """Of a `prange` index that nothing reads, and of a loop in a generator that goes on."""
    for function, values in VALUES.items():
        found = [names for other, names in stops(level, opt) if other == function]
        for name, expected in values.items():
            shown = [names[name][0][0] for names in found]
            is_right = [each == value or LABEL.fullmatch(each) for each, value in zip(shown, expected)]
            assert len(shown) == len(expected) and all(is_right), (function, name, shown)
            assert name not in KEPT[level] or shown == expected, (function, name, shown)
