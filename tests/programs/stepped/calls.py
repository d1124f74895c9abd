"""Calls that LLVM inlines, beside calls of Numba's own library on the next line."""

import numpy as np
from numba import njit
from numba.typed import List


@njit(debug=True)
def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)


@njit(debug=True)
def outer(k):
    f = fact(4)  # at: call
    lst = List()  # at: list
    lst.append(f + k)
    return lst[0]


@njit(debug=True)
def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


@njit(debug=True)
def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2:
        return half * half * x
    return half * half


@njit(debug=True)
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


@njit(debug=True)
def odd(n):
    if n == 0:
        return False
    return even(n - 1)


@njit(debug=True)
def several(n):
    g = gcd(12, n)
    lst = List()
    lst.append(g)
    p = power(2.0, 3)
    a = np.ones(3)
    m = a.mean()
    e = even(n)
    s = a.sum()
    h = gcd(n, 5)
    q = sorted([3, h, 2])
    r = q[0] + gcd(8, h)
    d = {1: r}
    t = "x" * r
    return g + p + m + s + len(t) + len(d) + e


print(outer(1), several(18))
