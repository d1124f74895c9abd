"""Programs of functions that call each other and raise, for the oracle of tracebacks."""

from __future__ import annotations

import random

HEAD = """import numpy as np
from numba import njit, prange
from numba.typed import Dict, List
from numba.core import types
"""
CALLS = 6  # calls of each program's functions
WIDE = 100_000  # programs from this seed on have more kinds of raises; those of lower seeds stay as they are


class Program:
    """A program's text, and the calls to make. Functions take (a, x): an array of six integers and an integer. A
    function calls only later ones, or itself with a smaller x."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = self.random.randint(2, 7)
        self.style = self.random.choice(("once", "once", "several", "several", "recursive"))
        self.takes_array = self.random.random() < 0.5
        self.options = self.random.choice(("", "", "", "(boundscheck=True)", "(nogil=True)", "(error_model='numpy')"))
        self.has_bounds = "boundscheck" in self.options
        self.is_wide = seed >= WIDE
        self.called: set[int] = set()
        self.numbers = 0
        self.is_recursive = False

    def text(self) -> str:
        for index in reversed(range(self.count)):
            self.function(index)
        picks = [(self.random.randrange(min(2, self.count)), self.random.randint(-4, 6)) for _ in range(CALLS)]
        return f"{HEAD}\n" + "\n".join(self.lines) + f"\nCALLS = {picks!r}\nTAKES_ARRAY = {self.takes_array}\n"

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    def arguments(self, x: str) -> str:
        return f"(a, {x})" if self.takes_array else f"({x})"

    def function(self, index: int) -> None:
        self.emit(0, f"@njit{self.options}")
        self.emit(0, f"def f{index}{self.arguments('x')}:")
        self.emit(1, "t = x")
        calls = self.callees(index)
        statements = [("call", each) for each in calls] + [("own", 0)] * self.random.randint(0, 2)
        if self.style == "recursive" and not self.is_recursive and self.random.random() < 0.6:
            self.is_recursive = True
            statements.append(("self", index))
        if index == self.count - 1:
            statements.append(("own", 0))
        self.random.shuffle(statements)
        for kind, callee in statements:
            self.statement(1, kind, callee)
        self.emit(1, "return t")
        self.emit(0, "")

    def callees(self, index: int) -> list[int]:
        later = range(index + 1, self.count)
        if self.style == "once":
            found = [each for each in later if each not in self.called and self.random.random() < 0.7]
            found = found[:1] if self.random.random() < 0.6 else found
            self.called.update(found)
            return found
        found = [each for each in later if self.random.random() < 0.6]
        return found + [self.random.choice(found)] * (self.random.random() < 0.4) if found else found

    def statement(self, depth: int, kind: str, callee: int) -> None:
        shape = self.random.random()
        if kind == "self":
            self.emit(depth, "if x > 0:")
            self.emit(depth + 1, f"t += f{callee}{self.arguments('x - 1')}")
            return
        if kind == "own":
            self.own(depth)
            return
        call = f"f{callee}{self.arguments(self.random.choice(('x', 'x - 1', 't - 2', 'x + 1', 'x // 2')))}"
        if shape < 0.2:
            self.emit(depth, f"for i in range({self.random.randint(1, 4)}):")
            self.emit(depth + 1, f"t += {call.replace('x', '(x + i)', 1)}")
        elif shape < 0.3:
            self.emit(depth, f"if x > {self.random.randint(-3, 5)}:")
            self.emit(depth + 1, f"t += {call}")
        elif shape < 0.4:
            self.emit(depth, f"t += ({call} +")
            self.emit(depth, f"      {self.random.randint(1, 5)})")
        elif shape < 0.47:
            self.emit(depth, "try:")
            self.emit(depth + 1, f"t += {call}")
            self.emit(depth, "except Exception:")
            self.emit(depth + 1, self.random.choice(("t -= 1", f"t += {call}", "t = 3 // (x - x)")))
        elif shape < 0.52:
            self.emit(depth, f"g = lambda y: y + {call}")
            self.emit(depth, "t += g(2)")
        else:
            self.emit(depth, f"t {self.random.choice(('+', '-'))}= {call}")

    def wide(self, depth: int) -> None:
        """Write a raise of the kinds that only programs from WIDE on have."""
        edge, number = self.random.randint(-1, 6), self.number()
        kinds = ("text", "item", "pair") + ("element", "elements", "view") * self.takes_array
        kind = self.random.choice((*kinds, "view") if self.has_bounds else kinds)
        if kind == "text":
            self.emit(depth, f"if x > {edge}:")
            self.emit(depth + 1, f"raise ValueError(f'value {{x}} of {number}')")
        elif kind == "item":
            self.emit(depth, f"items = [{number}, x, t]")
            self.emit(depth, f"t += items[x] + items[{self.random.randint(-3, 2)}]")
        elif kind == "pair":
            self.emit(depth, f"pair = (x - {edge}, t)")
            self.emit(depth, "t += 7 // pair[0]")
        elif kind == "element":
            self.emit(depth, f"if a[x % 6] + a[{self.random.randint(-6, 5)}] > {edge + 2}:")
            self.emit(depth + 1, f"raise KeyError('element', {number})")
        elif kind == "elements":
            self.emit(depth, f"for i, each in enumerate(a[{self.random.randint(0, 3)}:]):")
            self.emit(depth + 1, f"assert each != x + {edge}, 'no {number}'")
            self.emit(depth + 1, "t += i")
        else:
            self.emit(depth, "part = np.arange(9)[2:8:2]")
            self.emit(depth, "t += part[x]" if self.has_bounds else "t += part.size // (x - 2)")

    def own(self, depth: int) -> None:
        if self.is_wide and self.random.random() < 0.6:
            self.wide(depth)
            return
        kinds = ("raise", "raise", "raise", "dynamic", "divide", "modulo", "assert", "library", "class")
        kind = self.random.choice((*kinds, "bounds", "bounds") if self.has_bounds else kinds)
        edge, number = self.random.randint(-3, 6), self.number()
        compare = self.random.choice(("x > ", "x < ", "t > ", "t == "))
        if kind == "raise":
            exc = self.random.choice(("ValueError", "RuntimeError", "KeyError", "IndexError", "TypeError"))
            if self.random.random() < 0.3:
                self.emit(depth, f"if {compare}{edge}: raise {exc}('no {number % 3}')")
            else:
                self.emit(depth, f"if {compare}{edge}:")
                self.emit(depth + 1, f"raise {exc}('no {number % 3}')")
        elif kind == "class":
            self.emit(depth, f"if {compare}{edge}:")
            self.emit(depth + 1, "raise ValueError")
        elif kind == "dynamic":
            self.emit(depth, f"if {compare}{edge}:")
            self.emit(depth + 1, f"raise ValueError('value', x, {number})")
        elif kind == "divide":
            self.emit(depth, f"t += 7 // (x - {edge})")
        elif kind == "modulo":
            self.emit(depth, f"t += 7 % (x - {edge})")
        elif kind == "assert":
            self.emit(depth, f"assert {compare}{edge}" + self.random.choice(("", f", 'wrong {number}'")))
        elif kind == "library":
            self.emit(depth, f"some = [{number}, 2, 3]")
            choice = self.random.choice(("some.index(x)", "some.pop(x)", "len(range(0, 9, x))"))
            self.emit(depth, f"t += {choice}")
        else:
            self.emit(depth, "local = np.arange(6)")
            self.emit(depth, "t += local[x]")
