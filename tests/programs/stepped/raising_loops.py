"""Loops that an exception leaves: of functions that LLVM inlines, and of one that it does not."""

from numba import njit


@njit(debug=True)
def scan(a):
    for i in range(3):  # at: scan
        if a == i:
            raise ValueError("a")  # at: raise
    return 0


@njit(debug=True)
def handled(n):
    total = 0
    try:
        total += scan(n)
    except Exception:  # at: handler
        total = -1
    total += 10
    return total


@njit(debug=True)
def passed_on(n):
    total = n
    total += scan(n)
    return total


@njit(debug=True)
def far(a, n):
    for i in range(n):  # at: far
        for j in range(n):
            if a + i * j > 2:
                raise ValueError("too big")  # at: far-raise
    return 0


@njit(debug=True)
def around(n):
    total = 0
    for k in range(3):
        try:
            total += far(k, n)  # at: far-call
        except Exception:
            total = -1
        total += 10
    return total


print(handled(1), around(3))
try:
    passed_on(2)  # at: call
except ValueError as error:
    print(error)
