"""One generated program under GDB with traps, and without GDB and jitscope."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess

from tests.gdb import harness
from tests.interpreters import newest_python
from tests.oracle.traps import programs

_SENTENCE = re.compile(r"^(?:u?int\d+ overflow|NaN made) in .*", re.M)
_RESULT = re.compile(r"^\(.*\).*$", re.M)
# Without the flag, LLVM may compute anything once a signed integer has not fit; with traps, integers wrap.
_WRAPPING = """\
import runpy, sys
import numba.cpython.numbers
for module in list(sys.modules.values()):
    if hasattr(module, "_int_arith_flags"):
        module._int_arith_flags = lambda kind: []
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
_GO_ON = "python while gdb.selected_inferior().pid: gdb.execute('continue')"
ENVIRONMENT = {"NUMBA_NUM_THREADS": "1", "NUMBA_THREADING_LAYER": "workqueue", "JITSCOPE_LEVEL": "", "JITSCOPE": "1"}


def differences(folder: pathlib.Path, seed: int, functions: int, opt: str) -> tuple[int, list[str]]:
    """Return the number of the program's traps, and what is false of the stops or of the results."""
    path = folder / f"traps{seed}.py"
    text, machine = programs.program(seed, functions, path.name)
    path.write_text(text, encoding="utf-8")
    given = {**ENVIRONMENT, "NUMBA_OPT": opt}
    alone = subprocess.run(
        [newest_python(), "-c", _WRAPPING, str(path)],
        env={**os.environ, **given, "JITSCOPE": "0"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if alone.returncode:
        raise AssertionError(f"seed {seed}: the program fails without GDB:\n{alone.stderr[-3000:]}")
    commands = ["set pagination off", "jit trap overflow", "jit trap nan", "run", _GO_ON]
    seen = harness.run(commands, program=path, env=given, timeout=500).text
    found, wanted = _SENTENCE.findall(seen), [each.text for each in machine.events]
    wrong = []
    if not machine.is_defined:
        found = found[: len(wanted)]
    elif _results(seen) != _results(alone.stdout):
        wrong.append(f"results differ:\n{_results(seen)}\n{_results(alone.stdout)}")
    for at in range(max(len(found), len(wanted))):
        one, other = (each[at] if at < len(each) else "nothing" for each in (found, wanted))
        if one != other:
            wrong.append(f"stop {at}: {one}\n    and not {other}")
            break
    if machine.is_defined and "exited normally" not in seen:
        wrong.append(f"the program has not ended:\n{seen[-1500:]}")
    return len(wanted), wrong


def _results(text: str) -> list[str]:
    return [line for line in _RESULT.findall(text) if "(gdb)" not in line]
