"""Debuggees of the truth oracle, a second set: the same questions of other names, types and shapes."""

import numpy as np
from numba import njit


@njit(debug=True)
def shuffle(u, v):
    low = u
    gap = v - u
    low = low + 0.25
    wide = low * 4
    tall = gap * gap
    deep = wide - tall
    return deep + gap


@njit(debug=True)
def ledger(amounts, fee):
    balance = 100.0
    charged = 0
    lowest = balance
    for amount in amounts:
        if amount < 0:
            balance += amount - fee
            charged += 1
        else:
            balance += amount
        if balance < lowest:
            lowest = balance
    spread = 100.0 - lowest
    return balance + spread * charged


@njit(debug=True)
def find(values, wanted):
    where = -1
    tries = 0
    while tries < values.shape[0]:
        item = values[tries]
        if item == wanted:
            where = tries
            break
        tries += 1
    found = where >= 0
    if found:
        score = where * 10
    else:
        score = -tries
    return score


@njit(debug=True)
def gcd(p, q):
    turns = 0
    while q:
        rest = p % q
        p = q
        q = rest
        turns += 1
    return p * 1000 + turns


@njit(debug=True)
def table(rows, scale):
    grid = np.zeros((rows, 3))
    for r in range(rows):
        base = r * scale
        for c in range(3):
            grid[r, c] = base + c
    total = 0.0
    for r in range(rows):
        total += grid[r, 1]
    corner = grid[rows - 1, 2]
    return total + corner


@njit(debug=True)
def limits(x, lo, hi):
    under = x < lo
    over = x > hi
    inside = not under and not over
    result = x
    if under:
        result = lo
    elif over:
        result = hi
    changed = result != x
    code = 0
    if changed:
        code = 1
    if inside:
        code = code + 2
    return result * 10 + code


@njit(debug=True)
def maker(start, factor):
    offset = start + 1

    def scaled(w):
        moved = w + offset
        return moved * factor

    first = scaled(start)
    second = scaled(first)
    return second - first


@njit(debug=True)
def fixed(k):
    acc = 1
    for turn in range(4):
        acc = acc * k + turn
    twice = acc * 2
    return twice


CASES = {
    "shuffle": lambda: shuffle(3, 11),
    "ledger": lambda: ledger(np.array([20.0, -50.0, 5.0, -90.0, 40.0]), 1.5),
    "find": lambda: (find(np.array([4, 7, 9]), 7), find(np.array([4, 7, 9]), 8)),
    "gcd": lambda: gcd(84, 30),
    "table": lambda: table(4, 1.5),
    "limits": lambda: (limits(5, 1, 9), limits(0, 1, 9), limits(12, 1, 9)),
    "maker": lambda: maker(2, 3),
    "fixed": lambda: fixed(3),
}
