"""A program whose compiled functions raise, for the tests of tracebacks."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import textwrap
from typing import Any

from tests.interpreters import newest_python, with_hook

MODES = ("known", "all")
STEPS = {"JITSCOPE_DEBUG": "all", "JITSCOPE_LEVEL": "steps"}
PROGRAM = """
from numba import njit


@njit{options}
def innermost(x):
    if x > 3:
        raise ValueError("too large", 3)
    return x


@njit{options}
def between(x):
    return innermost(x) + 1


@njit{options}
def once(x):
    total = 0
    for i in range(3):
        total += between(x + i)
    return total


@njit{options}
def twice(x):
    first = between(x)
    return first + between(x + 1)


@njit{options}
def down(n, x):
    if n == 0:
        return between(x)
    return down(n - 1, x)


def frames(function, *arguments):
    import traceback
    try:
        function(*arguments)
    except Exception as error:
        return [(each.name, each.line) for each in traceback.extract_tb(error.__traceback__)[1:]]
"""
# before other text: the arguments of calls are not asked
WITHOUT_ARGUMENTS = """
    from jitscope.compiler.raised import calls
    calls.of = lambda *_: None
"""
TOP = ("innermost", 'raise ValueError("too large", 3)')
BETWEEN = ("between", "return innermost(x) + 1")
ONCE = ("once", "total += between(x + i)")


def environment(**more: str) -> dict[str, str]:
    """Return the environment without settings of jitscope and Numba but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JITSCOPE", "NUMBA_"))}
    hook = with_hook() if newest_python() != sys.executable else {}
    return {**kept, **hook, **more}


def run(folder: pathlib.Path, text: str, options: str = "", mode: str | None = None, **more: str) -> str:
    """Return what the program prints, after PROGRAM."""
    own = {"JITSCOPE_TRACEBACKS": mode} if mode is not None else {}
    file = folder / "program.py"
    file.write_text(PROGRAM.format(options=options) + textwrap.dedent(text))
    done = subprocess.run(
        [newest_python(), str(file)], env=environment(**own, **more), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def values(printed: str) -> list[Any]:
    return [json.loads(line, object_hook=dict) for line in printed.splitlines()]
