"""Dates and durations with NaT, complex signals, a window rotated in place, variables that change their types."""

import numpy as np
from numba import njit


@njit(debug=True)
def gaps(stamps):
    worst = stamps[1] - stamps[0]
    previous = stamps[0]
    count = 0
    for stamp in stamps[1:]:
        if np.isnat(stamp):
            continue
        gap = stamp - previous
        if gap > worst:
            worst = gap
        previous = stamp
        count += 1
    return worst, previous, count


@njit(debug=True)
def dft(signal):
    n = signal.shape[0]
    out = np.zeros(n, np.complex128)
    for k in range(n):
        z = 0j
        w = np.exp(-2j * np.pi * k / n)
        p = 1 + 0j
        for t in range(n):
            z += signal[t] * p
            p *= w
        out[k] = z
        power = z.real**2 + z.imag**2
        if power < 1e-9:
            out[k] = 0
    return out, power


@njit(debug=True)
def rotate(a, k):
    tmp = a[:k].copy()
    a[:-k] = a[k:].copy()
    a[-k:] = tmp
    size = tmp.size
    tmp = a[:1]
    x = 3
    y = x + size
    x = "three"
    z = len(x) + y
    x = 0.5
    return a, z * x


CALLS = [
    lambda: gaps(np.array(["2020-01-01", "2020-01-05", "NaT", "2020-03-01"], "datetime64[D]")),
    lambda: dft(np.array([1.0, 2.0, 0.5])),
    lambda: rotate(np.arange(6, dtype=np.float32), 2),
]
