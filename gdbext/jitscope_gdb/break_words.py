"""The parts of a breakpoint's command line: LOCATION [thread N] [task N] [inferior N] [if CONDITION]."""

from __future__ import annotations

import re
from typing import NamedTuple

_RESTRICTION = re.compile(r"(?:^|\s)(thread|task|inferior)\s+(\S+)\s*$")
_FORCE = re.compile(r"(?:^|\s)-force-condition(?=\s|$)")
_IF = re.compile(r"if(?=[\s(]|$)")


class Words(NamedTuple):
    """condition is None without an `if`, and "" where nothing stands behind it."""

    location: str
    condition: str | None
    restrictions: dict[str, str]  # "thread", "task" or "inferior": as typed


def split(text: str) -> Words:
    """Return the parts of the line; quoted text is a part of the location, whatever is in it."""
    place = _if_at(text)
    head, condition = (text, None) if place is None else (text[:place], text[place + 2 :].strip())
    restrictions: dict[str, str] = {}
    head = _take_restrictions(_FORCE.sub(" ", head), restrictions)
    if condition:
        condition = _take_restrictions(_FORCE.sub(" ", condition), restrictions)
    return Words(head.strip(), condition, restrictions)


def _if_at(text: str) -> int | None:
    """Return where the word `if` begins, outside of quotes."""
    quote = ""
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif (index == 0 or text[index - 1].isspace()) and _IF.match(text, index):
            return index
    return None


def _take_restrictions(text: str, into: dict[str, str]) -> str:
    while match := _RESTRICTION.search(text):
        into.setdefault(match[1], match[2])
        text = text[: match.start()]
    return text.strip()
