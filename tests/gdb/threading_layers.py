"""The threading layers of a parallel program: their requirements, and the environment that chooses one."""

from __future__ import annotations

import pytest

from tests.interpreters import ROOT

LIBRARIES = ROOT / ".venv" / "lib"  # where the package tbb has its library
NEEDS_TBB = pytest.mark.skipif(not list(LIBRARIES.glob("libtbb.so*")), reason="the package tbb is not installed")


def env(layer: str, level: str, threads: int = 4) -> dict[str, str]:
    return {
        "NUMBA_THREADING_LAYER": layer,
        "NUMBA_NUM_THREADS": str(threads),
        "JITSCOPE_LEVEL": level,
        "JITSCOPE": "0" if level == "stock" else "1",
        "LD_LIBRARY_PATH": str(LIBRARIES),
    }
