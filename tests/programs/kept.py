"""Scenario A3: a function from Numba's cache on the second run."""

from numba import njit


@njit(debug=True, cache=True)
def kept(a):
    b = a * 3
    c = b - 1  # at: kept
    return c


print(kept(14), sum(kept.stats.cache_hits.values()), flush=True)
