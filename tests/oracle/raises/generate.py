"""Programs that raise in random places: by statements, asserts, indices, divisions; in loops, callees, try, prange."""

from __future__ import annotations

import random

HEAD = """\
import sys

import numpy as np
from numba import njit, prange


class Own(ValueError):
    pass

"""
TAIL = """\

def run(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        print(function.__name__, type(error).__name__, flush=True)


if __name__ == "__main__":
    for function, arguments in CALLS:
        run(function, *arguments)
"""
_TYPES = ("ValueError", "KeyError", "RuntimeError", "OverflowError", "NotImplementedError", "Own")
_NEVER = 99


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self._loops = 0
        self._message = 0

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def at(self) -> int:
        """Return a number that a loop's variable reaches, or does not."""
        return self.rng.choice((0, 1, 2, 3, 5, _NEVER))

    def message(self) -> str:
        self._message += 1
        return f'"m{self._message}"'

    def block(self, depth: int, index: str, may_try: bool) -> None:
        kinds = ["raise", "assert", "divide", "index", "call", "loop", "while", "plain"]
        if may_try:
            kinds.append("try")
        kind = self.rng.choice(kinds if depth < 4 else kinds[:5])
        getattr(self, f"_{kind}")(depth, index)

    def _plain(self, depth: int, index: str) -> None:
        self.put(depth, f"s = s + {index} * {self.rng.randrange(1, 5)}")

    def _raise(self, depth: int, index: str) -> None:
        arguments = self.rng.choice((self.message(), f"{self.message()}, {self.rng.randrange(9)}", ""))
        self.put(depth, f"if {index} == {self.at()}:")
        self.put(depth + 1, f"raise {self.rng.choice(_TYPES)}({arguments})")

    def _assert(self, depth: int, index: str) -> None:
        message = self.rng.choice((f", {self.message()}", ""))
        self.put(depth, f"assert {index} != {self.at()}{message}")

    def _divide(self, depth: int, index: str) -> None:
        operator = self.rng.choice(("//", "%"))
        self.put(depth, f"s += 7 {operator} ({index} - {self.at()})")

    def _index(self, depth: int, index: str) -> None:
        self.put(depth, f"s += a[{index} + {self.rng.randrange(4)}]")

    def _call(self, depth: int, index: str) -> None:
        self.put(depth, f"s += {self.rng.choice(('check', 'shared', 'deep'))}({index}, {self.at()})")

    def _loop(self, depth: int, index: str) -> None:
        self._loops += 1
        name = f"i{self._loops}"
        self.put(depth, f"for {name} in range({self.rng.randrange(1, 5)}):")
        for _ in range(self.rng.randrange(1, 3)):
            self.block(depth + 1, name, may_try=True)

    def _while(self, depth: int, index: str) -> None:
        self._loops += 1
        name = f"w{self._loops}"
        self.put(depth, f"{name} = 0")
        self.put(depth, f"while {name} < {self.rng.randrange(1, 5)}:")
        self.put(depth + 1, f"{name} += 1")
        self.block(depth + 1, name, may_try=True)

    def _try(self, depth: int, index: str) -> None:
        self.put(depth, "try:")
        self._plain(depth + 1, index)
        self.rng.choice((self._raise, self._call, self._index))(depth + 1, index)
        self.put(depth, "except Exception:")
        self.put(depth + 1, f"s += {self.rng.randrange(1, 9)}")


CALLEES = """\
@njit(debug=True)
def check(x, y):
    if x == y:
        raise LookupError("same", 1)
    return x


@njit(debug=True)
def shared(x, y):
    return 60 // (x - y)


@njit(debug=True)
def deep(x, y):
    z = check(x, y + 1)
    return z + shared(x, y)

"""


def program(seed: int, functions: int) -> str:
    """Return the text of one program; every fifth function has a parallel loop."""
    rng = random.Random(seed)
    parts, calls = [HEAD, CALLEES], []
    for number in range(functions):
        writer = _Writer(rng)
        name = f"f{number}"
        parallel = number % 5 == 4
        options = "debug=True, boundscheck=True" + (", parallel=True" if parallel else "")
        writer.put(0, f"@njit({options})")
        writer.put(0, f"def {name}(n, a):")
        writer.put(1, "s = 0")
        for _ in range(rng.randrange(1, 4)):
            writer.block(1, "n", may_try=True)
        if parallel:
            writer.put(1, "for p in prange(4):")
            # a division by zero raises nothing there (error_model numpy)
            writer.put(2, f"a[p + {rng.randrange(2)}] = p")
        writer.put(1, "return s")
        parts.append("\n".join(writer.lines) + "\n\n")
        calls += [f"    ({name}, ({n}, np.zeros(4, np.int64)))," for n in rng.sample(range(6), 2)]
    return "\n".join(parts) + "\nCALLS = [\n" + "\n".join(calls) + "\n]\n" + TAIL
