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


@pytest.mark.parametrize("is_named", [False, True])
def test_a_source_that_is_elsewhere_now(is_named: bool, tmp_path: pathlib.Path) -> None:
    """What `set substitute-path` names is read as the source that it is."""
    (tmp_path / "old").mkdir()
    program, new = tmp_path / "old" / "moved.py", tmp_path / "new"
    program.write_text(
        f"{PROGRAM}import linecache\nlinecache.getlines(__file__)\n"
        f"os.rename({str(program.parent)!r}, {str(new)!r})\nf(2)\n"
    )
    named = [f"set substitute-path {program.parent} {new}"] if is_named else []
    shown = harness.run([*named, "break f", "run", "jit locals"], program=program)
    assert ("t = <unassigned>" if is_named else "no source at hand") in shown.of("jit locals"), shown.text
