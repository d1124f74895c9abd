"""A method of a jitclass with attributes that may be None, typed containers and other instances, for generated
conditions. Only NUMBA_DEBUGINFO=1 gives methods lines."""

import numpy as np
from numba import njit, optional, types
from numba.experimental import jitclass
from numba.typed import Dict, List


@jitclass([("low", types.int32), ("high", optional(types.float64)), ("wide", types.uint64)])
class Span:
    def __init__(self, low, high):
        self.low = low
        self.high = high
        self.wide = 18446744073709551615


@jitclass(
    [
        ("total", types.int64), ("last", optional(types.int64)), ("span", Span.class_type.instance_type),
        ("seen", types.ListType(types.int64)), ("rows", types.ListType(types.ListType(types.float64))),
        ("counts", types.DictType(types.unicode_type, types.int64)),
        ("places", types.DictType(types.int64, types.UniTuple(types.float32, 2))), ("grid", types.float64[:, :]),
        ("name", types.unicode_type), ("is_open", types.boolean),
    ]
)  # fmt: skip
class Ledger:
    def __init__(self, span, seen, rows, counts, places, grid):
        self.total = 0
        self.last = None
        self.span = span
        self.seen = seen
        self.rows = rows
        self.counts = counts
        self.places = places
        self.grid = grid
        self.name = "ledger"
        self.is_open = True

    def add(self, x, extra):
        before = self.total
        self.total += x
        doubled = None if x % 2 == 0 else x * 2
        if x % 3 == 0:
            self.last = x
            self.span.high = None
        else:
            self.last = None
            self.span.high = x / 2
        self.seen.append(x)
        self.rows[0].append(x * 0.5)
        self.counts["b"] = x
        self.places[x] = (np.float32(x + 1), np.float32(0.1))
        self.is_open = not self.is_open
        after = self.total  # at: line
        return after - before if doubled is None else doubled


@njit(debug=True)
def fill(ledger, n):
    s = 0
    for i in range(n):
        s += ledger.add(i, (i % 4, "ab"))
    return s


def contents():
    """Return what a Ledger is made of, anew, for its methods change it."""
    seen, rows, counts, places = List([7, -2]), List(), Dict(), Dict()
    rows.append(List([1.5, -0.25]))
    rows.append(List([8.0]))
    counts["a"], counts["ü"] = 11, -3
    places[-1] = (np.float32(0.5), np.float32(2.0))
    return seen, rows, counts, places, np.arange(6.0).reshape(2, 3)


if __name__ == "__main__":
    print(fill(Ledger(Span(-4, None), *contents()), 40))
