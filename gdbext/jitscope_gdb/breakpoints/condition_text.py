"""The text of a condition: Python, what GDB is given for it, and what can be said of it before there is a frame."""

from __future__ import annotations

import re
from typing import Any

from ..base import console, native, report

FUNCTION = "py"
_WRAPPED = re.compile(rf'\${FUNCTION}\("((?:[^"\\]|\\.)*)"\)')
_SOURCE = re.compile(r"\.pyx?\b|<ipython-input|ipykernel")
# The signs of C that Python has words for.
_C_SIGNS = re.compile(r"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|&&|\|\|""")
_COMPARISON = re.compile(r"([^\W\d]\w*)\s*(?:[=!]=|[<>]=?)\s*(0|[1-9]\d{0,8}|[^\W\d]\w*)")
_C_WORDS = {"&&": " and ", "||": " or "}
_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_CALL = re.compile(r"(?<![\w$])(?!sizeof\b)[^\W\d]\w*\s*\(|\)\s*\(\s*\)")  # in an expression of GDB's


def wrap(text: str) -> str:
    """Return the expression that GDB evaluates for a condition."""
    return f"${FUNCTION}({console.quoted(text)})"


def typed(condition: str | None) -> str | None:
    """Return GDB's condition as the user typed it."""
    return condition and _WRAPPED.sub(lambda match: re.sub(r"\\(.)", r"\1", match[1]), condition)


def is_wrapped(condition: str) -> bool:
    """True if what wrap() makes is in the condition."""
    return f"${FUNCTION}(" in condition


def unwrapped(condition: str) -> str | None:
    """Return the text of a condition that wrap() has made and nothing else; None for another."""
    return typed(condition) if _WRAPPED.fullmatch(condition) else None


def names_python(location: str) -> bool:
    """True if the location, as it is typed or as `info breakpoints` shows it, has a file of Python's."""
    return _SOURCE.search(location) is not None


def calls_function(text: str) -> bool:
    """True if an expression of GDB's calls a function of the program."""
    return _CALL.search(_STRING.sub("", text)) is not None


def is_gdb_expression(text: str) -> bool:
    """True if the text names a register or a convenience variable or function of GDB: Python has no such names."""
    return "$" in _STRING.sub("", text)


def read(text: str) -> dict[str, Any]:
    """Return js_condition_check's answer for a text, with "text": the Python that is evaluated for it.

    Users of C type `&&` and `||`, for which Python has words; the rest of such a text is Python."""
    found = native.json_of("js_condition_check", text.encode("utf-8", "replace"))
    if found["offset"] is not None:
        words = _C_SIGNS.sub(lambda match: match["text"] or _C_WORDS[match[0]], text)
        other = native.json_of("js_condition_check", words.encode("utf-8", "replace")) if words != text else found
        if other["error"] is None:
            return {**other, "text": words}
    return {**found, "text": text}


def check(text: str) -> None:
    """Raise Problem where the text can be no condition on Python."""
    found = read(text)
    if found["error"] is None:
        return
    if found["offset"] is None:
        raise report.Problem(found["error"])
    column = len(text.encode()[: found["offset"]].decode("utf-8", "replace"))
    is_other_language = found["error"].endswith("invalid syntax")
    hint = ": a condition at compiled Python is a Python expression" if is_other_language else ""
    raise report.Shown(f"{text}\n{' ' * column}^\n{found['error']}{hint}")


def comparison(text: str) -> re.Match[str] | None:
    """Match a comparison of a name with a name or a number, which C and Python read alike if the types fit."""
    return _COMPARISON.fullmatch(text.strip())
