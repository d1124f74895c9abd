"""Arguments of a function, copied with all that they share, and compared."""

from __future__ import annotations

import copy
import ctypes
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.typed import Dict, List

from jitscope import instances

_ALIGNMENT = 64
_INDICES = 8  # indices of each difference, at most

Found = tuple[str, tuple[tuple[int, ...], ...], int, tuple[str, str]]


class _Memory:
    """What has been copied, by its address. The originals are kept, so that no other one has the same address."""

    def __init__(self) -> None:
        self.blocks: dict[tuple[int, int], np.ndarray] = {}
        self.instances: dict[int, Any] = {}
        self._originals: list[Any] = []

    def block(self, low: int, high: int, original: Any) -> np.ndarray:
        """Return the copy of the bytes between two addresses, with the same alignment."""
        if (low, high) not in self.blocks:
            space = np.empty(high - low + _ALIGNMENT, np.uint8)
            start = (low - space.ctypes.data) % _ALIGNMENT
            whole = space[start : start + high - low]
            whole[:] = _raw(low, high - low)
            self.blocks[low, high] = whole
            self._originals.append(original)
        return self.blocks[low, high]

    def instance(self, value: Any, n: int) -> Any:
        """Return the copy of an instance of a jitclass, whose fields are copies."""
        address = instances.address(value)
        if address not in self.instances:
            self.instances[address] = made = instances.copied(value)
            self._originals.append(value)
            for name in instances.fields(value):
                setattr(made, name, _copy(getattr(value, name), self, n))
        return self.instances[address]


def of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies. Arrays that share memory share it in the copies, and have the same layout. Raise TypeError for a
    value that cannot be copied."""
    memory = _Memory()
    return tuple(_copy(argument, memory, n) for n, argument in enumerate(arguments))


def _copy(value: Any, memory: _Memory, n: int) -> Any:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return _array(value, memory)
    if type(value) in (tuple, list):
        return type(value)(_copy(each, memory, n) for each in value)
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(_copy(each, memory, n) for each in value)
    try:
        if instances.is_one(value):
            return memory.instance(value, n)
        if isinstance(value, List):
            return _items(value.copy(), range(len(value)), memory, n)
        if isinstance(value, Dict):
            return _items(value.copy(), list(value), memory, n)
        return copy.deepcopy(value)
    except Exception as error:
        raise TypeError(f"race_check() can't copy argument {n + 1}, a {type(value).__name__}: {error}") from None


def _items(made: Any, keys: Any, memory: _Memory, n: int) -> Any:
    """Replace the items of a typed List or Dict, which are those of the original, by copies."""
    for key in keys:
        item = made[key]
        if (copied := _copy(item, memory, n)) is not item:
            made[key] = copied
    return made


def _array(value: np.ndarray, memory: _Memory) -> np.ndarray:
    root = value
    while isinstance(root.base, np.ndarray):
        root = root.base
    low, high = _bounds(root)
    first, last = _bounds(value)
    if not low <= first <= last <= high:  # the array's base has released its memory
        root, low, high = value, first, last
    whole = memory.block(low, high, root)
    if value.size:
        at = value.__array_interface__["data"][0] - low
        made = np.ndarray(value.shape, value.dtype, whole, at, value.strides)
    else:
        made = np.empty_like(value)
    made.flags.writeable = value.flags.writeable
    return made


def _bounds(array: np.ndarray) -> tuple[int, int]:
    """Return the addresses of the first byte of its elements, and of the byte after the last; of the whole block, if
    Numba's runtime has made it."""
    base: Any = array.base
    if type(base).__name__ == "_MemInfo" and (block := memoryview(base)).nbytes:
        start = np.frombuffer(block, np.uint8).__array_interface__["data"][0]
        return start, start + block.nbytes
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


def differences(one: Any, other: Any, path: str = "", scale: float | None = None) -> Iterator[Found]:
    """Yield the places where two values are not the same to the bit (NaNs are one value): the part, the first indices,
    the number of elements, and both as text. `scale`: floats are the same where they differ by less than the rounding
    of sums of numbers of this size; None: only to the bit."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.shape == other.shape:
        differs = _unequal(one, other, scale)
        where = np.argwhere(differs)
        if len(where):
            indices = tuple(tuple(map(int, index)) for index in where[:_INDICES])
            yield path, indices, len(where), (str(one[indices[0]]), str(other[indices[0]]))
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for n, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{path}[{n}]", scale)
    elif isinstance(one, (list, List)) and isinstance(other, (list, List)) and len(one) == len(other):
        yield from _places_that_differ(list(one), list(other), path, scale)
    elif instances.is_one(one) and instances.is_one(other):
        for name in instances.fields(one):
            yield from differences(getattr(one, name), getattr(other, name), f"{path}.{name}", scale)
    elif isinstance(one, Dict) and isinstance(other, Dict):
        yield from _items_that_differ(one, other, path, scale)
    elif isinstance(one, (float, complex)) and isinstance(other, (float, complex)) and scale is not None:
        yield from differences(np.asarray(one), np.asarray(other), path, scale)
    elif _bits(one) != _bits(other):
        yield path, (), 1, (str(one), str(other))


def scale_of(value: Any) -> float:
    """Return the size of the largest finite float in a value."""
    if isinstance(value, (tuple, list, List)):
        return max(map(scale_of, value), default=0.0)
    if instances.is_one(value):
        return max((scale_of(getattr(value, name)) for name in instances.fields(value)), default=0.0)
    if isinstance(value, Dict):
        return max(map(scale_of, value.values()), default=0.0)
    found = np.asarray(value) if isinstance(value, (np.ndarray, float, complex, np.inexact)) else np.empty(0)
    if found.dtype.kind not in "fc":
        return 0.0
    sizes = np.abs(found[np.isfinite(found)])
    return float(sizes.max()) if sizes.size else 0.0


def _places_that_differ(one: list[Any], other: list[Any], path: str, scale: float | None) -> Iterator[Found]:
    """Yield the items that differ; numbers and texts together, as the elements of an array."""
    places, texts = [], ("", "")
    for n, pair in enumerate(zip(one, other)):
        for part, indices, count, said in differences(*pair, "", scale):
            if part or indices:
                yield f"{path}[{n}]{part}", indices, count, said
            else:
                places.append((n,))
                texts = texts if texts[0] else said
    if places:
        yield path, tuple(places[:_INDICES]), len(places), texts


def _items_that_differ(one: Any, other: Any, path: str, scale: float | None) -> Iterator[Found]:
    """Yield the items that differ; the order of a Dict's keys does not count."""
    if len(one) != len(other):
        yield path, (), 1, (f"a Dict of {len(one)}", f"a Dict of {len(other)}")
        return
    for key in one:
        if key in other:
            yield from differences(one[key], other[key], f"{path}[{key!r}]", scale)
        else:
            yield f"{path}[{key!r}]", (), 1, (str(one[key]), "not there")


def _unequal(one: np.ndarray, other: np.ndarray, scale: float | None) -> np.ndarray:
    if one.dtype.names:  # bytes between fields do not count
        parts = [_unequal(one[name], other[name], scale) for name in one.dtype.names]
        return np.asarray(np.logical_or.reduce([part.reshape(*one.shape, -1).any(axis=-1) for part in parts]))
    if one.dtype.kind not in "fc":
        return np.asarray(one != other)
    if scale is not None:
        near = np.sqrt(np.finfo(one.dtype).eps) * scale
        return np.asarray(~np.isclose(one, other, rtol=0, atol=near, equal_nan=True))
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
