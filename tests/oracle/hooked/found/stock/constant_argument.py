# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""LLVM leaves what one of two folded branches says of an argument: `flag` had the constant True everywhere."""

from numba import njit


@njit(debug=True)
def folded(count, flag):
    if count == -3 and flag:
        total = 0
        for i in range(0):
            total += 2 * i + 1
        for k in range(3):
            inner = 0
            for j in range(0):
                inner += 2 * j + 1
    else:
        w = 0.5
    made = (count, -2, count)
    x = (0.0) / 2.0
    for k in range(count % 4, 0, -1):
        x += x
    y = (made[2]) % 2
    return -0.75 + x


CALLS = [lambda: folded(0, False), lambda: folded(-2, False)]
FAULT = None
