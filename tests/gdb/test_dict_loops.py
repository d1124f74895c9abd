"""Loops over typed dicts that change the dict: what is reported, and that Numba does what the line says."""

from __future__ import annotations

import ast
import pathlib
import textwrap

import pytest
from jitscope_source.statements import dict_loops

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "dict_loops.py"
# A loop's text, and the line of it that changes the dict `d`; 0: none does, or the loop ends there
LOOPS = {
    "for k in d:\n    d[k + 1] = 0": 2,
    "for k in d.keys():\n    if k > 3:\n        d.pop(k)": 3,
    "for v in d.values():\n    n += 1\n    d[v] = 1": 3,
    "for k, v in d.items():\n    del d[k]": 2,
    "for k in d:\n    x = d.setdefault(k + 1, 2)": 2,
    "for k in d:\n    while n:\n        n -= 1\n        d.clear()": 4,
    "for k in d:\n    d[k] = 0": 0,
    "for k, v in d.items():\n    d[k] = v + 1": 0,
    "for k in d:\n    d[k + 1] += 1": 0,
    "for k in d:\n    e[k + 1] = 0": 0,
    "for k in d.copy():\n    d[k + 1] = 0": 0,
    "for k in list(d):\n    d[k + 1] = 0": 0,
    "for k in d:\n    if k > 3:\n        d.pop(k)\n        break": 0,
    "for k in d:\n    d.pop(k)\n    return n": 0,
    "for k in d:\n    d = d.copy()\n    d[k + 1] = 0": 0,
    "for i in range(3):\n    d[i] = 0": 0,
}


@pytest.mark.parametrize("text", LOOPS)
def test_the_statement_that_changes_the_dict(text: str) -> None:
    (function,) = ast.parse(f"def f(d, e, n):\n{textwrap.indent(text, '    ')}").body
    found = dict_loops.changes(function)
    assert found == ([dict_loops.Change("d", 2, LOOPS[text] + 1)] if LOOPS[text] else [])


def test_a_loop_that_changes_its_dict_is_reported_once() -> None:
    marks = ["added", "removed", "copied", "same", "list"]
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, mark)}" for mark in marks] + ["run", *["continue"] * 6]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": ""})
    assert "EXPECT 1 1 3 3 3" in done.text, done.text  # how many iterations Numba makes, of three
    ends = "where that adds or removes a key, Numba ends the loop without an error, where Python raises RuntimeError"
    for name, loop, change in (("d", "add", "adds"), ("table", "remove", "removes")):
        first, line = line_of(PROGRAM, loop), line_of(PROGRAM, change)
        text = (
            f"the loop over `{name}` at {PROGRAM}:{first} changes it (line {line}): {ends}; loop over `{name}.copy()`"
        )
        assert done.text.count(text) == 1, done.text
    assert done.text.count("the loop over") == 2 and done.text.count("hit Breakpoint") == 6, done.text


def test_a_list_is_no_dict(tmp_path: pathlib.Path) -> None:
    """A reflected list has `pop` and `clear`, too."""
    program = tmp_path / "program.py"
    program.write_text(
        "from numba import njit\n\n\n@njit\ndef f(d):\n    for k in d:\n        d.pop()\n    return len(d)\n\n\n"
        "f([1, 2])\n"
    )
    done = harness.run(["break program.py:8", "run"], program=program, env={"JITSCOPE_LEVEL": ""})
    assert "hit Breakpoint" in done.text and "the loop over" not in done.text, done.text
