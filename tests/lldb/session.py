"""A scripted LLDB with jitscope, and its output by command."""

from __future__ import annotations

import functools
import pathlib
import re
import subprocess
from collections.abc import Sequence

import pytest

from tests.gdb import harness
from tests.interpreters import ROOT, lldbs, newest_python

SCRIPT = ROOT / "lldbext" / "jitscope_lldb.py"
IMPORT = f"command script import {SCRIPT}"
LLDBS = pytest.mark.parametrize("lldb", lldbs().values(), ids=[f"lldb-{name}" for name in lldbs()])
# By level: the settings of the program. opt-0: code that is not optimised, without jitscope in the program.
# no-gdb: `steps` on a machine without GDB.
SETTINGS = {
    "stock": {"JITSCOPE": "0"},
    "opt-0": {"JITSCOPE": "0", "NUMBA_OPT": "0"},
    "no-gdb": {"JITSCOPE_LEVEL": "steps", "JITSCOPE_GDB": "/nowhere/gdb"},
}
PROMPT = re.compile(r"^\(lldb\)[ ]+(.*)$", re.M)


class Said:
    """What a session has written."""

    def __init__(self, text: str):
        self.text = text
        pieces = PROMPT.split(text)
        self.sections = list(zip(pieces[1::2], pieces[2::2]))

    def of(self, command: str) -> list[str]:
        """Return the output of each run of the command."""
        return [said.strip("\n") for name, said in self.sections if name.strip() == command]


@functools.cache
def run(
    lldb: str,
    program: str | pathlib.Path,
    level: str,
    commands: Sequence[str],
    pid: int | None = None,
    core: pathlib.Path | None = None,
) -> Said:
    """Run the program of tests/programs (or at this path) under LLDB with jitscope; or attach to the process `pid`; or
    open `core`."""
    words = [lldb, "--no-lldbinit", "-b", "-o", IMPORT]
    first = [f"process attach -p {pid}"] if pid is not None else []
    for command in [*first, *commands]:
        words += ["-o", command]
    if core is not None:
        words += ["--core", str(core), newest_python()]
    elif pid is None:
        words += ["--", newest_python(), str(harness.PROGRAMS / program)]
    done = subprocess.run(
        words,
        env=harness.lean(SETTINGS.get(level, {"JITSCOPE_LEVEL": level})),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return Said(done.stdout + done.stderr)
