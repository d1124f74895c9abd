"""Exceptions, texts, containers, arrays and functions that are passed, called by one function."""

import numpy as np
from numba import njit, types
from numba.typed import Dict, List


@njit(debug=True)
def risky(n):
    if n % 3 == 0:
        raise ValueError("three")
    r = n * 2
    return r


@njit(debug=True)
def guarded(n):
    total = 0
    for i in range(n):
        try:
            total += risky(i)
            total += 1
        except Exception:
            total -= 1
    else:
        total += 100
    return total


@njit(debug=True)
def apply(f, x):
    y = f(x)
    return y + 1


@njit(debug=True)
def square(x):
    return x * x


@njit(debug=True)
def texts(n):
    s = ""
    for k in range(n):
        s += str(k)
        s = s + ","
    parts = s.split(",")
    c = len(parts)
    u = s.upper()
    v = u.replace(",", "-")
    return len(v) + c


@njit(debug=True)
def containers(n):
    d = Dict.empty(types.int64, types.float64)
    for i in range(n):
        d[i] = i * 0.5
    lst = List()
    for key in d:
        lst.append(d[key])
    m = max(lst)
    t = (m, n)
    a, b = t
    w = [x * 2 for x in range(n)]
    q = sum(w)
    e = {1, 2, n}
    for z in (1, 2):
        q += z
    return a + b + q + len(e)


@njit(debug=True)
def arrays(n):
    a = np.arange(n)
    b = a * 2
    c = b[1:]
    c[0] = 7
    s = c.sum()
    m = np.mean(b)
    d = np.zeros((2, n))
    d[1] = a
    mx = d.max()
    am = np.argmax(d[1])
    st = np.std(a)
    cond = np.where(a > 1)[0]
    k = cond.size
    return s + m + mx + am + st + k


@njit(debug=True)
def split(i):
    # fmt: off
    x = i + 1
    y = (
        x
        + i
    )
    z = max(
        x,
        y,
    )
    w = (
        y
        if y > 3
        else x
    )
    return (
        w
        + z
    )
    # fmt: on


@njit(debug=True)
def top(n):
    g = guarded(n)
    h = apply(square, n)
    t = texts(n)
    c = containers(n)
    a = arrays(n)
    s = split(n)
    return g + h + t + c + a + s


print(top(4))
