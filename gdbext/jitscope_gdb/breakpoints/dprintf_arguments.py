"""The expressions of a `dprintf` at compiled Python, in the form that GDB's printf evaluates."""

from __future__ import annotations

import re

from ..base import console
from . import condition_text

_DIRECTIVE = re.compile(r"%(?:%|[^a-zA-Z%]*(?:hh|h|ll|l|L|z|t|j|[HD]+)?([a-zA-Z]))")


def as_python(form: str, given: list[str]) -> list[str]:
    """Return what GDB is given for the expressions behind this format: a `%s` shows what str() gives. Raise Problem
    where one is no Python. GDB's own names, as $pc, stay."""
    directives = [match[1] for match in _DIRECTIVE.finditer(form) if match[1]]
    return [_as_python(text, kind) for text, kind in zip(given, [*directives, *[""] * len(given)])]


def _as_python(text: str, kind: str) -> str:
    if condition_text.is_gdb_expression(text):
        return text
    condition_text.check(text)
    return f"${'jit_str' if kind == 's' else 'jit'}({console.quoted(text)})"
