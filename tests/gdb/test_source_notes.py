"""A source that is not the one that runs, or cannot be read, is reported once."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

PROGRAM = """\
import os, sys, time
from numba import njit


@njit(debug=True)
def f(n):
    s = n + 1
    t = s * 2
    return t


"""
STEPS = {"JITSCOPE_LEVEL": "steps"}


@pytest.mark.parametrize("name", ["edited.py", "od\x1b[31md\nedited.py"])
def test_a_source_that_was_changed(name: str, tmp_path: pathlib.Path) -> None:
    """GDB reads a file whose name contains control characters as a copy, which is newer than the program."""
    program = tmp_path / name
    program.write_text(
        f"{PROGRAM}f(1)\nopen(__file__, 'r+').write('# edited\\n')\n"
        "os.utime(__file__, (time.time() + 60,) * 2)\nf(2)\nf(3)\n"
    )
    shown = harness.run(["break f", "run", "continue", "continue"], program=program, env=STEPS)
    shown_name = name.replace("\x1b", "\\x1b").replace("\n", "\\n")
    said = f"{shown_name} was changed after the program started: the lines that are shown may not be those that run"
    assert "f (n=1)" in shown.of("run") and said not in shown.of("run"), shown.text
    assert said in shown.of("continue"), shown.text
    assert said not in shown.of("continue", 1) and "n=3" in shown.of("continue", 1), shown.text


def test_a_source_that_gdbs_python_cannot_read(tmp_path: pathlib.Path) -> None:
    """The syntax is newer than GDB's Python, as for an older GDB: a line in it exists once Numba has read the file."""
    program = tmp_path / "newer.py"
    program.write_text(
        f"{PROGRAM}f(1)\nold = os.stat(__file__).st_mtime\n"
        "open(__file__, 'a').write('from now on: this is syntax\\n')\nos.utime(__file__, (old, old))\nf(2)\nf(3)\n"
    )
    shown = harness.run(["break newer.py:8 if n > 1", "run", "continue"], program=program, env=STEPS)
    said = "newer.py cannot be read by the Python 3."
    assert said in shown.of("run") and "line 18: invalid syntax" in shown.of("run"), shown.text
    assert said not in shown.of("continue") and "n=3" in shown.of("continue"), shown.text
