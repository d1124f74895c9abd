"""With the hook and without it, compiled code computes the same: values to the bit, what it writes, exceptions, and the
references that are left."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python, numba_pythons, with_hook
from tests.minutes import MATRIX, MINUTES

CASES = ROOT / "tests" / "programs" / "results.py"
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
LEVELS = {"without": {"JITSCOPE": "0"}, "exact": {"JITSCOPE_LEVEL": "exact"}, "steps": {"JITSCOPE_LEVEL": "steps"}}
# That compile in a moment.
QUICK = (
    *("payloads", "changing", "arrays", "early", "caught", "exceptions", "bounds", "caught_bounds"),
    *("alias", "aliases", "rows"),
)


def started(level: str, opt: str, program: str, *arguments: str) -> subprocess.Popen[str]:
    own = {"NUMBA_OPT": opt, "NUMBA_NRT_STATS": "1", "NUMBA_NUM_THREADS": "1"}
    env = environment({**LEVELS[level], **own})
    pipe = subprocess.PIPE
    return subprocess.Popen([newest_python(), program, *arguments], stdin=pipe, stdout=pipe, text=True, env=env)


def cases(opt: str, *names: str, program: pathlib.Path = CASES) -> dict[str, list[list[str]]]:
    """By level: name, result, allocations and references left of each case."""
    running = {level: started(level, opt, str(program), *names) for level in LEVELS}
    found = {}
    try:
        for level, process in running.items():
            said, _ = process.communicate(timeout=3600 if MATRIX else 300)
            assert process.returncode == 0, (level, said[-500:])
            found[level] = [line.split("\t") for line in said.splitlines()]
    finally:
        for process in running.values():
            process.kill()
    return found


@pytest.mark.parametrize("opt", [pytest.param("0", marks=MINUTES), "3"])
def test_some_cases(opt: str) -> None:
    compare(opt, cases(opt, *QUICK), len(QUICK) + 4)


@pytest.mark.parametrize("python", numba_pythons().values(), ids=numba_pythons())
def test_small_callees_at_steps(python: str, tmp_path: pathlib.Path) -> None:
    """Inlined with their markers: the caller has its own five and the callee's two."""
    program = tmp_path / "calling.py"
    program.write_text(CALLING)
    env = {"JITSCOPE_LEVEL": "steps", **({} if python == newest_python() else with_hook())}
    done = subprocess.run([python, program], env=environment(env), capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["25", "2", "7"], done.stdout + done.stderr


@MINUTES
@pytest.mark.parametrize("opt", ["0", "3"])
def test_cases(opt: str) -> None:
    compare(opt, cases(opt), 20)


def compare(opt: str, found: dict[str, list[list[str]]], least: int) -> None:
    without = found["without"]
    assert len(without) >= least
    for level in ("exact", "steps"):
        assert [case[:2] for case in found[level]] == [case[:2] for case in without]
        for (name, result, *left), (_, _, *most) in zip(found[level], without):
            # Numba leaks where an exception leaves a function, and with a generator that is not read to its end.
            assert [int(each) for each in left] <= [int(each) for each in most], (level, opt, name, result)


@MINUTES
def test_kernels() -> None:
    running = {level: started(level, "3", str(KERNELS), "1") for level in LEVELS}
    found = {level: json.loads(process.communicate("results\n", timeout=300)[0]) for level, process in running.items()}
    assert len(found["without"]) >= 10
    assert found["exact"] == found["without"]
    assert found["steps"] == found["without"]
