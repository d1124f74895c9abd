"""Generators: one of another, one left early, one with a list, one that raises."""

import numpy as np
from numba import njit


@njit(debug=True)
def primes(n):
    sieve = np.ones(n, np.bool_)
    for i in range(2, n):
        if sieve[i]:
            yield i
            for j in range(i * i, n, i):
                sieve[j] = False


@njit(debug=True)
def gaps(n):
    before = 2
    for p in primes(n):
        yield p - before
        before = p


@njit(debug=True)
def widest(n):
    best = 0
    for gap in gaps(n):
        if gap > best:
            best = gap
        if best > 7:
            break
    return best


@njit(debug=True)
def bad(n):
    held = [n]
    for i in range(n):
        held.append(i)
        if i == 3:
            raise KeyError("three", len(held))
        yield held[-1] * 2


@njit(debug=True)
def total(n):
    s = 0
    for x in bad(n):
        s += x
    return s


CALLS = [
    lambda: widest(60),
    lambda: widest(200),
    lambda: list(primes(40)),
    lambda: total(3),
    lambda: total(6),
    lambda: list(bad(5)),
]
