"""Names of the wrappers through which CPython calls compiled functions. Numba's is `cpython::module::foo` as C++ reads
it (numba/core/funcdesc.py, llvm_cpython_wrapper_name), in which `break foo` finds a foo; so it is no C++ name here."""

from __future__ import annotations

from typing import Any

from numba.core import funcdesc

PREFIX = "cpython."  # as Numba's own "cfunc."


def check() -> str | None:
    """Return why wrappers can't be renamed in this Numba, or None."""
    if not isinstance(getattr(funcdesc.FunctionDescriptor, "llvm_cpython_wrapper_name", None), property):
        return "numba.core.funcdesc.FunctionDescriptor has no property llvm_cpython_wrapper_name"
    return None


def rename() -> None:
    """Rename the wrappers, once a process. Cached objects hold the name, so the cache's index has to distinguish them
    from those of a Numba without jitscope."""

    def llvm_cpython_wrapper_name(self: Any) -> str:
        return f"{PREFIX}{self.mangled_name}"

    funcdesc.FunctionDescriptor.llvm_cpython_wrapper_name = property(llvm_cpython_wrapper_name)
