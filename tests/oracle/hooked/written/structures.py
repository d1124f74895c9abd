"""Records: nested, in arrays of two dimensions, copied, with fields that are arrays, passed on."""

import numpy as np
from numba import njit

INNER = np.dtype([("u", np.int16), ("v", np.float32)], align=True)
OUTER = np.dtype([("id", np.int32), ("at", np.float64, (3,)), ("flag", np.bool_), ("more", INNER)], align=True)


@njit(debug=True)
def one(r, k):
    r.id = k
    r.at[1] += k * 0.5
    r.more.u -= k
    return r.at.sum()


@njit(debug=True)
def all_of(rows):
    total = 0.0
    flags = 0
    for i in range(rows.shape[0]):
        r = rows[i]
        total += one(r, i)
        if r.more.u < 0:
            r.flag = True
        flags += r.flag
    ids = rows.id
    return total, flags, ids.sum(), rows["more"]["u"].min()


@njit(debug=True)
def grid(rows):
    best = rows[0, 0]
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            if rows[i, j]["id"] > best["id"]:
                best = rows[i, j]
    return best["id"], best["at"][0]


def made(*shape):
    rows = np.zeros(shape, OUTER)
    rows["at"] = np.arange(rows["at"].size).reshape(rows["at"].shape)
    rows["id"] = (np.arange(rows["id"].size) * 7 % 5).reshape(shape)
    return rows


def seen(rows):
    return all_of(rows.view(np.recarray)), rows["id"].copy(), rows["flag"].copy(), rows["more"]["u"].copy()


CALLS = [lambda: seen(made(6)), lambda: grid(made(3, 4)), lambda: one(made(2).view(np.recarray)[1], 4)]
