"""Generated conditions on the names of conditional_widths.py, conditional_containers.py and conditional_methods.py, and
the interpreter's answers to them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

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
    """Return an expression that is tested for its truth."""
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


# -- for conditional_containers.py

HELD = (
    "n", "i", "k", "maybe", "box.inner.n", "box.values[i % 4]", "rows[0][1]", "rows[-1][0]", "len(words)",
    "len(table)", "places[3][0]", "places[-7][0]", "point.x", "point[0]", "records[i % 3]['id']", "records[-1].id",
    "flags[i % 4]", "color", "color.value", "view[i % 5]", "view[-1]", "len(rows[i % 2])", "len(text)",
    "pair[0]", "len(places)", "box.inner.weight", "table['a']", "table['b']", "table['ü']", "table.get('zz', 3)",
    "places[3][1]", "point.y", "records[i % 3]['v']", "z.real", "z.imag", "abs(z)", "z8[0].imag", "sum(rows[0])",
    "min(rows[0])", "flags.sum()", "view.sum()", "records['v'].max()", "box.values.mean()", "view.min()",
    "len(box.name)", "table.get('b', 0)", "zero", "zero", "(zero - 6)", "(zero * 0)", "zero[()]",
)  # fmt: skip
HELD_TEXTS = (
    "text", "box.name", "words[i % 3]", "words[-1]", "point.label", "records[i % 3]['s']", "pair[1]", "color.name",
    "text[1]", "text[i % 4]", "words[0] + text", "text.upper()", "box.name[1:3]", "'é'", "'a'", "'crate'", "''",
    "word", "word[1]", "word[-2:]", "word[::-1]", "word[k]",
)  # fmt: skip
HELD_TRUTHS = (
    "maybe is None", "maybe is not None", "None is maybe", "maybe == None", "not maybe",
    "maybe is None or maybe > 4", "maybe is not None and maybe % 2 == 0", "'b' in table", "'zz' not in table",
    "3 in places", "k in places", "-7 in places", "k in rows[0]", "rows[0] == rows[1]", "'a' in words",
    "text in words", "color == 4", "color in (1, 4)", "color in (1, 3)", "point == (2, -0.5, 'tip')",
    "point[:2] == (2, -0.5)", "pair == (7, 'bc')", "pair < (9, 'a')", "flags.any()", "flags.all()", "any(flags)",
    "all(words)", "flags[0] and k", "(k, i) in ((1, 3), (-2, 5))", "z == 1.5 - 2j", "z8[1] == -0.5j",
    "f4s[1] == 0.5", "f4s[0] == f4s[0]", "'j' in text", "text.startswith('d')", "box.name == 'crate'", "k in view",
    "5 in box.values", "records['id'].sum() == 0", "places.get(9) is None", "places[3] == (1, 2.5)",
    "table == table", "k in table.values()", "'a' in table.keys()", "sorted(rows[0])[0] == k", "table", "words",
    "zero == 6", "zero > k + 4", "zero in (i, k)", "zero - i == k",
    "rows[0]", "word[0] == 'l'", "word == 'short'", "'ort' in word", "word[k:] < word",
)  # fmt: skip


# -- for conditional_methods.py

METHOD = (
    "x", "before", "doubled", "self.total", "self.last", "self.span.low", "self.span.high", "self.span.wide",
    "len(self.seen)", "self.seen[-1]", "self.seen[0]", "self.seen[x % 3]", "self.seen[x]", "self.rows[0][-1]",
    "len(self.rows[0])", "self.rows[1][0]", "self.rows[-1][-1]", "self.counts['a']", "self.counts['b']",
    "self.counts['zz']", "self.counts.get('ü', 2)", "self.counts.get('zz')", "len(self.counts)", "self.places[x][0]",
    "len(self.places)", "self.places[-1][1]", "self.places[x - 1][0]", "self.grid[1, x % 3]", "self.grid.sum()",
    "self.grid[x % 2].max()", "self.is_open", "extra[0]", "len(self.name)", "len(extra)", "sum(self.seen)",
    "max(self.rows[0])", "min(self.seen)", "self.grid.shape[1]", "(self.last or 5)", "(doubled or self.span.low)",
    "(x if doubled is None else doubled)", "self.seen[1:][0]", "sum(self.rows[0])", "self.seen[100]",
)  # fmt: skip
METHOD_TEXTS = ("self.name", "extra[1]", "self.name[x % 6]", "'ledger'", "'ab'", "self.name.upper()", "self.name[:2]")
METHOD_TRUTHS = (
    "doubled is None", "self.last is None", "self.last is not None and self.last > 5", "doubled == None",
    "self.span.high is None or self.span.high > 3.5", "not doubled", "self.last", "doubled", "self.span.high",
    "self.last == doubled", "None in (self.last, doubled)", "self.last is not None or doubled is not None",
    "x in self.seen", "7 in self.seen", "-3 not in self.seen", "x / 2 in self.rows[0]", "'b' in self.counts",
    "self.name in self.counts", "x in self.places", "-1 in self.places", "x + 1 in self.places", "self.is_open",
    "self.is_open is True", "self.is_open == (x % 2 == 1)", "extra == (2, 'ab')", "extra in ((0, 'ab'), (3, 'ab'))",
    "self.seen[:2]", "self.counts", "self.seen and self.counts", "x in self.counts.values()", "self.places[x] is None",
    "self.span.wide > 9223372036854775807", "self.span.wide + self.span.low < 2 ** 64",
    "any(self.seen)", "all(self.seen)", "self.rows[0] == self.rows[1]", "self.span is not None", "self is None",
    "sorted(self.seen)[0] == -2", "'a' in self.counts.keys()", "x in self.grid", "self.seen == self.seen",
)  # fmt: skip


def held_number(random: random.Random, depth: int, names: tuple[str, ...] = HELD) -> str:
    kind = random.randrange(8 if depth else 3)
    if kind == 0:
        return str(random.choice((0, 1, 2, 3, 4, 7, -7, 0.5, 1.5, -2.25)))
    if kind < 3:
        return random.choice(names)
    left = held_number(random, depth - 1, names)
    if kind < 6:
        return f"({left} {random.choice(('+', '-', '*', '/', '//', '%'))} {held_number(random, depth - 1, names)})"
    if kind == 6:
        return f"{random.choice(('abs', 'int', 'float', '-'))}({left})"
    return f"{random.choice(('min', 'max'))}({left}, {held_number(random, depth - 1, names)})"


def held_condition(random: random.Random, depth: int) -> str:
    return _about(random, depth, HELD, HELD_TEXTS, HELD_TRUTHS)


def method_condition(random: random.Random, depth: int) -> str:
    return _about(random, depth, METHOD, METHOD_TEXTS, METHOD_TRUTHS)


def _about(
    random: random.Random, depth: int, numbers: tuple[str, ...], texts: tuple[str, ...], truths: tuple[str, ...]
) -> str:
    """Return a condition on these expressions."""
    kind = random.randrange(8 if depth else 5)
    if kind < 2:
        left = held_number(random, 2, numbers)
        return f"{left} {comparison(random)} {held_number(random, 2, numbers)}"
    if kind == 2:
        return f"{random.choice(texts)} {comparison(random)} {random.choice(texts)}"
    if kind < 5:
        return random.choice(truths)
    first = _about(random, depth - 1, numbers, texts, truths)
    if kind == 5:
        return f"not ({first})"
    return f"{first} {random.choice(('and', 'or'))} {_about(random, depth - 1, numbers, texts, truths)}"


def generate(count: int, seed: int, make: Callable[[random.Random, int], str] = condition) -> list[str]:
    source = random.Random(seed)
    return [make(source, 3) for _ in range(count)]


def answer(text: str, names: dict[str, Any]) -> bool | None:
    """Return Python's result; None if it raises, or needs larger numbers than there is room for. NumPy's scalars warn
    about a division by zero, for which compiled code raises ZeroDivisionError, as Python's numbers do."""
    try:
        with np.errstate(divide="raise", invalid="raise"):
            return bool(eval(text, dict(names)))
    except (ArithmeticError, ValueError, TypeError, LookupError, MemoryError):
        return None
