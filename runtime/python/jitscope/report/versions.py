"""The versions of what a process has loaded, and the threads that run Numba's parallel loops, read from its memory."""

from __future__ import annotations

import os
import re
from typing import Any

from jitscope.stacks.taking import Stacks

# The names of the packages, as text shows them, and their modules.
PACKAGES = {"Numba": "numba", "llvmlite": "llvmlite", "NumPy": "numpy", "jitscope": "jitscope"}
_VERSION = re.compile(r"\d[\w.+!-]{0,99}")
_POOL = "numba.np.ufunc.parallel"
_LAYERS = ("tbb", "omp", "workqueue")
_MOST_THREADS = 1 << 16


def of(stacks: Stacks, taken: dict[str, Any]) -> dict[str, str | None]:
    """Return the versions as docs/schema/report.json has them: of the interpreter, of packages that the process has
    imported, and of the kernel."""
    found: dict[str, str | None] = {"python": taken["python"]}
    for module in PACKAGES.values():
        version = stacks.global_of(module, "__version__") if taken["python"] else None
        found[module] = version if isinstance(version, str) and _VERSION.fullmatch(version) else None
    return {**found, **of_kernel()}


def of_kernel() -> dict[str, str | None]:
    """Return that of the kernel alone."""
    system = os.uname()
    return {"platform": f"{system.sysname} {system.release} {system.machine}"}


def threading_of(stacks: Stacks, taken: dict[str, Any]) -> dict[str, Any] | None:
    """Return Numba's threading layer and the number of threads with which it was started; None: it was not, or that
    is not known."""
    if not taken["python"] or stacks.global_of(_POOL, "_is_initialized") is not True:
        return None
    layer, count = stacks.global_of(_POOL, "_threading_layer"), stacks.global_of(_POOL, "NUM_THREADS")
    if layer not in _LAYERS:
        return None
    is_count = isinstance(count, int) and 0 < count <= _MOST_THREADS
    return {"layer": layer, "threads": count if is_count else None}


def lines(report: dict[str, Any]) -> list[str]:
    """Return a line with the versions, and one about the threads, for the text of a report."""
    versions, pool = report["versions"], report["threading"]
    found = [f"Python {versions['python']}"] if versions["python"] else []
    found += [f"{name} {versions[module]}" for name, module in PACKAGES.items() if versions[module]]
    shown = [", ".join([*found, versions["platform"]])]
    if pool:
        count = f", started with {pool['threads']} thread{'s' * (pool['threads'] != 1)}" if pool["threads"] else ""
        shown.append(f"Numba's threading layer: {pool['layer']}{count}")
    return shown
