"""Values that front ends unfold: an array of records in records, containers, a matrix."""

import numpy as np
from numba import njit

INNER = np.dtype([("x", "f4"), ("y", "f4")])
RECORD = np.dtype([("n", "i4"), ("at", INNER), ("d", "i2", (2,))])


@njit(debug=True)
def hold(records, matrix, text, pair, grown):
    last = records[7].n + grown
    return last + matrix[0, 1] + len(text) + pair[0]  # at: hold


if __name__ == "__main__":
    records = np.zeros(9, RECORD)
    for i in range(9):
        records[i] = (i, (i + 0.5, -i), [i, -i])
    print(hold(records, np.arange(12.0).reshape(3, 4), "héllo", (1, 2.5), 3))
