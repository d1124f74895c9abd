"""The names of the wrappers through which CPython calls compiled functions. C++ reads Numba's name
(numba/core/funcdesc.py, llvm_cpython_wrapper_name) as `cpython::module::foo`, in which `break foo` finds a foo; so the
name here is no C++ name. It ends with that of the wrapper for C, `cfunc.` and the function's symbol, because an object
has a symbol that is the end of another only once, and symbols are a fifth of a small object."""

from __future__ import annotations

from typing import Any

from numba.core import funcdesc

PREFIX = "pycfunc."
# wrappers for C, and for universal functions (numba/np/ufunc/wrappers.py, 0.57-0.68)
_OTHERS = ("cfunc.", "__ufunc__.", "__gufunc__.")


def check() -> str | None:
    """Return why wrappers cannot be renamed in this Numba, or None."""
    if not isinstance(getattr(funcdesc.FunctionDescriptor, "llvm_cpython_wrapper_name", None), property):
        return "numba.core.funcdesc.FunctionDescriptor has no property llvm_cpython_wrapper_name"
    return None


def rename() -> None:
    """Rename the wrappers, once for each process. Cached objects contain the name, so the cache's index has to
    distinguish them from those of a Numba without jitscope."""

    def llvm_cpython_wrapper_name(self: Any) -> str:
        return f"{PREFIX}{self.mangled_name}"

    funcdesc.FunctionDescriptor.llvm_cpython_wrapper_name = property(llvm_cpython_wrapper_name)


def function_of(symbol: str) -> str | None:
    """Return the symbol of the function that the wrapper with this symbol calls; None: it is no wrapper's."""
    found = next((prefix for prefix in (PREFIX, *_OTHERS) if symbol.startswith(prefix)), None)
    return None if found is None else symbol[len(found) :]
