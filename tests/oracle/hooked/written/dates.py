"""datetime64 and timedelta64: differences, comparisons, NaT, and what of them is assigned in loops."""

import numpy as np
from numba import njit


@njit(debug=True)
def longest(days):
    best = days[0] - days[0]
    latest = days[0]
    for i in range(1, days.size):
        gap = days[i] - days[i - 1]
        if gap > best:
            best = gap
        if days[i] > latest:
            latest = days[i]
    return best, latest


@njit(debug=True)
def shift(days, by):
    out = days.copy()
    missing = 0
    for i in range(days.size):
        if np.isnat(days[i]):
            missing += 1
            continue
        out[i] = days[i] + by * i
    return out, missing


DAYS = np.array(["2020-01-01", "2020-03-01", "2019-12-31", "2021-01-01"], "datetime64[D]")
GAPS = np.array(["2020-01-01", "NaT", "2019-12-31"], "datetime64[D]")
CALLS = [
    lambda: longest(DAYS),
    lambda: longest(DAYS.astype("datetime64[s]")),
    lambda: shift(GAPS, np.timedelta64(3, "D")),
]
