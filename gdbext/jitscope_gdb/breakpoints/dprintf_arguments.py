"""The condition and the expressions of a `dprintf` at compiled Python, in the form that GDB's printf evaluates. Each
expression becomes a text, which names a missing value, because an error would end the command that runs the program
while threads still run."""

from __future__ import annotations

import re

from ..base import console
from ..target import target
from . import condition_text, conditions, unseen

_DIRECTIVE = re.compile(r"%(?:%|[^a-zA-Z%]*(?:hh|h|ll|l|L|z|t|j|[HD]+)?([a-zA-Z]))")


def is_for_python(location: str) -> bool:
    """True if a dprintf at the location is at compiled Python, or may come to be."""
    is_new = target.current().may_run_python() and not unseen.is_place(location)
    return conditions.is_python_location(location) or is_new


def condition_of(text: str, location: str) -> str:
    """Return the form of a condition at the location that GDB is given. Raise Problem where the text can be none."""
    conditions.check_early(text, location)
    is_python = text and is_for_python(location) and not conditions.is_left_to_gdb(text)
    return condition_text.wrap_for_print(text) if is_python else text


def as_python(form: str, given: list[str]) -> tuple[str, list[str]]:
    """Return the format and the expressions that GDB is given for these: `%s` shows what str() gives. Expressions with
    GDB's own names, such as $pc, stay. Raise Problem where another is no Python."""
    rest, made = list(given), []

    def replace(match: re.Match[str]) -> str:
        if match[0] == "%%" or not rest:
            return match[0]
        text = rest.pop(0)
        if condition_text.is_gdb_expression(text):
            made.append(text)
            return match[0]
        condition_text.check(text)
        made.append(f"$jit_format({console.quoted(match[0])},{console.quoted(text)})")
        return "%s"

    form = _DIRECTIVE.sub(replace, form)
    return form, made + rest
