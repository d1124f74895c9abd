"""A function that Numba inlines in those of another file, with a function that LLVM inlines."""

from numba import njit


@njit
def leaf(p, q, i):
    return p[i] + q[0]  # at: leaf


@njit(inline="always")
def between(v, w, i):
    w = w[1:]
    r = leaf(w, v, i)
    return r
