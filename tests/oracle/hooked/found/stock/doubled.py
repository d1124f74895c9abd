"""What a program found wrong once at NUMBA_OPT=1: numbers that are added to each other, of which LLVM computes all bits
but the highest."""

# ruff: noqa: B007 (what is assigned need not be read to be shown)

from numba import njit


@njit(debug=True)
def loops(pairs):
    s = 0
    for a, b in pairs:
        s += a * b
        last = (b, a)
    for i, (a, b) in enumerate(pairs):
        s -= i
        c = a
    x = y = z = s
    y += 1
    z, y = y, z
    x, (y, z) = z, (x, y)
    return s + x + y + z + c + last[0]


CALLS = [lambda: loops(((1, 2), (3, 4)))]
