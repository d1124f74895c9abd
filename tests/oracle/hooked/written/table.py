"""A hash join over record arrays, with a typed dict of lists, sorted keys and a named tuple that is returned."""

from collections import namedtuple

import numpy as np
from numba import njit, types
from numba.typed import Dict, List

Joined = namedtuple("Joined", "left_id right_id weight")
LEFT = np.dtype([("id", np.int64), ("w", np.float32)])
RIGHT = np.dtype([("key", np.int64), ("tag", np.uint8), ("v", np.complex64)])


@njit(debug=True)
def index_by(rows):
    by_key = Dict()
    for n in range(len(rows)):
        key = rows[n].key
        if key not in by_key:
            by_key[key] = List.empty_list(types.int64)
        by_key[key].append(n)
    return by_key


@njit(debug=True)
def join(left, right):
    by_key = index_by(right)
    out = List()
    skipped = {-1}
    for row in left:
        if row.id not in by_key:
            skipped.add(row.id)
            continue
        for at in by_key[row.id]:
            found = right[at]
            weight = row.w * found.v.real
            row.w = row.w + 1
            out.append(Joined(row.id, at, weight))
            found.tag += 100
    best = out[0]
    for one in out:
        if one.weight >= best.weight:
            best = one
    return best.left_id, best.right_id, best.weight, len(skipped)


def python_tables(n):
    left, right = np.zeros(n, LEFT), np.zeros(n + 2, RIGHT)
    left["id"], left["w"] = np.arange(n) % 5, np.linspace(0, 1, n)
    right["key"], right["v"] = np.arange(n + 2) * 2 % 6, np.arange(n + 2) * (1 - 2j)
    right["tag"] = 200
    return left.view(np.recarray), right.view(np.recarray)


CALLS = [lambda: join(*python_tables(4)), lambda: join(*python_tables(6))]
