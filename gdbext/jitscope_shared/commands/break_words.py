"""The parts of a breakpoint's command line: LOCATION [thread N] [task N] [inferior N] [if CONDITION]."""

from __future__ import annotations

import re
from typing import Iterator, NamedTuple

_RESTRICTION = re.compile(r"(?:^|\s)(thread|task|inferior)\s+(\S+)\s*$")
_FORCE = re.compile(r"-force-condition(?=\s|$)")
_KEYWORD = re.compile(r"(?:thread|task|inferior)\s+\S+\s+\S")
_IF = re.compile(r"if(?=[\s(]|$)")


class Words(NamedTuple):
    """The parts of a line. `condition` is None without an `if`, and "" where nothing follows the `if`."""

    location: str
    condition: str | None
    restrictions: dict[str, str]  # "thread", "task" or "inferior", with the value as it was typed
    is_forced: bool  # by -force-condition
    garbage: str  # text after a restriction that is no further restriction


def split(text: str) -> Words:
    """Return the parts of the line. Quoted text is part of the location or the condition, whatever words are in it."""
    place = _first(_IF, text)
    head, condition = (text, None) if place is None else (text[:place], text[place + 2 :].strip())
    forced = _first(_FORCE, head)
    if forced is not None:
        head = f"{head[:forced]} {head[forced + len('-force-condition') :]}"
    restrictions: dict[str, str] = {}
    head = _take_restrictions(head, restrictions)
    if condition:
        condition = _take_restrictions(condition, restrictions)
    left = _first(_KEYWORD, head)
    garbage = head[left:].partition(" ")[2] if left else ""
    return Words(head.strip(), condition, restrictions, forced is not None, garbage)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    """Return where the first word outside of quotes that matches begins; None: there is none."""
    return next((index for index in _words(text) if pattern.match(text, index)), None)


def _words(text: str) -> Iterator[int]:
    """Yield the positions where words outside of quotes begin."""
    quote = ""
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        if letter != " " and not quote and (index == 0 or text[index - 1].isspace()):
            yield index


def _take_restrictions(text: str, into: dict[str, str]) -> str:
    while match := _RESTRICTION.search(text):
        if match.start(1) not in _words(text):
            break
        into.setdefault(match[1], match[2])
        text = text[: match.start()]
    return text.strip()
