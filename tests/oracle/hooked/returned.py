"""The result of a call: as the interpreter has it, and to the bit."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Any

import numpy as np


def both(call: Callable[[], Any]) -> tuple[str, str]:
    """Return the result or exception of one call: `outcome`, and `exactly`."""
    try:
        value = call()
    except Exception as error:
        said = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        return said, re.sub(r"0x[0-9a-f]+|#[0-9a-f]{9,}", "ADDRESS", f"{type(error).__name__}{error.args!r}")
    return repr(_plain(value)), bits(value)


def outcome(call: Callable[[], Any]) -> str:
    """Return the result as text, with Python's and NumPy's numbers alike."""
    return both(call)[0]


def exactly(call: Callable[[], Any]) -> str:
    """Return the result as text, to the bit."""
    return both(call)[1]


def _plain(value: Any) -> Any:
    """Return a number as float, by which Python's and NumPy's are alike; likewise in tuples, lists, sets, dicts and
    arrays."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (tuple, list)):
        return (tuple if isinstance(value, tuple) else list)(map(_plain, value))
    if isinstance(value, set):
        return sorted(map(_plain, value))
    if isinstance(value, dict):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (complex, np.complexfloating)):
        return complex(value)
    is_number = isinstance(value, (bool, int, float, np.number, np.bool_)) and not isinstance(value, np.timedelta64)
    return float(value) if is_number else repr(value)


def bits(value: Any) -> str:
    if isinstance(value, float):
        return struct.pack("<d", value).hex()
    if isinstance(value, complex):
        return bits(value.real) + "+" + bits(value.imag)
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(bits, value))})"
    if isinstance(value, set):
        return f"set({', '.join(sorted(map(bits, value)))})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{bits(key)}: {bits(each)}' for key, each in value.items())})"
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.tobytes().hex()}"
    return f"{type(value).__name__} {value!r}"
