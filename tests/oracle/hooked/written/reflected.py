"""Lists and sets of Python that come in and go out changed."""

from numba import njit


@njit(debug=True)
def change(items, seen):
    for i in range(len(items)):
        if items[i] in seen:
            items[i] = -items[i]
        else:
            seen.add(items[i])
    items.insert(1, 100)
    del items[0]
    extra = items[1:]
    items.extend(extra)
    return extra, len(seen), items.count(100), items.index(100)


@njit(debug=True)
def sets(a, b):
    both = a & b
    a |= b
    a.discard(3)
    c = set([x * 2 for x in both])
    return both, a ^ c, a - b, c.issubset(a), len(a)


def changed():
    items, seen = [1, 2, 3, 1, 2], {9}
    return change(items, seen), items, seen


CALLS = [changed, lambda: sets({1, 2, 3}, {3, 4})]
