"""Debuggees of the truth oracle: loops, accumulators, counters, values born inside loops."""

from numba import njit


@njit(debug=True)
def accumulate(n, step):
    s = 0
    t = 0.5
    for i in range(n):
        s += i * step
        t = t * 1.5
    mean = s / n
    return mean + t


@njit(debug=True)
def closed(k, b):
    s = 0
    for i in range(k):
        s += b
    r = s + 1
    return r


@njit(debug=True)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@njit(debug=True)
def nested(rows, cols):
    total = 0
    for i in range(rows):
        part = 0
        for j in range(cols):
            cell = i * cols + j
            part += cell
        total += part
    return total


@njit(debug=True)
def born(n, limit):
    hits = 0
    for i in range(n):
        square = i * i
        if square > limit:
            first = square - limit
            hits += first
        cube = square * i
    return hits + cube


@njit(debug=True)
def jumps(n):
    odd = 0
    seen = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        odd += i
        if odd > 8:
            seen = i
            break
        seen = -i
    return odd * 100 + seen


@njit(debug=True)
def swap(n):
    a, b = 0, 1
    for _k in range(n):
        old = a
        a = b
        b = old + b
    return a


@njit(debug=True)
def reused(n):
    x = n
    for i in range(3):
        x = x + i
    y = x * 2
    for i in range(2):
        x = y - i
    x = x / 4
    return x + y


CASES = {
    "accumulate": lambda: accumulate(6, 3),
    "closed": lambda: closed(7, 5),
    "collatz": lambda: collatz(6),
    "nested": lambda: nested(3, 4),
    "born": lambda: born(5, 4),
    "jumps": lambda: jumps(9),
    "swap": lambda: swap(6),
    "reused": lambda: reused(10),
}
