"""The program whose workers `jit gather` gathers, and its environment."""

from __future__ import annotations

from tests.gdb.threading_layers import LIBRARIES

PROGRAM = "gathered.py"


def env(layer: str) -> dict[str, str]:
    return {
        "NUMBA_THREADING_LAYER": layer,
        "NUMBA_NUM_THREADS": "4",
        "JITSCOPE_STEPS": "foo,lined,raising,late",
        "JITSCOPE_LEVEL": "exact",
        "LD_LIBRARY_PATH": str(LIBRARIES),
    }
