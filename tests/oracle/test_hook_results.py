"""Results of compiled code, which are equal with the hook and without it: values to the bit, output, exceptions, and
the references that are left."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python, numba_pythons, with_hook
from tests.minutes import MINUTES
from tests.oracle.hook_results import LEVELS, cases, compare, started

KERNELS = ROOT / "tests" / "bench" / "programs" / "kernels.py"
CALLING = """
from numba import njit

@njit(debug=True)
def small(x):
    y = x * 2
    return y + 1

@njit(debug=True)
def big(n):
    total = 0
    for i in range(n):
        total += small(i)
    return total

print(big(5))
for function in (small, big):
    (overload,) = function.overloads.values()
    bodies = overload.library.get_llvm_str().split("\\ndefine ")[1:]
    (body,) = [each for each in bodies if f"@{overload.fndesc.mangled_name}(" in each.partition("\\n")[0]]
    print(body.partition("\\n}")[0].count("/* marker "))
"""
# Cases that compile in a moment.
QUICK = (
    *("payloads", "changing", "arrays", "early", "caught", "exceptions", "bounds", "caught_bounds"),
    *("alias", "aliases", "rows"),
)


@pytest.mark.parametrize("opt", [pytest.param("0", marks=MINUTES), "3"])
def test_some_cases(opt: str) -> None:
    compare(opt, cases(opt, *QUICK), len(QUICK) + 4)


@pytest.mark.parametrize("python", numba_pythons().values(), ids=numba_pythons())
def test_small_callees_at_steps(python: str, tmp_path: pathlib.Path) -> None:
    """They are inlined with their markers: the caller has its own five and the callee's two."""
    program = tmp_path / "calling.py"
    program.write_text(CALLING)
    env = {"JITSCOPE_LEVEL": "steps", **({} if python == newest_python() else with_hook())}
    done = subprocess.run([python, program], env=environment(env), capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["25", "2", "7"], done.stdout + done.stderr


@MINUTES
@pytest.mark.parametrize("opt", ["0", "3"])
def test_cases(opt: str) -> None:
    compare(opt, cases(opt), 20)


@MINUTES
def test_kernels() -> None:
    running = {level: started(level, "3", str(KERNELS), "1") for level in LEVELS}
    found = {level: json.loads(process.communicate("results\n", timeout=300)[0]) for level, process in running.items()}
    assert len(found["without"]) >= 10
    assert found["exact"] == found["without"]
    assert found["steps"] == found["without"]
