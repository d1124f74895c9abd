"""Where a program keeps the globals and enclosing variables that compiled functions have as constants."""

from __future__ import annotations

from ..debugged_process import DebuggedProcess

ADVICE = "pass it as an argument if it changes"
_MODULE = b"jitscope.compiler.recompiled.frozen"


def address_of(process: DebuggedProcess, symbol: str, name: str) -> int | None:
    """Return the address of the object that the function with this linkage name has as a constant for `name`; None: the
    program does not keep it. `symbol`: "" where it is not known."""
    return process.python_global(_MODULE, f"{symbol}.{name}".encode()) if symbol else None


def reason(is_enclosing: bool, constant: str | None) -> str:
    """Return what such a name is in compiled code. `constant`: the text of its value; None: it is not kept."""
    whose = "a variable of the function around this one" if is_enclosing else "a global of the module"
    has = "what it was then" if constant is None else constant
    return f"it is {whose}, which Numba makes a constant when it compiles: compiled code has {has}"
