"""A jitclass with arrays and a typed dict, a property, and methods that call others and fill members."""

import numpy as np
from numba import float64, int64, njit, types
from numba.experimental import jitclass
from numba.typed import Dict

SPEC = [("count", int64), ("means", float64[:]), ("m2", float64[:]), ("seen", types.DictType(int64, float64))]


@jitclass(SPEC)
class Welford:
    def __init__(self, width):
        self.count = 0
        self.means = np.zeros(width)
        self.m2 = np.zeros(width)
        self.seen = Dict.empty(int64, float64)

    def push(self, row):
        self.count += 1
        for j in range(row.size):
            delta = row[j] - self.means[j]
            self.means[j] += delta / self.count
            self.m2[j] += delta * (row[j] - self.means[j])
        self.note(row[0])

    def note(self, x):
        key = int(x) % 3
        if key in self.seen:
            self.seen[key] += x
        else:
            self.seen[key] = x

    @property
    def spread(self):
        return self.m2 / max(self.count - 1, 1)


@njit(debug=True)
def gather_all(rows):
    stats = Welford(rows.shape[1])
    for _row_no in range(rows.shape[0]):
        stats.push(rows[_row_no])
    spread = stats.spread
    top = spread.max()
    stats.means[:] = stats.means[::-1].copy()
    stats.count = -1
    total = 0.0
    for key, value in stats.seen.items():
        total += key * value
    return top, stats.means, stats.count, total


CALLS = [lambda: gather_all(np.arange(12.0).reshape(4, 3) ** 1.5), lambda: gather_all(np.ones((2, 2)))]
