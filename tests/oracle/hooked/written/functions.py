"""Functions as values: first-class, in a tuple, of a dispatcher, with cfunc."""

from numba import cfunc, float64, njit, types


@njit(debug=True)
def inc(x):
    y = x + 1
    return y


@njit(debug=True)
def dec(x):
    return x - 1


@njit([types.float64(types.float64)], debug=True)
def half(x):
    if x > 100:
        raise ValueError("large", x)
    return x / 2


@cfunc(float64(float64), debug=True)
def twice(x):
    y = x * 2
    return y


KIND = types.FunctionType(types.float64(types.float64))


@njit(debug=True)
def apply(f, g, n):
    x = float(n)
    for i in range(n):
        x = f(x) if i % 2 else g(x)
    return x


@njit(types.float64(KIND, types.float64), debug=True)
def typed(f, x):
    for i in range(3):
        x = f(x)
    return x


@njit(debug=True)
def chosen(fs, n):
    total = 0.0
    for i in range(n):
        for f in fs:
            total = f(total) + i
    return total


CALLS = [
    lambda: apply(inc, dec, 7),
    lambda: apply(twice, half, 5),
    lambda: (typed(half, 8.0), typed(twice, 8.0)),
    lambda: typed(half, 1e6),
    lambda: chosen((half, twice), 4),
]
