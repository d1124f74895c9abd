"""Text that is safe on a terminal.."""

from __future__ import annotations


def plain(text: str) -> str:
    """Return the text with characters that control a terminal escaped, as repr() escapes them."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def counted(number: int, noun: str) -> str:
    """Return the number with the noun, such as "1 function" or "2 functions"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
