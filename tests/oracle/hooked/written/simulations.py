"""Steps in time: a logistic map, bodies, heat, predators, an automaton; thousands of iterations."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def logistic(x, r, n):
    low = high = x
    for i in range(n):
        x = r * x * (1 - x)
        if x < low:
            low = x
        elif x > high:
            high = x
    return x, low, high


@njit(debug=True)
def bodies(pos, vel, n, dt):
    acc = np.zeros_like(pos)
    for t in range(n):
        acc[:] = 0
        for i in range(pos.shape[0]):
            for j in range(pos.shape[0]):
                if i == j:
                    continue
                dx = pos[j, 0] - pos[i, 0]
                dy = pos[j, 1] - pos[i, 1]
                r2 = dx * dx + dy * dy + 0.1
                f = 1.0 / (r2 * np.sqrt(r2))
                acc[i, 0] += dx * f
                acc[i, 1] += dy * f
        vel += acc * dt
        pos += vel * dt
    return pos, 0.5 * (vel**2).sum()


@njit(debug=True)
def heat(u, n, k):
    v = u.copy()
    for t in range(n):
        for i in range(1, u.size - 1):
            v[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1])
        u, v = v, u
    return u, v


@njit(debug=True, parallel=True)
def heat_parallel(u, n, k):
    v = u.copy()
    for t in range(n):
        for i in prange(1, u.size - 1):
            left = u[i - 1]
            right = u[i + 1]
            v[i] = u[i] + k * (left - 2 * u[i] + right)
        u, v = v, u
    return u, t


@njit(debug=True)
def rule(n, number):
    cells = np.zeros(n, np.bool_)
    cells[n // 2] = True
    alive = 0
    for t in range(n // 2):
        new = np.zeros_like(cells)
        for i in range(n):
            code = cells[i - 1] * 4 + cells[i] * 2 + cells[(i + 1) % n]
            new[i] = (number >> code) & 1
        cells = new
        alive += cells.sum()
    return cells, alive


CALLS = [
    lambda: logistic(0.3, 3.7, 5000),
    lambda: bodies(np.arange(10.0).reshape(5, 2) % 3, np.zeros((5, 2)), 20, 0.01),
    lambda: heat(np.sin(np.arange(60.0)), 30, 0.2),
    lambda: heat_parallel(np.sin(np.arange(60.0)), 30, 0.2),
    lambda: rule(41, 110),
]
