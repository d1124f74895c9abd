"""Arrays whose sizes Numba computes and compares before it makes parallel loops of their expressions."""

import numpy as np
from numba import njit


@njit(parallel=True)
def shaped(n):
    norm = np.arange(n)
    k = n + 1
    col = norm.reshape(-1, 1)
    two = norm.reshape(2, -1)
    m = k * 2
    return col.sum() + two.sum() + m


@njit(parallel=True)
def joined(a, b):
    k = 1
    c = np.concatenate((a, b))
    d = np.stack((a, b))
    rows = (a, b)
    k = 2
    e = np.vstack(rows)
    f = np.transpose(e)
    k = 3
    g = np.hstack((a, b)) + c
    h = np.column_stack((a, b))
    k = 4
    return c.sum() + d.sum() + e.sum() + f.sum() + g.sum() + h.sum() + k


@njit(parallel=True)
def sliced(a, n):
    low = 1
    high = n - 1
    part = slice(low, high)
    m = np.zeros((n, n))
    k = low
    s = a[part]
    t = a[low:high]
    m[low:high, low] = s
    m[:, -1] = a
    k += 1
    u = m[low, 1:-1] + t
    m[part, 0] = t
    a[-2:] = 3.0
    k += 1
    return s.sum() + u.sum() + m.sum() + k


@njit(parallel=True)
def spread(a, b):
    x = a.reshape(-1, 1)
    k = 1
    y = x + b
    z = y / x
    k = 2
    y = y * 2.0
    w = np.empty_like(y)
    w[:] = b
    k = 3
    y += w
    if a.shape == b.shape:
        k += 1
    shape = a.shape
    k += 1
    v = np.ones(shape)
    q = np.where(a > b, a, v)
    r = y.T
    return y.sum() + z.sum() + q.sum() + r.sum() + k


@njit(parallel=True)
def chosen(a, b, n):
    if n > 3:
        x = a + 1.0
    else:
        x = a * 2.0
    k = 1
    y = x + b
    for i in range(2):
        k += i
        y = y * x
        k += 1
    k += 1
    z = y - x
    while k < 20:
        if k > 8:
            z = np.concatenate((z, a))
        k += 5
    m = k
    return y.sum() + z.sum() + k + m


first, second = np.arange(1.0, 7.0), np.full(6, 2.0)
print(shaped(4))
print(joined(first, second))
print(sliced(first, 6))
print(spread(first, second))
print(chosen(first, second, 6))
