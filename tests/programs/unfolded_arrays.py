"""Arrays of many layouts and one of 100 million elements, as arguments of compiled functions."""

import numpy as np
from numba import njit

LARGE = 100_000_000
RECORD = np.dtype([("n", np.int64), ("at", [("x", np.float64), ("y", np.float32)])], align=True)
CELL = np.dtype([("v", np.int16, 2), ("w", np.int32)], align=True)
GRID = np.dtype([("grid", np.float32, (2, 3)), ("cells", CELL, 2), ("long", np.int8, 2500)], align=True)


def make(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 5, rng.integers(1, 4)))
    kind = rng.choice(["f8", "i4", "u1", "c16", "?"])
    whole = np.asarray(rng.integers(0, 100, [2 * n for n in shape]) / 4).astype(kind)
    if rng.random() < 0.5:
        whole = np.asfortranarray(whole)
    steps = [slice(None, None, int(rng.choice([1, 2, -1, -2]))) for _ in shape]
    return whole[tuple(steps)] if rng.random() < 0.7 else whole


@njit
def takes(array):
    first = array.shape[0]
    return first  # at: array


@njit
def takes_grids(grids):
    row = grids[1]
    count = len(grids) + row.long[0]
    return count  # at: grids


def make_grids():
    grids = np.zeros(2, GRID)
    grids["grid"] = np.arange(12).reshape(2, 2, 3) / 2
    grids["cells"]["v"] = np.arange(8).reshape(2, 2, 2)
    grids["long"] = np.arange(5000).reshape(2, 2500) % 100
    return grids


@njit
def takes_large(large, records, empty, scalar):
    last = large[-1] + records[0].n + empty.shape[1]
    return last + scalar[()]  # at: large


def main():
    large = np.zeros(LARGE)
    large[12_345_678], large[-1] = 42.5, 7.0
    records = np.zeros(3, RECORD)
    records["n"], records["at"]["x"] = range(3), 1.5
    takes_large(large, records, np.zeros((3, 0)), np.array(2.5))
    takes_grids(make_grids())
    for seed in range(12):
        takes(make(seed))


if __name__ == "__main__":
    main()
