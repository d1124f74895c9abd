"""Large containers to print: a dict of 10^6 entries, a list of 10^5 strings, an array of 10^7."""

import numpy as np
from numba import njit, types
from numba.typed import Dict, List


@njit(debug=True)
def look(entries, words, array):
    size = len(entries) + len(words) + len(array)
    return size  # at: stop


@njit
def fill(entries):
    for key in range(1_000_000):
        entries[key] = key * 0.5


entries = Dict.empty(types.int64, types.float64)
fill(entries)
words = List([f"word {number}" for number in range(100_000)])
array = np.arange(10_000_000.0)
while True:
    look(entries, words, array)
