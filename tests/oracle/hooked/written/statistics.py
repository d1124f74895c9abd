"""Mean, spread and order in one go over a 2-D array; slices and reductions of NumPy."""

import numpy as np
from numba import njit


@njit(debug=True)
def describe(table):
    rows, columns = table.shape
    means = np.empty(columns)
    spreads = np.empty(columns)
    for c in range(columns):
        column = table[:, c]
        mean = column.mean()
        m2 = 0.0
        for v in column:
            delta = v - mean
            m2 += delta * delta
        means[c] = mean
        spreads[c] = np.sqrt(m2 / rows)
    best = np.argmax(spreads)
    order = np.argsort(means)
    normal = (table - means) / np.where(spreads > 0, spreads, 1.0)
    return best, order[0], normal.max()


CALLS = [lambda: describe(np.array([[1.0, 5.0], [2.0, 1.0], [4.0, 0.0]]))]
