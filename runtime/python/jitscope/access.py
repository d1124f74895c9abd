"""Permission of one process to debug another, with the reason for a refusal, from `js_access_json` of the C library."""

from __future__ import annotations

import ctypes
import json
from typing import NamedTuple

from jitscope.native import load


class Access(NamedTuple):
    allowed: bool
    reason: str  # such as "allowed", "user" or "yama-1"; docs/schema/status.json lists them
    text: str  # one line
    fix: str  # the command to type next; "" if debugging is allowed


def explain(pid: int) -> Access:
    """Return the kernel's answer for an attach of this process to `pid`. Raise OSError or VersionMismatch without the
    library."""
    library = load()
    library.js_access_json.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p)]
    library.js_free.argtypes = [ctypes.c_void_p]
    library.js_free.restype = None
    out = ctypes.c_void_p()
    if library.js_access_json(pid, 0, ctypes.byref(out)) != 0:
        raise OSError(f"{pid} is no process number")
    try:
        return Access(**json.loads(ctypes.string_at(out.value or 0)))
    finally:
        library.js_free(out)
