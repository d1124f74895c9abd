"""The test for a debugger that sees compiled code. Such a debugger has a breakpoint on the first instruction of LLVM's
`__jit_debug_register_code` (GDB's gdb/jit.c; LLDB's JITLoaderGDB.cpp), so the test is one load, at any point of the
program. A recording of the program's accesses (recording.py) counts as a debugger, too."""

from __future__ import annotations

import functools
import platform
import re
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from jitscope import stops
from jitscope.compiler.base import levels, recording
from jitscope.compiler.base.emit import volatile_load

_WATCHED = "jitscope_watched_code"
_ASKED = (_WATCHED, recording.WORD)
# The breakpoint instruction that a debugger writes there: int3; brk #0.
_BREAKPOINTS = {"x86_64": ir.IntType(8)(0xCC), "aarch64": ir.IntType(32)(0xD4200000)}


def is_debugged(builder: ir.IRBuilder) -> ir.Value:
    """Emit the test for a debugger, and return an i1; the test runs each time."""
    if levels.loops() == levels.PLAIN:
        return ir.IntType(1)(0)
    instruction = _BREAKPOINTS.get(platform.machine())
    if instruction is None:
        return ir.IntType(1)(1)
    register()
    code = builder.module.globals.get(_WATCHED) or ir.GlobalVariable(builder.module, instruction.type, _WATCHED)
    is_there = builder.icmp_unsigned("==", volatile_load(builder, code), instruction)
    return builder.or_(is_there, recording.is_recording(builder))


@functools.lru_cache(maxsize=1)
def register() -> None:
    """Make the symbols known to LLVM, before code with the test is linked."""
    llvm.add_symbol(_WATCHED, stops.library().jitscope_watched_code())
    recording.register()


def is_asked(compiled: Any) -> bool:
    """True if the code contains the test for a debugger. `compiled`: the code's data in Numba's cache."""
    if isinstance(compiled, (tuple, list)):
        return any(map(is_asked, compiled))
    return isinstance(compiled, bytes) and any(name.encode() in compiled for name in _ASKED)


def never(text: str) -> str:
    """Return a module's text in which the test for a debugger is replaced by the answer no."""
    names = "|".join(_ASKED)
    return re.sub(
        rf"^( *%\S+ = )load (?:volatile )?(i\d+), [^@\n]*@(?:{names})\b.*$", r"\1add \2 0, 0", text, flags=re.M
    )
