"""Generated conditions, and what the interpreter says of them at each iteration of conditional_widths.py's loop."""

from __future__ import annotations

import random
from typing import Any

INTEGERS = ("n", "i8", "i16", "u8", "u16", "u32", "u64", "s", "i", "k", "b")
FLOATS = ("f8", "x")


def number(random: random.Random, depth: int) -> str:
    """Return an expression whose value is a number."""
    kind = random.randrange(14 if depth else 4)
    if kind == 0:
        return str(random.choice((0, 1, 2, 3, 5, 7, 11, 100, 255, 1 << 31, (1 << 63) - 1)))
    if kind == 1:
        return random.choice(FLOATS) if random.random() < 0.3 else repr(random.choice((0.5, 2.25, 1e3)))
    if kind in (2, 3):
        return random.choice(INTEGERS)
    left, right = number(random, depth - 1), number(random, depth - 1)
    if kind < 9:
        return f"({left} {random.choice(('+', '-', '*', '/', '//', '%'))} {right})"
    if kind == 9:
        return f"{random.choice(('abs', 'int', 'round', 'float'))}({left})"
    if kind == 10:
        return f"{random.choice(('min', 'max'))}({left}, {right})"
    if kind == 11:
        integer = random.choice(INTEGERS)
        return f"({integer} {random.choice(('&', '|', '^', '<<', '>>'))} {random.choice(('1', '3', '(i & 7)'))})"
    if kind == 12:
        items = ("a[i % 12]", "a[-1]", "m[i % 3, 1]", "m[1][i % 4]", "t[0]", "t[-1]", "len(a)", "len(text)", "len(t)")
        return random.choice(
            (*items, "a.size", "m.shape[1]", "m.ndim", "a[2:7].sum()", "m.max()", "a.min()", "(-k) ** 2")
            + ("k ** 3", "2 ** -k", "-k ** 2", "divmod(i, 3)[1]", "pow(k, 2)", "a[::-1][i % 12]", "m[:, 1].sum()")
            + ("sum(t)", "round(x, 1)", "(k + 2j).imag", "abs(k + 1j)", "u64 - i", "u8 + i8", "a[-1 - i % 12]")
        )
    return f"-{left}"


def condition(random: random.Random, depth: int) -> str:
    """Return an expression that is asked for its truth."""
    kind = random.randrange(10 if depth else 5)
    if kind < 3:
        return f"{number(random, 2)} {comparison(random)} {number(random, 2)}"
    if kind == 3:
        return f"{number(random, 1)} {comparison(random)} {number(random, 1)} {comparison(random)} {number(random, 1)}"
    if kind == 4:
        among = ("(1, 4, 9)", "[2, k, 5.0]", "{3, 6, i}", "range(2, 30, 3)", "range(k, n)", "a", "t")
        return f"{number(random, 1)} {random.choice(('in', 'not in'))} {random.choice(among)}"
    if kind == 5:
        return (
            f"not {condition(random, depth - 1)}" if random.random() < 0.5 else f"not ({condition(random, depth - 1)})"
        )
    if kind == 6:
        return random.choice(
            ("text[i % 3] == 'b'", "text.upper() == 'ABC'", "'b' in text", "(i, k) < (9, 0)", "b is True")
            + ("x != x", "not x == x", "k is None", "text is not None", "None == k", "text[-1] not in 'xyb'")
            + ("text[:2] < 'ac'", "'abd' > text", "any((i > 5, b))", "all((k, b))", "(i, k) in ((1, -2), (9, -1))")
            + ("k + 2j == 2j", "text", "t", "a.shape == (12,)", "t == (4, 2.5, -1)", "i - k", "'' in text")
        )
    if kind == 7:
        return f"({condition(random, depth - 1)} if {condition(random, 0)} else {number(random, 1)})"
    return f"{condition(random, depth - 1)} {random.choice(('and', 'or'))} {condition(random, depth - 1)}"


def comparison(random: random.Random) -> str:
    return random.choice(("==", "!=", "<", "<=", ">", ">="))


def generate(count: int, seed: int) -> list[str]:
    source = random.Random(seed)
    return [condition(source, 3) for _ in range(count)]


def answer(text: str, names: dict[str, Any]) -> bool | None:
    """Return what Python says; None where it raises, or takes more than numbers have room for."""
    try:
        return bool(eval(text, dict(names)))
    except (ArithmeticError, ValueError, TypeError, IndexError, MemoryError):
        return None
