"""Python's own values, encoded as values.py compares them."""

from __future__ import annotations

from typing import Any

import numpy as np

ELEMENTS = 64


def encode(value: Any) -> dict[str, Any]:
    """A snapshot of `value`: scalars exact (floats by repr), arrays by dtype, shape and first elements."""
    if isinstance(value, (bool, np.bool_)):
        return {"t": "bool", "v": bool(value)}
    if isinstance(value, (int, np.integer)) and not isinstance(value, np.timedelta64):
        return {"t": "int", "v": int(value)}
    if isinstance(value, (float, np.floating)):
        return {"t": "float", "v": repr(float(value))}
    if isinstance(value, (complex, np.complexfloating)):
        return {"t": "complex", "v": [repr(float(value.real)), repr(float(value.imag))]}
    if value is None:
        return {"t": "none"}
    if isinstance(value, str):
        return {"t": "str", "v": value}
    if isinstance(value, tuple):
        return {"t": "tuple", "v": [encode(item) for item in value]}
    if isinstance(value, np.void) and value.dtype.names:
        return {"t": "tuple", "v": [encode(item) for item in value.item()]}
    if isinstance(value, np.ndarray):
        head = [encode(item) for item in value.flat[:ELEMENTS]]
        kind = np.dtype((np.void, value.dtype)) if value.dtype.type is np.record else value.dtype
        return {"t": "array", "dtype": str(kind), "shape": list(value.shape), "data": head}
    return {"t": "other", "text": repr(value)}
