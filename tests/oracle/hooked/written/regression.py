"""Gradient steps with dot products and early stops; in-place updates of slices."""

import numpy as np
from numba import njit


@njit(debug=True)
def fit(x, y, rate, most):
    n, k = x.shape
    w = np.zeros(k)
    b = 0.0
    loss = np.inf
    for turn in range(most):
        guess = np.dot(x, w) + b
        error = guess - y
        new = (error**2).mean()
        if loss - new < 1e-3:
            break
        loss = new
        gradient = np.dot(x.T, error) * (2.0 / n)
        w -= rate * gradient
        b -= rate * 2.0 * error.mean()
    return w.sum(), b, loss, turn


CALLS = [lambda: fit(np.array([[1.0], [2.0], [3.0]]), np.array([2.0, 4.0, 6.0]), 0.1, 4)]
