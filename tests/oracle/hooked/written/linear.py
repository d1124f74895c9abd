"""np.linalg and @: a solve, an inverse, eigenvalues, products of matrices and vectors, a singular matrix."""

import numpy as np
from numba import njit


@njit(debug=True)
def solved(a, b):
    x = np.linalg.solve(a, b)
    r = a @ x - b
    d = np.linalg.det(a)
    n = np.linalg.norm(r)
    return x, d, n < 1e-9


@njit(debug=True)
def iterated(a, n):
    v = np.ones(a.shape[0])
    for i in range(n):
        w = np.dot(a, v)
        size = np.sqrt(w @ w)
        v = w / size
    return v, size


@njit(debug=True)
def inverse(a):
    held = a.copy()
    b = np.linalg.inv(held)
    return b @ a


A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
CALLS = [
    lambda: solved(A, np.array([1.0, 2.0, 3.0])),
    lambda: iterated(A, 20),
    lambda: inverse(A),
    lambda: inverse(np.zeros((3, 3))),
    lambda: solved(np.zeros((2, 2)), np.ones(2)),
]
