"""What programs found wrong once with `finally`, whose body is compiled for each way that leads through it: at
NUMBA_OPT=0 the last line stopped once more, behind itself, and a `continue` behind the body; an argument that the body
assigns was shown as it came in."""

import numpy as np
from numba import njit


@njit(debug=True)
def nested(n):
    a = 0
    b = 1.5
    try:
        try:
            try:
                b = 10 // n
            finally:
                a += 1
        finally:
            b = b * 2
            a += 10
    except Exception:
        a += 100
    return a + b


@njit(debug=True)
def jumping(a, k):
    total = 0.0
    count = 0
    for i in range(k):
        try:
            total += a[i]
            if i == 2:
                continue
            if i == 4:
                break
        finally:
            count += 1
        total += 0.5
    return total + count


@njit(debug=True)
def returning(a, k):
    r = 0.0
    try:
        if k > 2:
            return a[k]
        r = a[0] + k
    finally:
        k = k + 1
        r = r + k
    return r


@njit(debug=True)
def viewing(a):
    b = a
    s = 0.0
    try:
        s = a[0]
        try:
            b = a[1:]
            s = s / b[0]
            if s > 1:
                raise ValueError
        finally:
            s = s + 1
            b = a[2:]
    except Exception:
        s = s + b[0]
        b = a[3:]
    return s + b.size


@njit(debug=True)
def turning(n):
    s = 0
    for i in range(n):
        try:
            s += 1
            try:
                s += i
                if s > 4:
                    raise ValueError
            finally:
                m = s * 2
        except Exception:
            s = 0
        finally:
            s = s + 1
            q = s
    return s + m + q


@njit(debug=True)
def clearing(n):
    c = n
    try:
        try:
            c = 7
            if n == 0:
                raise ValueError
            c = 8
        finally:
            c = 0
    except Exception:
        n = n - 1
    return c + n


CALLS = [
    lambda: nested(0),
    lambda: nested(3),
    lambda: jumping(np.arange(9.0), 4),
    lambda: jumping(np.arange(9.0), 7),
    lambda: returning(np.arange(9.0), 2),
    lambda: returning(np.arange(9.0), 4),
    lambda: viewing(np.arange(6.0)[::-1].copy()),
    lambda: turning(5),
    lambda: clearing(0),
    lambda: clearing(1),
]
