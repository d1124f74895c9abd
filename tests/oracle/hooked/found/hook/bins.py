# ruff: noqa: B007, SIM102
"""What was found wrong once in the body of a parallel loop: a jump that has no line stopped on the line before it, and
lines that do nothing did not stop."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def chained(values, bins):
    found = np.zeros(bins)
    width = 1.0 / bins
    for b in prange(bins):
        low = b * width
        last = 0.0
        for v in values:
            last = -v
            if low <= v < low + width:
                last = v
        found[b] = last
    return found.max()


@njit(debug=True, parallel=True)
def nested(values, limit):
    found = np.zeros(len(values))
    for i in prange(len(values)):
        last = 0.0
        for v in values:
            if v > limit:
                if v != values[i]:
                    last = v
        found[i] = last
    return found.sum()


@njit(debug=True, parallel=True)
def passing(values, limit):
    found = np.zeros(len(values))
    for i in prange(len(values)):
        pass
        here = min(
            values[i],
            limit,
            1.5,
        )
        for v in values:
            pass
        if here > 1.0:
            pass
        elif here > 0.5:
            here = 2.0
        else:
            pass
        here += v
        found[i] = here + limit
    return found.sum()


CALLS = [
    lambda: chained(np.linspace(0.0, 0.99, 7), 3),
    lambda: nested(np.array([0.25, 0.5, 0.75]), 0.3),
    lambda: passing(np.array([0.1, 1.0, 2.5]), 2.0),
]
