"""Live structures of every kind, in compiled code and in object mode; what they hold is said when all is done."""

import numba
import numpy as np
from numba import njit, types
from numba.experimental import jitclass
from numba.typed import Dict, List

RECORD = np.dtype([("n", "i4"), ("x", "f8", (2,))])


@jitclass([("total", numba.int64), ("data", numba.float64[:])])
class Counter:
    def __init__(self, total):
        self.total = total
        self.data = np.arange(3.0)


@njit(debug=True)
def hold(square, records, words, table, numbers, text, pair, counter, grown):
    built = [1, 2, 3]
    seen = {2.5}
    half = text if grown > 1 else None
    sums = square.sum() + records[1].n + len(words[1]) + table["two"]  # at: native
    sums += len(numbers) + len(text) + pair[0] + counter.total + counter.data[2] + len(built) + len(seen)
    return sums + len(pair[1]) + (len(half) if half is not None else 0)


@numba.jit(forceobj=True, debug=True, looplift=False)
def loose(items, mapping, group, text):
    mixed = (items, text, 2**70, 1.5, None)
    array = np.arange(6).reshape(2, 3)
    done = len(mixed)  # at: loose
    return done, sum(items), sorted(mapping.items()), sorted(group), int(array.sum()), text


if __name__ == "__main__":
    table = Dict.empty(types.unicode_type, types.int64)
    table["one"], table["two"] = 1, 2
    records = np.zeros(4, RECORD)
    records["n"] = range(4)
    square = np.arange(12.0).reshape(3, 4)[:, ::2]
    held = hold(square, records, List(["a", "héllo"]), table, {1, 2, 3}, "text", (7, "x"), Counter(4), 2)
    print("RESULT", held, loose([1, 2, 3], {"k": 1, "l": 2}, {1, 5}, "words"), flush=True)
