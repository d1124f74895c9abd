# ruff: noqa: B007
"""What programs found wrong once: versions of a variable that Numba joins from loop to loop, before it is assigned, or
where each row of its line only copies."""

import numpy as np
from numba import njit


@njit(debug=True)
def left_early(a, k):
    s = 0
    for i, row in enumerate(a):
        for j, v in enumerate(row):
            t = i * 10 + j
            if v == k:
                break
            s += j
        u = i + k
    return s + t + u


@njit(debug=True)
def of_itself(n, k):
    s = 0
    for _ in range(k % 2):
        s += n
    s = -5.0
    if k != 3:
        s = (s if k % 3 == 0 else s) / 4.0
    for i in range(n):
        s = s
        for _ in range(4):
            try:
                z = "日本"
                if s > s:
                    raise IndexError("no")
                a = np.zeros((2, 3))
            except Exception:
                a = np.zeros((2, 3))
    return s + len(z) + len(a)


CALLS = [lambda: left_early(np.arange(6).reshape(2, 3), 4), lambda: of_itself(3, 1), lambda: of_itself(1, 2)]
