"""Spins that flip, with NumPy's seeded numbers and a table of a global."""

import numpy as np
from numba import njit

TABLE = np.array([1.0, 0.5, 0.25])
SIZE = 2


@njit(debug=True)
def energy(spins):
    e = 0
    for i in range(SIZE):
        for j in range(SIZE):
            s = spins[i, j]
            e -= s * (spins[(i + 1) % SIZE, j] + spins[i, (j + 1) % SIZE])
    return e


@njit(debug=True)
def ising(seed, sweeps):
    state = seed
    spins = np.ones((SIZE, SIZE), dtype=np.int64)
    flips = 0
    for sweep in range(sweeps):
        for site in range(SIZE * SIZE - 1):
            i, j = divmod(site, SIZE)
            state = (state * 1103515245 + 12345) % 2147483648
            before = energy(spins)
            spins[i, j] *= -1
            change = energy(spins) - before
            chance = TABLE[min(max(change // 4, 0), 2)]
            if change > 0 and state / 2147483648 > chance:
                spins[i, j] *= -1
            else:
                flips += 1
    return flips, spins.sum()


CALLS = [lambda: ising(42, 1)]
