"""Texts shortened to a number of columns. Plain Python, usable outside of GDB."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

LEAST = 3  # the columns of `...`

_ELIDED = "..."
_OPENED = re.compile(r"[\w.]*[(\[{<]")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def shortened(text: str, room: int) -> str:
    """Return the text if it has at most `room` columns, or its beginning: `array(...)`, `'abc'...`, else `...`."""
    if len(text) <= room:
        return text
    opened = _OPENED.match(text)
    if opened and opened.end() + len(_ELIDED) < room:
        return f"{opened[0]}{_ELIDED}{_CLOSING[opened[0][-1]]}"
    if text[:1] in ("'", '"') and len(_ELIDED) + 4 < room:
        return f"{text[: room - len(_ELIDED) - 1]}{text[0]}{_ELIDED}"
    return _ELIDED


def listed(arguments: List[Tuple[str, str]], room: Optional[int]) -> str:
    """Return `name=text, …` in at most `room` columns: long texts are shortened, then the last arguments are left
    out."""
    whole = ", ".join(f"{name}={text}" for name, text in arguments)
    if room is None or len(whole) <= room or not arguments:
        return whole
    left = room - sum(len(name) + 3 for name, _ in arguments)
    each = max(len(text) for _, text in arguments)
    while each > LEAST and sum(min(len(text), each) for _, text in arguments) > left:
        each -= 1
    short = [f"{name}={shortened(text, each)}" for name, text in arguments]
    length, count = len(_ELIDED), 0
    for text in short:
        length += len(text) + 2
        count += length <= room + 2
    return ", ".join(short[:count] + [_ELIDED] * (count < len(short)))
