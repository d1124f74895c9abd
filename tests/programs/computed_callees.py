"""Functions that others call; LLVM computes what some of them return."""

from numba import njit


@njit(debug=True)
def fixed(a):
    b = a * 2  # at: fixed
    return b + 1


@njit(debug=True)
def middle(a):
    return fixed(a) - 1


@njit(debug=True)
def moving(a, k):
    return a % k + 1


@njit(debug=True)
def deep(n):
    if n <= 0:
        return 1
    return deep(n - 1) + n


@njit(debug=True)
def caller(n, k):
    total = deep(n)
    for i in range(n):
        total += middle(3) * moving(i, k)
    return total


print(caller(5, 3))
