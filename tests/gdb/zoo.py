"""Helpers of the tests of many kinds of values: the levels, and the comparison with Python's text of a value."""

from __future__ import annotations

import re

SETTINGS = {
    "stock": {"JITSCOPE_LEVEL": "stock", "NUMBA_OPT": "0"},
    "exact": {"JITSCOPE_LEVEL": "exact"},
    "steps": {"JITSCOPE_LEVEL": "steps"},
}


def one_line(text: str) -> str:
    """Return the text without NumPy's padding to columns, line breaks and, from 2 on, the names of its scalars'
    types."""
    text = re.sub(r"^np\.void\((.*), dtype=.*\)$", r"\1", text)
    text = re.sub(r"np\.(?:float|int|uint|str_|bytes_|bool_?)\d*\(((?:[^()']|'[^']*')*)\)", r"\1", text)
    return re.sub(r"\s+(?=[\],])|(?<=\[)\s+", "", re.sub(r"\s+", " ", text))
