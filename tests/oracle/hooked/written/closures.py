"""Functions in functions: that capture, that are called in loops, one in another, lambdas, comprehensions of them."""

import numpy as np
from numba import njit


@njit(debug=True)
def scaled(n, k):
    base = np.arange(n) * k

    def at(i):
        v = base[i % n]
        return v + k

    def twice(f, i):
        a = at(i)
        b = at(a)
        return a * 10 + b

    total = 0
    for i in range(n * 2):
        total += twice(at, i)
    return total, at(0)


@njit(debug=True)
def lambdas(a):
    f = lambda x, y: x * y - 1
    g = lambda x: f(x, x) + f(1, x)
    s = 0
    for v in a:
        s += g(v)
    t = [g(v) for v in a if v > 1]
    return s, t


def make(k):
    power = np.array([k, k * k])

    @njit(debug=True)
    def inner(x):
        s = 0
        for p in power:
            s += p * x + k
        return s

    return inner


@njit(debug=True)
def squares(n):
    rows = [[i * j for j in range(i)] for i in range(n)]
    flat = [x for row in rows for x in row if x % 2 == 0]
    d = {i: i * i for i in range(n)}
    s = {i % 3 for i in range(n)}
    g = sum([x for x in flat])
    return flat, d[n - 1], len(s), g


CALLS = [
    lambda: scaled(4, 3),
    lambda: lambdas(np.arange(5)),
    lambda: (make(2)(5), make(3)(5)),
    lambda: squares(6),
]
