"""What programs found wrong once within a try: ahead of what may raise, the compiler makes anew what the handler reads,
under the line that assigned it; at NUMBA_OPT=1 a handler's line ran behind the call in it."""

import numpy as np
from numba import njit


@njit(debug=True)
def guarded(a, i):
    state = "start"
    out = 0.0
    try:
        if i >= a.size:
            raise IndexError
        out = a[i]
        state = "read"
        out = 1 / out
    except Exception:
        out = -1.0
    return out + len(state)


@njit(debug=True)
def texts(n):
    word = "none"
    total = 0
    for i in range(n):
        try:
            word = "odd"
            if i % 2 == 0:
                word = "even"
                raise ValueError
            total += len(word)
        except Exception:
            word = "caught"
        total += len(word) + i
    return total


@njit(debug=True)
def arrays(a, i):
    b = a[1:]
    s = 0.0
    try:
        b = a[:2]
        if i >= b.size:
            raise IndexError
        s = b[i]
        b = a[2:]
        s += b[0] / 2
    except Exception:
        s = b[0]
    return s + b.size


@njit(debug=True)
def at(a, n):
    if n >= a.size:
        raise IndexError
    return a[n]


@njit(debug=True)
def nested(a, n):
    where = 0
    inner = 0.5
    try:
        where = 1
        try:
            where = 2
            inner = at(a, n)
            where = 3
        except Exception:
            where = 4
            inner = at(a, n - 3)
            where = 5
        where += 10
        inner /= a[0]
    except Exception:
        where += 100
    return where + inner


@njit(debug=True)
def deciding(n, m):
    try:
        p = n + 1
        if p > 3:
            raise ValueError("no")
        q = m * 2
    except Exception:
        q = 0
        m = 7
    t = q + n
    return t + m


@njit(debug=True)
def deep(n):
    c = 0
    d = 0.5
    for i in range(3):
        for j in range(2):
            try:
                c += 1
                try:
                    d = i + j
                    d = 10 // (i - n)
                except Exception:
                    d = -1
                    c += 10
                if j == n:
                    raise ValueError
                d += 2
            except Exception:
                c += 100
                continue
            c += 1000
    return c + d


CALLS = [
    lambda: guarded(np.arange(3.0) + 1, 1),
    lambda: guarded(np.arange(3.0), 7),
    lambda: texts(3),
    lambda: arrays(np.arange(5.0), 1),
    lambda: arrays(np.arange(5.0), 4),
    lambda: nested(np.arange(4.0) + 1, 1),
    lambda: nested(np.arange(4.0) + 1, 9),
    lambda: deciding(1, 5),
    lambda: deciding(4, 5),
    lambda: deep(1),
]
