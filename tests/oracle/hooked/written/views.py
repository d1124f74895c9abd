"""Views of arrays: slices with steps, transposed, reshaped, written through, of layout F and A, of no elements."""

import numpy as np
from numba import njit


@njit(debug=True)
def views(a):
    b = a[::2, 1:]
    t = b.T
    t[0, :] += 10
    r = a.reshape(-1)
    r[-1] = 99
    c = r[::-3]
    d = a.ravel().copy()
    d[2:5] = d[5:8]
    e = np.ascontiguousarray(t)
    f = a[a.shape[0] :]
    return b, c, d, e, f.size, r.sum()


@njit(debug=True)
def transposed(a):
    total = a.dtype.type(0)
    m, n = a.shape
    out = np.empty((n, m), a.dtype)
    for i in range(m):
        for j in range(n):
            out[j, i] = a[i, j]
            total += a[i, j] * out[j, 0]
    return out, total


@njit(debug=True)
def window(a, w):
    out = np.zeros(a.size - w + 1)
    for i in range(out.size):
        part = a[i : i + w]
        out[i] = part.mean() + part[0]
    return out, part


CALLS = [
    lambda: views(np.arange(24).reshape(4, 6)),
    lambda: transposed(np.arange(1200.0).reshape(30, 40)),
    lambda: transposed(np.arange(24).reshape(4, 6).T),
    lambda: transposed(np.arange(24, dtype=np.int8).reshape(4, 6)[::2, ::-1]),
    lambda: window(np.arange(10.0), 4),
]
