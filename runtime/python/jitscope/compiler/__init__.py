"""What Numba calls when it starts: the entry point `init` of the group `numba_extensions`."""

from __future__ import annotations

import os
import sys

_present = False


def init() -> None:
    """Called once by Numba, before it compiles anything.

    Teaches it `jitscope.attach`, `breakpoint` and `breakpoint_if`; and, unless JITSCOPE=0 is in the environment,
    routes `numba.gdb`, `gdb_init` and `gdb_breakpoint` to them, gives object mode its lines and `perf` names, and
    stands before the threading layer."""
    global _present
    if _present:
        return
    _present = True
    import jitscope
    from jitscope import stops as runtime

    try:
        loaded = runtime.library()
    except OSError as error:
        print(f"jitscope: {error}; Numba runs without it", file=sys.stderr)
        return
    from jitscope.compiler import levels, numba_gdb, object_mode, perf_map, pools, stops

    stops.register()
    if os.environ.get("JITSCOPE") != "0":
        loaded.jitscope_survive_debugger()
        numba_gdb.route()
        object_mode.register()
        perf_map.install()
        pools.install()
        if os.environ.get("JITSCOPE_RECORD") == "1":
            jitscope.record_writes()
    else:
        pools.leave()
    if levels.is_on():
        hook()


def hook() -> None:
    """Makes what Numba compiles with debug information true; where this Numba is not as it was known, says so once."""
    import atexit
    import warnings

    from jitscope.compiler import levels, lowering

    if wrong := levels.unknown():
        print(f"jitscope: {wrong}", file=sys.stderr)

    if reason := lowering.check():
        warnings.warn(f"jitscope leaves this Numba's debug information as it is: {reason}", stacklevel=2)
        return
    lowering.install()
    atexit.register(_end)


def _end() -> None:
    from jitscope.compiler import levels

    if missing := levels.unmatched():
        print(f"jitscope: {missing}", file=sys.stderr)


def is_present() -> bool:
    """Whether Numba has called `init` in this process."""
    return _present
