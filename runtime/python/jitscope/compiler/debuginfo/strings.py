"""Strings of the debug information, written where they are used. LLVM writes them into a table by default, and each use
needs a relocation of 24 bytes, which is longer than most strings.

LLVM has an option for this, which is the process's and not a module's, and which ends the process at a module with
DWARF 5. So it is set only while an object of the hook's is made, whose version is 4 (`LineBuilder._set_module_flags`).

This module wraps numba.core.codegen.JITCodeLibrary._finalize_specific (0.57-0.68)."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi

_OPTION = "-dwarf-inlined-strings="
_SETTABLE = 15  # the first LLVM in which an option may be set more than once
OWN = "_jitscope_own"  # attribute of a library: the hook makes the debug information of its function


def finalize(original: Any, library: Any) -> None:
    """Wrap JITCodeLibrary._finalize_specific, which makes the object."""
    lock = getattr(ffi.lib, "_lock", None)  # llvmlite's own: another thread may compile something else
    if lock is None or not hasattr(library, OWN) or llvm.llvm_version_info[0] < _SETTABLE:
        original(library)
        return
    with lock:
        llvm.set_option("jitscope", f"{_OPTION}Enable")
        try:
            original(library)
        finally:
            llvm.set_option("jitscope", f"{_OPTION}Default")
