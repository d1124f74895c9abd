"""What Numba calls when it starts: the entry point `init` of the group `numba_extensions`."""

from __future__ import annotations

import os
import sys

_present = False


def init() -> None:
    """Called once by Numba, before it compiles anything.

    Teaches it `jitscope.attach`, `breakpoint` and `breakpoint_if`; and, unless JITSCOPE=0 is in the environment,
    routes `numba.gdb`, `gdb_init` and `gdb_breakpoint` to them, and gives object mode its lines."""
    global _present
    if _present:
        return
    _present = True
    from jitscope import stops as runtime

    try:
        runtime.library()
    except OSError as error:
        print(f"jitscope: {error}; Numba runs without it", file=sys.stderr)
        return
    from jitscope.compiler import numba_gdb, object_mode, stops

    stops.register()
    if os.environ.get("JITSCOPE") != "0":
        numba_gdb.route()
        object_mode.register()


def is_present() -> bool:
    """Whether Numba has called `init` in this process."""
    return _present
