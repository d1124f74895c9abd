"""Python's own values, encoded as values.py compares them."""

from __future__ import annotations

from typing import Any

import numpy as np

ELEMENTS = 64
PROGRAMS: set[str] = set()  # modules whose classes' objects are read


DEPTH = 5  # levels of nested containers and objects


def encode(value: Any, depth: int = DEPTH) -> dict[str, Any]:
    """Return a snapshot of `value`: scalars exact (floats by repr), arrays by dtype, shape and first elements, lists,
    sets and dicts by their length and first items, objects of the program's classes by their attributes."""
    if isinstance(value, (bool, np.bool_)):
        return {"t": "bool", "v": bool(value)}
    if isinstance(value, (int, np.integer)) and not isinstance(value, np.timedelta64):
        return {"t": "int", "v": int(value)}
    if isinstance(value, (float, np.floating)):
        single = {"single": True} if isinstance(value, np.float32) else {}
        return {"t": "float", "v": repr(float(value)), **single}
    if isinstance(value, (complex, np.complexfloating)):
        single = {"single": True} if isinstance(value, np.complex64) else {}
        return {"t": "complex", "v": [repr(float(value.real)), repr(float(value.imag))], **single}
    if isinstance(value, (np.datetime64, np.timedelta64)):
        count = int(value.astype(np.int64))
        text = str(value) if isinstance(value, np.datetime64) or np.isnat(value) else str(count)
        return {"t": "date", "v": text, "n": count, "unit": np.datetime_data(value.dtype)[0]}
    if value is None:
        return {"t": "none"}
    if isinstance(value, str):
        return {"t": "str", "v": value}
    if isinstance(value, bytes):
        return {"t": "bytes", "v": value.decode("latin-1")}
    if depth == 0:
        return {"t": "other", "text": repr(type(value))}
    below = depth - 1
    if isinstance(value, tuple):
        return {"t": "tuple", "v": [encode(item, below) for item in value]}
    if isinstance(value, np.void) and value.dtype.names:
        return {"t": "tuple", "v": [encode(value[name], below) for name in value.dtype.names]}
    if isinstance(value, np.ndarray):
        head = [encode(item, below) for item in value.flat[:ELEMENTS]]
        kind = np.dtype((np.void, value.dtype)) if value.dtype.type is np.record else value.dtype
        return {"t": "array", "dtype": str(kind), "shape": list(value.shape), "data": head}
    return collection(value, below) or {"t": "other", "text": repr(value)}


def collection(value: Any, below: int) -> dict[str, Any] | None:
    if isinstance(value, list):
        return {"t": "list", "n": len(value), "v": [encode(item, below) for item in value[:ELEMENTS]]}
    if isinstance(value, (set, frozenset)):
        return {"t": "set", "n": len(value), "v": [encode(item, below) for item in value]}
    if isinstance(value, dict):
        pairs = list(value.items())[:ELEMENTS]
        return {"t": "dict", "n": len(value), "v": [[encode(key, below), encode(item, below)] for key, item in pairs]}
    if type(type(value)) is type and hasattr(value, "__dict__") and type(value).__module__ in PROGRAMS:
        attributes = {name: encode(item, below) for name, item in vars(value).items()}
        return {"t": "object", "class": type(value).__name__, "v": attributes}
    return None
