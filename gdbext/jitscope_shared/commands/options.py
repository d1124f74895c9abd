"""The options of a command's line, which may be at any place in it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import NamedTuple

_OPTION = re.compile(r"--?[A-Za-z][\w-]*(?=\s|$)|--(?=\s|$)")
_BLANK = re.compile(r"\s|$")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


class Bad(Exception):
    """An error in the line; its text is the message."""


class Unknown(Bad):
    """The line has an option that the command does not have; the text goes after the command's name."""


class Syntax(NamedTuple):
    """The options that a command takes. `valued`: options with a value; `is_expression`: the rest is Python, in which
    `-x` may be a part; `abbreviates`: the beginning of an option's name is enough; `tail`: from this word on, the line
    has no options."""

    options: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()
    is_expression: bool = False
    abbreviates: bool = True
    tail: str = ""


class Arguments:
    """The parts of a command's line: the `options` in it, the `values` of those that have one, and the `rest`.
    `misspelled`: a word of an expression that may be an option with a wrong letter, else ""."""

    def __init__(self, options: set[str], rest: str, values: dict[str, str] | None = None, misspelled: str = ""):
        self.options = options
        self.rest = rest
        self.values = values or {}
        self.misspelled = misspelled

    def __contains__(self, option: str) -> bool:
        return option in self.options


def parse(line: str, syntax: Syntax) -> Arguments:
    """Return the line's parts. Raise Unknown for an option that the command does not have, and
    Bad for one that has no value."""
    found: set[str] = set()
    values: dict[str, str] = {}
    rest = misspelled = ""
    at = 0
    while at < len(line):
        start = at
        while at < len(line) and line[at].isspace():
            at += 1
        word = _OPTION.match(line, at)
        option = _named(word[0], syntax, not rest.strip()) if word else None
        if word and option:
            at = word.end()
            if option == "--":
                return Arguments(found, (rest + line[at:]).strip(), values)
            found.add(option)
            if option in syntax.valued:
                values[option], at = _value(option, line, at)
            continue
        if word and not misspelled and len(word[0]) > 2 and nearest(word[0], syntax.options):
            misspelled = word[0]
        at = word_end(line, at) if syntax.is_expression else _BLANK.search(line, at).start()  # type: ignore[union-attr]
        if syntax.tail and re.fullmatch(rf"\s*{syntax.tail}(\(.*)?", line[start:at]):
            at = len(line)
        rest += line[start:at]
    return Arguments(found, rest.strip(), values, misspelled)


def _named(word: str, syntax: Syntax, is_first: bool) -> str | None:
    """Return the option that the word means; None if the word belongs to the command's argument. `is_first`: only
    options precede the word."""
    if word in syntax.options:
        return word
    if word == "--":
        return word if is_first or not syntax.is_expression else None
    if syntax.is_expression and not (is_first and syntax.abbreviates):
        return None
    matches = [option for option in syntax.options if option.startswith(word)]
    if len(matches) == 1 and syntax.abbreviates:
        return matches[0]
    if matches:
        raise Bad(f"{word} may be {' or '.join(matches)}")
    raise Unknown(has_no(word, syntax.options, "; `--` ends the options" if syntax.is_expression else ""))


def has_no(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return "has no option WORD", and the option that was meant; `otherwise`: what follows if no option is near."""
    near = nearest(word, known)
    return f"has no option {word}" + (f"; did you mean {near}?" if near else otherwise)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the word of `known` that differs little from this one; None if each differs much."""
    return next(iter(difflib.get_close_matches(word, known, 1)), None)


def word_end(line: str, at: int) -> int:
    """Return where the word that begins at `at` ends: at the first blank outside of quotes and brackets."""
    closing: list[str] = []
    quote = ""
    while at < len(line):
        letter = line[at]
        if quote:
            at += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _PAIRS:
            closing.append(_PAIRS[letter])
        elif closing and letter == closing[-1]:
            closing.pop()
        elif letter.isspace() and not closing:
            return at
        at += 1
    return len(line)


def _value(option: str, line: str, at: int) -> tuple[str, int]:
    """Return the option's value, which may be quoted, and where it ends."""
    value = re.compile(r"\s*(?:'([^']*)'|\"([^\"]*)\"|([^\s'\"]\S*))(?=\s|$)").match(line, at)
    if value is None:
        raise Bad(f"{option} wants a value, in quotes if it has blanks")
    return next(text for text in value.groups() if text is not None), value.end()
