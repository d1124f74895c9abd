"""Values in the form that the library's expressions take, and results in Python's form."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np


def describe(array: np.ndarray[Any, Any]) -> bytes:
    """Return the descriptor that Numba makes of an array (numba/_arraystruct.h)."""
    head = struct.pack("<QQqqQ", 0, 0, array.size, array.itemsize, array.ctypes.data)
    return head + struct.pack(f"<{2 * array.ndim}q", *array.shape, *array.strides)


LETTERS = {"?": "bool", "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128"}


def type_text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}, {value.ndim}d, A)"
    return str(value.dtype)


def contents(value: Any) -> tuple[str, bytes]:
    if isinstance(value, np.ndarray):
        return type_text(value), describe(value)
    if isinstance(value, tuple):
        return "Tuple(int64, float64, int64)", b"".join(item.tobytes() for item in value)
    return type_text(value), value.tobytes()


def plain_value(value: Any) -> Any:
    """Return the value in the form of js_value_render_json()."""
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "data": [plain_value(item) for item in value.ravel()[:64]]}
    if isinstance(value, np.generic):
        value = value.item() if not isinstance(value, np.complexfloating) else complex(value)
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, tuple):
        return {"tuple": [plain_value(item) for item in value]}
    if isinstance(value, list):
        return {"list": [plain_value(item) for item in value], "length": len(value)}
    if isinstance(value, complex):
        return {"re": plain_value(value.real), "im": plain_value(value.imag)}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def close(mine: Any, expected: Any, tolerance: float) -> bool:
    if type(mine) is not type(expected):
        return False
    if isinstance(mine, dict):
        return mine.keys() == expected.keys() and all(close(mine[k], expected[k], tolerance) for k in mine)
    if isinstance(mine, list):
        return len(mine) == len(expected) and all(close(m, e, tolerance) for m, e in zip(mine, expected))
    if isinstance(mine, float):
        if tolerance:
            return mine == expected or abs(mine - expected) <= tolerance * max(abs(mine), abs(expected))
        return repr(mine) == repr(expected)
    return bool(mine == expected)


def held(**variables: Any) -> dict[str, tuple[str, bytes]]:
    return {name: contents(value) for name, value in variables.items()}


def text_variable(value: str) -> tuple[tuple[str, bytes], Any]:
    """Return the variable as UnicodeModel holds it; the second value keeps it alive."""
    data = np.array([ord(c) for c in value], "u4")
    return (
        "unicode_type",
        struct.pack("<QqiIqQQ", data.ctypes.data, len(value), 4, int(value.isascii()), -1, 0, 0),
    ), data
