"""Typed lists and dicts, nested, with arrays and texts in them, changed while they are held twice."""

import numpy as np
from numba import njit, types
from numba.typed import Dict, List


@njit(debug=True)
def groups(n):
    d = Dict()
    for i in range(n):
        key = i % 3
        if key not in d:
            d[key] = List([i])
        else:
            d[key].append(i * i)
    total = 0
    for key in d:
        items = d[key]
        total = total * 10 + len(items) + items[-1]
    return total, d[0].pop()


@njit(debug=True)
def arrays(n):
    found = List()
    for i in range(n):
        a = np.full(3, i)
        found.append(a)
        if i % 2:
            found[0] = a[::-1].copy()
    found.reverse()
    other = found
    other.append(found[0] + 1)
    del found[1]
    return len(other), found[0], other[-1]


@njit(debug=True)
def texts(words):
    seen = Dict.empty(types.unicode_type, types.int64)
    order = List.empty_list(types.unicode_type)
    for w in words:
        low = w.lower().strip()
        if low in seen:
            seen[low] += 1
        else:
            seen[low] = 1
            order.append(low)
    out = ""
    for w in order:
        out += w + str(seen[w])
    seen.pop("a")
    return out, len(seen)


CALLS = [
    lambda: groups(10),
    lambda: arrays(4),
    lambda: texts(List(["A", "b ", "a", "B"])),
    lambda: texts(List(["c"])),
]
