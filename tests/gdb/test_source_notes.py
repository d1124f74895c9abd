"""A source that is not what runs, or cannot be read, is said to be so, once."""

from __future__ import annotations

import pathlib

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


def test_a_source_that_was_changed(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "edited.py"
    program.write_text(
        f"{PROGRAM}f(1)\nopen(__file__, 'r+').write('# edited\\n')\n"
        "os.utime(__file__, (time.time() + 60,) * 2)\nf(2)\nf(3)\n"
    )
    shown = harness.run(["break edited.py:8", "run", "continue", "continue"], program=program, env=STEPS)
    said = "edited.py was changed after the program started: the lines that are shown may not be those that run"
    assert "s = n + 1" not in shown.of("run") and said not in shown.of("run"), shown.text
    assert said in shown.of("continue"), shown.text
    assert said not in shown.of("continue", 1) and "n=3" in shown.of("continue", 1), shown.text


def test_a_source_that_gdbs_python_cannot_read(tmp_path: pathlib.Path) -> None:
    """As a newer Python's is for an older GDB: a line that neither knows is there once Numba has read the file."""
    program = tmp_path / "newer.py"
    program.write_text(
        f"{PROGRAM}f(1)\nold = os.stat(__file__).st_mtime\n"
        "open(__file__, 'a').write('from now on: this is syntax\\n')\nos.utime(__file__, (old, old))\nf(2)\nf(3)\n"
    )
    shown = harness.run(["break newer.py:8 if n > 1", "run", "continue"], program=program, env=STEPS)
    said = "newer.py cannot be read by the Python 3."
    assert said in shown.of("run") and "line 18: invalid syntax" in shown.of("run"), shown.text
    assert said not in shown.of("continue") and "n=3" in shown.of("continue"), shown.text
