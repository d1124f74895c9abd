"""None or a number; a name whose type changes; a default."""

from numba import njit


@njit(debug=True)
def first(values, limit=None):
    found = None
    for v in values:
        if limit is None or v > limit:
            found = v
            break
    if found is None:
        return -1
    return found


@njit(debug=True)
def several(values):
    a = first(values)
    b = first(values, 2)
    c = first(values, limit=100)
    x = 1
    y = x + a
    x = 0.5
    z = x * y
    return a + b + c + z


CALLS = [lambda: several((1, 2, 3))]
