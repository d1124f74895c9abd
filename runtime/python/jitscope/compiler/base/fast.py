"""Functions that compute with fastmath flags: those that have the flags, and those into which LLVM may inline one that
has them (a function with debug information of its own is called: numba/core/lowering.py, Lower.pre_lower)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any


def is_fast(function: Any, flags: Any) -> bool:
    """True if LLVM may reorder the arithmetic of the Python function `function`. `flags`: Numba's, or None."""
    if getattr(flags, "fastmath", None):
        return True
    return any(_computes_fast(callee, {function.__code__}) for callee in _callees(function))


def _computes_fast(dispatcher: Any, seen: set[Any]) -> bool:
    """True if the function may be inlined and is compiled with fastmath flags, or calls such a function. `seen`: code
    that was looked at."""
    from numba.core import config

    options, code = dispatcher.targetoptions, dispatcher.py_func.__code__
    if code in seen or options.get("debug", config.DEBUGINFO_DEFAULT) or options.get("inline", "never") == "always":
        return False
    seen.add(code)
    return bool(options.get("fastmath")) or any(_computes_fast(each, seen) for each in _callees(dispatcher.py_func))


def _callees(function: Any) -> Iterator[Any]:
    """Yield the dispatchers that the function's code names: its globals, also in tuples and lists, and those of modules
    and of functions around it."""
    from numba.core.dispatcher import Dispatcher

    code = function.__code__
    found = [function.__globals__[name] for name in code.co_names if name in function.__globals__]
    found += [item for each in found if isinstance(each, (tuple, list)) for item in each]
    for module in [each for each in found if isinstance(each, ModuleType)]:
        found += [vars(module)[name] for name in code.co_names if name in vars(module)]
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # the variable has no value yet
            found.append(cell.cell_contents)
    for each in found:
        if isinstance(each, Dispatcher):
            yield each
