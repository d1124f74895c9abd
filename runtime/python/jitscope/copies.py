"""Arguments of a function, copied with all that they share, and compared."""

from __future__ import annotations

import copy
import ctypes
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

_ALIGNMENT = 64
_INDICES = 8  # indices of each difference, at most

Found = tuple[str, tuple[tuple[int, ...], ...], int, tuple[str, str]]


def of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies. Arrays that share memory share it in the copies, and have the same layout. Raise TypeError for a
    value that cannot be copied."""
    memory: dict[int, tuple[int, Any]] = {}
    return tuple(_copy(argument, memory, n) for n, argument in enumerate(arguments))


def _copy(value: Any, memory: dict[int, tuple[int, Any]], n: int) -> Any:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return _array(value, memory)
    if type(value) in (tuple, list):
        return type(value)(_copy(each, memory, n) for each in value)
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(_copy(each, memory, n) for each in value)
    try:
        return copy.deepcopy(value)
    except Exception as error:
        raise TypeError(f"race_check() can't copy argument {n + 1}, a {type(value).__name__}: {error}") from None


def _array(value: np.ndarray, memory: dict[int, tuple[int, Any]]) -> np.ndarray:
    root = value
    while isinstance(root.base, np.ndarray):
        root = root.base
    low, high = _bounds(root)
    first, last = _bounds(value)
    if not low <= first <= last <= high:  # the array's base has released its memory
        root, low, high = value, first, last
    if id(root) not in memory:
        space = np.empty(high - low + _ALIGNMENT, np.uint8)
        start = (low - space.ctypes.data) % _ALIGNMENT
        whole = space[start : start + high - low]
        whole[:] = _raw(low, high - low)
        memory[id(root)] = low, whole
    low, whole = memory[id(root)]
    if value.size:
        at = value.__array_interface__["data"][0] - low
        made = np.ndarray(value.shape, value.dtype, whole, at, value.strides)
    else:
        made = np.empty_like(value)
    made.flags.writeable = value.flags.writeable
    return made


def _bounds(array: np.ndarray) -> tuple[int, int]:
    """Return the addresses of the first byte of its elements, and of the byte after the last."""
    low = high = array.__array_interface__["data"][0]
    if not array.size:
        return low, low
    for length, stride in zip(array.shape, array.strides):
        reach = (length - 1) * stride
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high + array.itemsize


def _raw(address: int, size: int) -> np.ndarray:
    return np.frombuffer(memoryview((ctypes.c_char * size).from_address(address)).cast("B"), dtype=np.uint8)


# -- differences


def differences(one: Any, other: Any, path: str = "") -> Iterator[Found]:
    """Yield the places where two values are not the same to the bit (NaNs are one value): the part, the first indices,
    the number of elements, and both as text."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.shape == other.shape:
        differs = _unequal(one, other)
        where = np.argwhere(differs)
        if len(where):
            indices = tuple(tuple(map(int, index)) for index in where[:_INDICES])
            yield path, indices, len(where), (str(one[indices[0]]), str(other[indices[0]]))
    elif isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)) and len(one) == len(other):
        for n, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{path}[{n}]")
    elif _bits(one) != _bits(other):
        yield path, (), 1, (str(one), str(other))


def _unequal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    if one.dtype.names:  # bytes between fields do not count
        parts = [_unequal(one[name], other[name]) for name in one.dtype.names]
        return np.asarray(np.logical_or.reduce([part.reshape(*one.shape, -1).any(axis=-1) for part in parts]))
    if one.dtype.kind not in "fc":
        return np.asarray(one != other)
    bits = [np.ascontiguousarray(each).view(np.uint8).reshape(*one.shape, -1) for each in (one, other)]
    return np.asarray((bits[0] != bits[1]).any(axis=-1) & ~(np.isnan(one) & np.isnan(other)))


def _bits(value: Any) -> Any:
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value)
    if isinstance(value, complex):
        return _bits(value.real), _bits(value.imag)
    try:
        return repr(value) if " at 0x" not in repr(value) else type(value)
    except Exception:
        return type(value)
