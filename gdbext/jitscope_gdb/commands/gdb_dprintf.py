"""GDB's `dprintf`, whose expressions mean Python in compiled Python."""

from __future__ import annotations

import ast
import re
from typing import Any

import gdb

from .. import break_words, condition_text, conditions, console, report
from .gdb_break import Replacement

_FORMAT = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*', re.S)
_DIRECTIVE = re.compile(r"%(?:%|[^a-zA-Z%]*(?:hh|h|ll|l|L|z|t|j|[HD]+)?([a-zA-Z]))")


class Dprintf(Replacement):
    more = """

Where the location is compiled Python, the expressions are Python's, as in
`jit print`; a `%s` shows what str() gives."""

    def __init__(self) -> None:
        super().__init__("dprintf", gdb.COMPLETE_LOCATION)

    def run(self, argument: str) -> None:
        location, separator, rest = argument.partition(",")
        form = _FORMAT.match(rest)
        if not separator or not location.strip() or form is None:
            raise report.Problem('Format string required: dprintf LOCATION,"FORMAT",EXPRESSION…')
        words = break_words.split(location)
        given = _items(rest[form.end() :].lstrip().removeprefix(",") if rest[form.end() :].strip() else "")
        if conditions.is_python_location(words.location):
            directives = [match[1] for match in _DIRECTIVE.finditer(form[1]) if match[1]]
            given = [_as_python(text, kind) for text, kind in zip(given, [*directives, *[""] * len(given)])]
        number = _insert(words, form[1], given)
        gdb.write(f"Dprintf {number} at {words.location}\n")


def _items(text: str) -> list[str]:
    """Return the expressions between the commas that stand outside of quotes and brackets."""
    found, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += letter
    return [item.strip() for item in found if item.strip()]


def _as_python(text: str, kind: str) -> str:
    if condition_text.is_gdb_expression(text):
        return text
    condition_text.check(text)
    return f"${'jit_str' if kind == 's' else 'jit'}({console.quoted(text)})"


def _insert(words: break_words.Words, form: str, given: list[str]) -> str:
    """Return the number of the new dprintf. GDB/MI has the only other way to GDB's own command."""
    options = ["-f"]
    if words.condition:
        options += ["-c", condition_text.wrap(words.condition)]
    if hasattr(gdb, "execute_mi"):
        made: dict[str, Any] = gdb.execute_mi(
            "-dprintf-insert", *options, words.location, ast.literal_eval(form), *given
        )
        return str(made["bkpt"]["number"])
    quoted = [option if option.startswith("-") else console.quoted(option) for option in options]
    said = console.machine_interface(
        " ".join(["-dprintf-insert", *quoted, console.quoted(words.location), form, *map(console.quoted, given)])
    )
    match = re.search(r'number="(\d+)"', said)
    return match[1] if match else "?"


def create() -> None:
    Dprintf()
