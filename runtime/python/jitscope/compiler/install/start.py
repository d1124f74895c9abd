"""The start of jitscope in a process, once Numba has found it."""

from __future__ import annotations

import atexit
import os
import sys
import warnings

from jitscope import stops as runtime
from jitscope.compiler.base import levels
from jitscope.compiler.install import lowering
from jitscope.compiler.numba_ir import object_mode
from jitscope.compiler.recompiled import requests
from jitscope.compiler.services import guarding, numba_gdb, perf_map, pools, stops
from jitscope.records import record_writes


def begin() -> None:
    """Make `jitscope.attach`, `breakpoint` and `breakpoint_if` known to Numba; and, unless JITSCOPE=0 is in the
    environment, route `numba.gdb`, `gdb_init` and `gdb_breakpoint` to them, give object mode its lines and `perf`
    names, and wrap the threading layer."""
    try:
        loaded = runtime.library()
    except OSError as error:
        print(f"jitscope: {error}; Numba runs without it", file=sys.stderr)
        return
    stops.register()
    if os.environ.get("JITSCOPE") != "0":
        loaded.jitscope_survive_debugger()
        numba_gdb.route()
        object_mode.register()
        perf_map.install()
        pools.install()
        guarding.install()
        if os.environ.get("JITSCOPE_RECORD") == "1":
            record_writes()
    else:
        pools.leave()
    if levels.is_on():
        hook()


def hook() -> None:
    """Install the hook, which makes Numba's debug information true; if this Numba differs from the known ones, report
    that once."""
    if wrong := levels.unknown():
        print(f"jitscope: {wrong}", file=sys.stderr)

    if reason := lowering.check():
        warnings.warn(f"jitscope leaves this Numba's debug information as it is: {reason}", stacklevel=2)
        return
    lowering.install()
    if requests.check() is None:
        requests.install()
    atexit.register(_end)


def _end() -> None:
    if missing := levels.unmatched():
        print(f"jitscope: {missing}", file=sys.stderr)
