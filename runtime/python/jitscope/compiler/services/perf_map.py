"""Names for `perf`: /tmp/perf-PID.map (linux/tools/perf/Documentation/jit-interface.txt), with a line for each compiled
function, with debug information or without.

JITSCOPE_PERF=1 asks for them, and so does each setting that asks for CPython's own names (3.12 and later: -X perf,
PYTHONPERFSUPPORT, sys.activate_stack_trampoline), which are in the same file."""

from __future__ import annotations

import ctypes
import functools
import os
import re
import sys
import time
from collections.abc import Callable
from typing import Any

from numba.core import codegen
from numba.parfors import parfor_lowering
from numba.stencils import stencil

from jitscope import stops
from jitscope.cli.filt import filter_text

_TELL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)
# as in Python/sysmodule.c, perf_map_file
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
# Names that parfor_lowering._create_gufunc_for_parfor_body and StencilFunc._stencil_wrapper make.
_MADE = re.compile(rb"__numba_(?:parfor_gufunc|stencil)_0x[0-9a-f]+(?:_\d+)?")
_names: dict[bytes, bytes] = {}  # such a name → the user's
_within: list[str] = []  # the user's names of the functions that are being compiled under such a name
_process = 0  # the process whose file has entries of all functions compiled up to now


def is_asked() -> bool:
    is_active = getattr(sys, "is_stack_trampoline_active", bool)
    return os.environ.get("JITSCOPE_PERF", "0") not in ("", "0") or bool(is_active())


def install() -> None:
    """Wrap Numba's code library, once for each process. If this Numba has no such method, `perf` has no names, and all
    other parts work."""
    original = getattr(codegen.JITCodeLibrary, "_finalize_specific", None)
    if original is None:
        return

    def finalize(self: Any) -> None:
        original(self)
        if is_asked():
            write()

    codegen.JITCodeLibrary._finalize_specific = finalize
    _naming(parfor_lowering, "_create_gufunc_for_parfor_body", _kernel_name)
    _naming(stencil.StencilFunc, "_stencil_wrapper", _stencil_name)
    os.register_at_fork(after_in_child=_forked)


def _naming(owner: Any, method: str, name_of: Callable[[Any], str]) -> None:
    """Give a function that is compiled under a name of Numba's own, while this method runs, the name by name_of()."""
    original = getattr(owner, method, None)
    if original is None:
        return

    @functools.wraps(original)
    def compile_named(first: Any, *arguments: Any, **named: Any) -> Any:
        _within.append(name_of(first))
        try:
            return original(first, *arguments, **named)
        finally:
            _within.pop()

    setattr(owner, method, compile_named)


def _kernel_name(lower: Any) -> str:
    return _within[-1] if _within else f"{lower.func_ir.func_id.func_qualname}.prange"  # the outermost loop's name


def _stencil_name(stencil: Any) -> str:
    return str(stencil.kernel_ir.func_id.func_qualname)


def _readable(text: bytes) -> bytes:
    if _within:
        for name in _MADE.findall(text):
            _names.setdefault(name, _within[-1].encode())
    return _MADE.sub(lambda found: _names.get(found[0], found[0]), filter_text(text))


def _forked() -> None:
    """Begin a file for a forked child, since perf reads the names of a child's code in the child's file."""
    if _process and is_asked():
        write()


def write() -> None:
    """Write the functions compiled since the last call."""
    global _process
    is_first = _process != os.getpid()
    lines: list[bytes] = []

    def tell(_: int, name: bytes, address: int, size: int) -> None:
        lines.append(b"%x %x %s\n" % (address, size, name))

    stops.library().jitscope_registered_functions(is_first, _TELL(tell), None)
    if not lines:
        return
    path = f"/tmp/perf-{os.getpid()}.map"
    try:
        file = os.open(path, _FLAGS | (os.O_TRUNC if is_first and _is_anothers(path) else 0), 0o600)
        try:
            os.write(file, _readable(b"".join(lines)))
        finally:
            os.close(file)
    except OSError as error:
        if is_first:
            why = f"{path} cannot be written: {error.strerror}"
            print(f"jitscope: perf has no names for compiled functions, since {why}", file=sys.stderr)
    _process = os.getpid()


def _is_anothers(path: str) -> bool:
    """True if the file is older than this process, so that another process had the same number."""
    with open("/proc/self/stat") as own, open("/proc/uptime") as up:
        ticks = int(own.read().rpartition(")")[2].split()[19])  # field 22 of proc(5): starttime
        age = float(up.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
    try:
        return os.stat(path).st_mtime < time.time() - age - 1
    except FileNotFoundError:
        return False
