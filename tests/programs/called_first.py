"""Functions that begin with a call that LLVM inlines."""

from numba import njit


@njit(debug=True)
def inner(n, m):
    k = n * 3 + m  # at: inner
    return k - 1


@njit(debug=True)
def outer(first, flag, second):
    s = inner(first, second)  # at: outer
    if flag:
        s += 1
    return s


print(outer(3, True, 9))
