"""The arguments of the call that raises, as its wrapper has got them from Python."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from jitscope import stops
from jitscope.compiler.raised.machine_code import Code

_Words = ctypes.c_uint64 * 4


@functools.lru_cache(maxsize=1)
def _call() -> Any:
    """Return jitscope_raised_call, called with the GIL; it calls no Python."""
    return ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("jitscope_raised_call", stops.library()))


def of(wrapper: Code, address: int) -> tuple[Any, ...] | None:
    """Return the arguments of the call that has just raised in this thread; None: they are not known, as those of a
    call that does not come from Python. `wrapper`: the code that raises. `address`: what its call of PyErr_Clear
    returns to.

    The tuple is that of this call if the wrapper has got it in the same frame: a later call in this frame would have
    got another one, and that of an outer or inner call is got in another frame."""
    words = _Words()
    _call()(ctypes.byref(words))
    arguments, got_at, got, raised_at = words
    if not arguments or not wrapper.low <= got < wrapper.high:
        return None
    depths = wrapper.depth_at(got), wrapper.depth_at(address)
    if not all(depths) or got_at + depths[0] != raised_at + depths[1]:
        return None
    found = ctypes.cast(arguments, ctypes.py_object).value
    return found if type(found) is tuple else None
