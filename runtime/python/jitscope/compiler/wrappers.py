"""Names of the wrappers through which CPython calls compiled functions. Numba's is `cpython::module::foo` as C++ reads
it (numba/core/funcdesc.py, llvm_cpython_wrapper_name), in which `break foo` finds a foo; so it is no C++ name here."""

from __future__ import annotations

import sys
from typing import Any

from numba.core import funcdesc

from jitscope.compiler import levels

PREFIX = "cpython."  # as Numba's own "cfunc."


def check() -> str | None:
    """Why wrappers can't be renamed in this Numba, or None."""
    if not isinstance(getattr(funcdesc.FunctionDescriptor, "llvm_cpython_wrapper_name", None), property):
        return "numba.core.funcdesc.FunctionDescriptor has no property llvm_cpython_wrapper_name"
    return None


def _file(descriptor: Any) -> str:
    """The file of the module that the function stands in; "" when it has none."""
    names = descriptor.global_dict or vars(sys.modules.get(descriptor.modname, object))
    return str(names.get("__file__", ""))


def rename() -> None:
    """Once a process. Objects in a cache hold the name: its index has to tell them from those of a Numba without."""

    numbas = funcdesc.FunctionDescriptor.llvm_cpython_wrapper_name

    def llvm_cpython_wrapper_name(self: Any) -> str:
        name: str = numbas.fget(self) if levels.is_numbas_test(_file(self)) else f"{PREFIX}{self.mangled_name}"
        return name

    funcdesc.FunctionDescriptor.llvm_cpython_wrapper_name = property(llvm_cpython_wrapper_name)
