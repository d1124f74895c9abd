"""Functions with fastmath flags are the same with the hook as without it: the same bytes of code."""

from __future__ import annotations

import json
import subprocess

from tests.gdb import harness
from tests.gdb.harness import PROGRAMS
from tests.interpreters import newest_python

# Functions with fastmath flags, their kernels and wrappers, and one into which LLVM inlines such a function.
ALONE = (
    "products", "distance", "mean", "calls_half", "calls_third", "rows", "fused", "__numba_parfor_gufunc",
    "parallelgufuncwrapper", "smooth", "smooth_rows", "__numba_stencil_0", "closures", "parts", "plus",
    "adds_up", "element", "ufunc_wrapper", "running",
)  # fmt: skip
HOOKED = ("third", "calls_fast")


def started(environment: dict[str, str]) -> subprocess.Popen[str]:
    """Start the program. PYTHONHASHSEED is set because Numba lays a generator out in the order of a set of names."""
    command = [newest_python(), "-W", "ignore", str(PROGRAMS / "fast_bytes.py")]
    env = harness.lean({"PYTHONHASHSEED": "0", "NUMBA_NUM_THREADS": "2", **environment})
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def test_the_same_code() -> None:
    running = [started({"JITSCOPE": "0"}), started({"JITSCOPE_LEVEL": "exact"})]
    try:
        without, found = (json.loads(process.communicate(timeout=200)[0]) for process in running)
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert found["results"] == without["results"]
    for name in ALONE:
        own = [section for section in without["codes"] if section.startswith(f"{name} ")]
        assert f"{name} .text" in own, sorted(without["codes"])
        for section in own:
            assert found["codes"].get(section) == without["codes"][section], section
    for name in HOOKED:  # without these nothing was compared
        assert any(found["codes"][each] != without["codes"][each] for each in found["codes"] if each.startswith(name))
