"""Functions without debug information among others: in Numba's own functions that are given one, between two with
debug=True, in a file that does not exist, inlined by Numba, in array expressions, and with arguments that are converted."""

import numpy as np
from lines_around_other import between
from numba import njit, vectorize


@njit
def one(x):
    if x > 50:
        raise ValueError("x")
    return x + 1


@njit
def two(x):
    if x > 70:
        raise ValueError("y")
    return x * 2


@njit
def made(n):
    for i in range(n):
        yield one(i)


@njit
def mapped(n):
    return [x for x in map(one, map(two, made(n)))]


@njit
def filtered(n):
    return [x for x in filter(one, made(n))]


@njit(debug=True)
def described(a, n):
    t = 0
    for i in range(n):
        q = a[i] * 2
        t += q
    if t > 1000:
        raise ValueError("t")
    return t


@njit
def middle(a, n):
    s = described(a, n)
    return s + 1


@njit(debug=True)
def outermost(a, n):
    return middle(a, n)


@njit("int64(int64[:],int32)")
def narrow(cells, k):
    return cells[k] * 3  # at: narrow


@njit
def narrows(a, n):
    r = narrow(a, n)
    return r


@vectorize
def element(x, y):
    if x > 3:
        return x // y
    return x * 3 + y  # at: element


@njit
def expression(a, b):
    r = element(a, b)
    return r


@njit
def through(a, b, i):
    z = 0
    if a[0] > 0:
        z = between(a, b, i)
    return z


names = {"njit": njit, "one": one, "described": described}
exec("@njit\ndef both(a, x):\n    return one(x) + described(a, 2)\n", names)
a = np.arange(1, 11)
print(mapped(4), filtered(3), outermost(a, 2), names["both"](a, 3))
print(narrows(a, 2**32 + 1), expression(a, a + 100).sum(), through(a, a + 100, 2))
