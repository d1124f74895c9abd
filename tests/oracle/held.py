"""A value as compiled code has it in a variable: type text, bytes, storage text."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import njit, typeof, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic


@intrinsic
def spill(typing: Any, value: Any, address: Any) -> Any:  # noqa: ARG001
    """Store the value at the address as Numba stores it in a variable."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        storage = context.get_value_type(signature.args[0])
        context.nrt.incref(builder, signature.args[0], arguments[0])  # so that it is alive when the call has ended
        builder.store(arguments[0], builder.inttoptr(arguments[1], storage.as_pointer()))
        return context.get_dummy_value()

    return types.none(value, types.uintp), generate


@njit
def keep(value, address):  # type: ignore[no-untyped-def]
    spill(value, address)


@njit
def keep_optional(value, is_none, address):  # type: ignore[no-untyped-def]
    result = None if is_none else value
    spill(result, address)


first = ctypes.create_string_buffer(8)
keep(1, np.uintp(ctypes.addressof(first)))  # because Numba registers its models at the first compilation


def size_of(numba_type: Any) -> int:
    """Return the bytes of a variable of the type."""
    context = cpu_target.target_context
    return int(context.get_abi_sizeof(context.get_value_type(numba_type)))


def held(value: Any) -> tuple[str, bytes, str]:
    """Return the type text, the bytes and the storage text of a variable that has the value."""
    numba_type = typeof(value)
    size = size_of(numba_type)
    room = ctypes.create_string_buffer(size + 16)
    keep(value, np.uintp(ctypes.addressof(room)))
    storage = cpu_target.target_context.get_value_type(numba_type)
    return str(numba_type), room.raw[:size], str(storage)
