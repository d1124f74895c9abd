"""Debuggees of the truth oracle: arrays, tuples, strings, calls, closures."""

import numpy as np
from numba import njit


@njit(debug=True)
def arrays(a, index):
    b = a + 1.0
    c = a * 2.5
    d = c[index]
    e = b[1:3]
    b[0] = d
    f = e.sum() + b[0]
    return f


@njit(debug=True)
def filled(n):
    z = np.zeros(n)
    last = 0.0
    for i in range(n):
        z[i] = i * 0.5
        last = z[i]
    g = z.reshape((2, n // 2))
    h = g[1, 0] + last
    return h


@njit(debug=True)
def tuples(a, f):
    pair = (a, f)
    same = (a, a + 1, a + 2)
    first, second = pair
    mixed = (first, second, same)
    out = mixed[2][1] + second
    return out


@njit(debug=True)
def text(name, n):
    hello = "hi " + name
    size = len(hello)
    twice = hello
    if n > size:
        twice = hello + name
    total = len(twice) + size
    return total


@njit(debug=True)
def square(v):
    r = v * v
    return r


@njit(debug=True)
def calls(n):
    acc = 0
    for i in range(n):
        one = square(i)
        acc += one
    two = square(acc)
    return two - acc


@njit(debug=True)
def closure(n, scale):
    bias = 3

    def inner(v):
        return v * scale + bias

    p = inner(n)
    q = inner(p)
    return p + q


@njit(debug=True)
def fact(n):
    if n < 2:
        return 1
    low = n - 1
    rest = fact(low)
    whole = rest * n
    return whole


@njit(debug=True)
def dot(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        p = x[i] * y[i]
        s += p
    norm = s / x.shape[0]
    return norm


CASES = {
    "arrays": lambda: arrays(np.arange(6.0), 2),
    "filled": lambda: filled(8),
    "tuples": lambda: tuples(7, 1.5),
    "text": lambda: (text("bob", 20), text("al", 2)),
    "calls": lambda: calls(4),
    "closure": lambda: closure(5, 2),
    "fact": lambda: fact(4),
    "dot": lambda: dot(np.arange(9.0), np.ones(9)),
}
