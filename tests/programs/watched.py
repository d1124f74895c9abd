"""Variables that change, to be watched: in loops, before they have a value, of several types."""

import numpy as np
from numba import njit


@njit(debug=True)
def gather_up(a, n):
    total = 0.0  # at: begin
    kind = n
    for i in range(n):  # at: loop
        total += a[i]
    kind = total * 2  # at: behind
    a[3] = 7.0
    n = n + 1
    total = kind + n  # at: last
    return total  # at: end


@njit(debug=True)
def joined(z, words):
    text = ""
    for word in words:
        text += word
        z = z + z  # at: joined
    return text, z


if __name__ == "__main__":
    print(gather_up(np.arange(5.0), 3))
    print(joined(np.complex64(1 + 2j), ("a", "bc", "d")))
