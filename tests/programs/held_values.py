"""Values that variables of a function hold alone, and names that comprehensions share with it."""

import array
import collections
import enum

import numpy as np
from numba import njit

Pair = collections.namedtuple("Pair", ["def", "x"], rename=True)


class Sign(enum.Enum):
    NEG = np.int8(-1)
    POS = np.int8(1)


@njit(debug=True)
def count(n, step=2):
    i = 0
    while i < n:
        yield i  # at: yield
        i += step


@njit(debug=True)
def upto(n):
    i = 0
    while i < n:
        yield i  # at: upto
        i += 1


@njit(debug=True)
def look(waiting):
    return 0


@njit(debug=True)
def holds(n, pair, sign, items, given, absent, missed=None):
    squares = [i * i for i in range(n)]
    waiting = count(n)
    one = upto(n)
    other = upto(7)  # another type, for the number is known when it is compiled
    total = next(one) + next(other)
    for i in range(3):
        total += i
    for each in waiting:
        total += each
        break
    kept = sign
    empty = ()
    both = (waiting, pair)
    at = 0  # at: holds
    return (
        total
        + i
        + at
        + look(waiting)
        + look(one)
        + look(other)
        + len(squares)
        + both[1].x
        + items[0]
        + (kept is Sign.POS)
        + len(empty)
        + len(given)
        + (absent is missed)
    )


if __name__ == "__main__":
    holds(4, Pair(1, 2), Sign.NEG, array.array("q", [1, -2]), (), None)
