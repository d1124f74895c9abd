"""A test of the hook on a tiny function, once for each process before the hook is used on the user's functions: it
fails if this Numba or this LLVM treats the hook's output in another way than when the hook was written."""

from __future__ import annotations

from typing import Any

import numba

from jitscope.compiler.base.emit import MARKER
from jitscope.compiler.debuginfo import dibuilder

_STATEMENTS = 5  # lines of _probe's body that end in a marker or more


def _probe(count: int) -> int:
    total = 0
    for index in range(count):
        total += index
    twice = total * 2
    return twice + 1


def fault() -> str | None:
    """Return the error that the hook made in the tiny function, or None."""
    try:
        # The flag is given because Numba compiles it within another function, whose fastmath flags it would have, too.
        compiled: Any = numba.njit(debug=True, fastmath=False)(_probe)
        result = compiled(5)
        (overload,) = compiled.overloads.values()
        text = str(overload.library._final_module)
    except Exception as error:  # a future Numba may raise any exception: the hook is switched off, and Numba goes on
        return f"Numba compiles no function with it ({type(error).__name__}: {error})".splitlines()[0]
    if result != _probe(5):
        return f"a function that is compiled for a test returned {result}, and not {_probe(5)}"
    for what, missing in (
        ("unit", f'"{dibuilder.PRODUCER} ' not in text),
        ("marker", text.count(MARKER) < _STATEMENTS - 2),
        ("variable", text.count("DW_OP_swap, DW_OP_plus_uconst") < 2 and text.count("DW_OP_plus_uconst") < 2),
    ):
        if missing:
            return f"LLVM leaves no {what} in a function that is compiled for a test"
    return None
