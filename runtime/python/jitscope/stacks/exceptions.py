"""What compiled code has last raised: `last_exception`."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple


class CompiledFrame(NamedTuple):
    """A compiled function that an exception has come through: its name, its file, and the line as the interpreter
    counts it.

    `variables`: the values that its numbers, and tuples of numbers, had when the exception left it, by name; None: the
    function's level keeps none. `labels`: why other variables have no value, by name."""

    name: str
    file: str
    line: int
    variables: dict[str, Any] | None = None
    labels: dict[str, str] = {}


class CompiledException(NamedTuple):
    """An exception that compiled code has raised.

    `type`: its class. `frames`: those of compiled functions that the traceback has, the outermost first. `gap`: the
    index of the first frame after the place where some are left out; None: there are all. `reason`: why they are left
    out, or None."""

    type: type[BaseException]
    frames: tuple[CompiledFrame, ...]
    gap: int | None
    reason: str | None


def last_exception() -> CompiledException | None:
    """Return what compiled code has last raised in this thread, with the frames that its traceback has, or None.

    Frames of functions at `steps` have variables, which are copied where the exception leaves the function. Others have
    none: when the exception reaches Python, the memory of the compiled functions has been left, and may hold other
    values. An exception of other code leaves the result as it was. The loop of a ufunc goes on after an exception; the
    result is that of the last element that raises. Exceptions of a `cfunc` that C code calls are returned, too.

    Returns:
        The exception's class and frames; None if compiled code has raised nothing in this thread, without the hook, and
        with JITSCOPE_TRACEBACKS=off.

    Example::

        import jitscope
        from numba import njit

        @njit
        def root(x):
            if x < 0:
                raise ValueError("no root")
            return x**0.5

        @njit
        def roots(x):
            return root(x), -root(-x)

        try:
            roots(-4.0)
        except ValueError:
            print(jitscope.last_exception())
    """
    raising = sys.modules.get("jitscope.compiler.raised.raising")
    found = raising.last() if raising is not None else None
    if raising is None or found is None:
        return None
    chain, frames = found.chain, []
    for number, each in enumerate((*chain.outer, *chain.inner)):
        frame = CompiledFrame(each.function.name, each.function.file, each.line)
        copied = found.copies[number] if number < len(found.copies) else None
        if copied is not None:
            values, labels = raising.read(copied, found.variables)
            frame = frame._replace(variables=values, labels=labels)
        frames.append(frame)
    return CompiledException(found.exc, tuple(frames), len(chain.outer) if chain.reason else None, chain.reason)
