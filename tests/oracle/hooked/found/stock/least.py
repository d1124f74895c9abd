"""What generated programs found wrong once: the least of computed values, which GDB 13 failed at."""

import math  # noqa: F401

import numpy as np
from numba import njit, prange  # noqa: F401


@njit(debug=True)
def work0(arg, brg):
    arg += 9
    f1 = 0
    for i2 in range(1):
        f1 = f1 * 0.5 + i2
    arg = min(6, 3) - ((-7) % 3)
    return (arg) % 2


@njit(debug=True)
def work1(arg, brg, crg, drg):
    size = -9
    a1 = np.ones(6, dtype=np.int64)
    out2 = np.zeros(len(drg))
    for i3 in range(len(drg)):
        e4 = drg[i3] * crg
        out2[i3] = e4 - 0.25
    if crg < crg:
        x = ((-4) * (6) % 97, len(a1), (-4) // 3)  # noqa: F841
        try:
            a5 = a1.copy()
            if size > size:
                raise ValueError("no")
            a6 = np.zeros_like(a5)  # noqa: F841
        except Exception:
            size = (-7 if size <= 8 else -4) + (arg + (size))
    else:
        out7 = np.zeros(len(out2))
        for i8 in range(len(out2)):
            out7[i8] = out2[i8] * 0.5 + 1.0
        size -= arg
    s9 = 0
    for i10 in range(4):  # noqa: B007
        s9 += 3
    s9 = s9 % 3 == 1
    s9 = min(size, size)
    return s9 + arg


CALLS = [
    lambda: work0(-3, "hello"),
    lambda: work0(2, "hello"),
    lambda: work1(3, np.ones((2, 3)), 2.75, np.arange(5) * 0.75),
    lambda: work1(1, np.arange(6.0).reshape(3, 2), -1.5, np.array([1.5, -2.0, 0.25])),
    lambda: work1(0, np.ones((2, 3)), -1.25, np.array([1.5, -2.0, 0.25])),
]
