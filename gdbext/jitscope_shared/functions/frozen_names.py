"""Where a program keeps the globals and enclosing variables that compiled functions have as constants."""

from __future__ import annotations

MODULE = b"jitscope.compiler.recompiled.frozen"
ADVICE = "pass it as an argument if it changes"


def name_of(symbol: str, name: str) -> bytes:
    """Return the module's name for what the function with this linkage name has as `name`."""
    return f"{symbol}.{name}".encode()


def reason(is_enclosing: bool, constant: str | None) -> str:
    """Return what such a name is in compiled code. `constant`: the text of its value; None: it is not kept."""
    whose = "a variable of the function around this one" if is_enclosing else "a global of the module"
    has = "what it was then" if constant is None else constant
    return f"it is {whose}, which Numba makes a constant when it compiles: compiled code has {has}"
