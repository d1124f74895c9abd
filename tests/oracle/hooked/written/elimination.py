"""Gaussian elimination with pivots, and a matrix that has no inverse."""

import numpy as np
from numba import njit


@njit(debug=True)
def solve(matrix, right):
    a = matrix.copy()
    b = right.copy()
    n = len(b)
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if a[best, k] == 0.0:
            raise ValueError("singular")
        if best != k:
            for j in range(n):
                held = a[k, j]
                a[k, j] = a[best, j]
                a[best, j] = held
            b[k], b[best] = b[best], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.empty(n)
    for i in range(n - 1, -1, -1):
        rest = b[i]
        for j in range(i + 1, n):
            rest -= a[i, j] * x[j]
        x[i] = rest / a[i, i]
    return x


def singular():
    try:
        solve(np.ones((2, 2)), np.ones(2))
    except ValueError as error:
        return str(error)


CALLS = [lambda: solve(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0])).sum(), singular]
