"""A loop with names of containers, instances, records and values that may be None, for generated conditions."""

import collections
import enum

import numpy as np
from numba import njit, types
from numba.experimental import jitclass
from numba.typed import Dict, List

Point = collections.namedtuple("Point", "x y label")


class Color(enum.IntEnum):
    RED = 1
    BLUE = 4


@jitclass([("n", types.int64), ("weight", types.float64)])
class Inner:
    def __init__(self, n, weight):
        self.n = n
        self.weight = weight


@jitclass([("inner", Inner.class_type.instance_type), ("values", types.int64[:]), ("name", types.unicode_type)])
class Outer:
    def __init__(self, inner, values, name):
        self.inner = inner
        self.values = values
        self.name = name


@njit(debug=True)
def hold(n, box, words, rows, table, places, point, records, flags, color, view, z, z8, f4s, zero, text):  # at: def
    s = 0
    for i in range(n):
        k = i % 5 - 2
        maybe = None if i % 3 == 0 else i
        box.inner.n = i
        rows[0][1] = k
        table["b"] = i / 4
        pair = (i, words[i % 3])
        word = "short"
        if k > 0:
            word = "long"
        s += k
        s = s + len(word) * 0  # at: line
        s += 0 if maybe is None else maybe
    return s


def arguments():
    """Return the arguments anew, for the function changes them."""
    box = Outer(Inner(3, 0.5), np.arange(4) * 3, "crate")
    words, rows, table, places = List(["a", "bc", "ü€"]), List(), Dict(), Dict()
    rows.append(List([1, 2, 3]))
    rows.append(List([-5]))
    table["a"], table["b"], table["ü"] = 1.5, 0.0, -2.25
    places[3], places[-7] = (1, 2.5), (4, -0.5)
    records = np.array([(1, 0.5, "ab"), (2, -1.5, "c"), (-3, 8.0, "")], dtype=[("id", "i4"), ("v", "f8"), ("s", "U3")])
    flags, view = np.array([True, False, False, True]), np.arange(10, dtype=np.int16)[::-2]
    f4s = np.array([0.1, 0.5, -3.0], dtype=np.float32)
    point, z8 = Point(2, -0.5, "tip"), np.array([1 + 2j, -0.5j], dtype=np.complex64)
    return (40, box, words, rows, table, places, point, records, flags, Color.BLUE, view, 1.5 - 2j, z8, f4s, np.array(6),
            "déjà")  # fmt: skip


if __name__ == "__main__":
    print(hold(*arguments()))
